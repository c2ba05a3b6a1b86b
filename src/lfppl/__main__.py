"""`python -m lfppl` is `lfppl`."""

import sys

from lfppl.cli import main

sys.exit(main())
