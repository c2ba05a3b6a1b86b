"""Write the pages that are made from tables: `python docs/_generate`."""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).parents[1]
sys.path.insert(0, str(DOCS))

from _generate import distributions, language  # noqa: E402

PAGES = {"language.md": language.page, "distributions.md": distributions.page}
"""The generated pages, and what writes each."""

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), "utf-8")
