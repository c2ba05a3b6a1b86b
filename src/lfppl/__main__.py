"""`python -m lfppl` is `lfppl`."""

import sys

from lfppl.cli import main

if __name__ == "__main__":
    sys.exit(main())
