"""Write the pages of the worked examples, with their figures: `python docs/_examples [NAME...]`."""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).parents[1]
sys.path[:0] = [str(DOCS), str(DOCS.parent / "examples"), str(DOCS.parent / "tests")]

from _examples import figures, page  # noqa: E402


def main(names: list[str]) -> None:
    """Sample the examples and write their pages; the index lists all of them."""
    folder = DOCS / "examples"
    folder.mkdir(exist_ok=True)
    for name in names or list(page.EXAMPLES):
        run = page.sampled(name)
        figures.draw(run, folder / f"{name}.svg")
        (folder / f"{name}.md").write_text(page.whole(run), "utf-8")
    (folder / "index.md").write_text(page.index(), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
