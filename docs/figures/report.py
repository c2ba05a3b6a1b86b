"""The picture of a report: the page of the change point in a real browser, as PNG.

    python docs/figures/report.py

It needs Chromium and the extra `plots`; it is run by hand where the look of reports changes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from browser import Browser  # noqa: E402
from run_models import example  # noqa: E402

WIDE, HIGH = 1180, 1000
COLOURS = 128


def main() -> None:
    """Sample, report, look, and write the picture beside this file."""
    from PIL import Image

    fit = example("change-point").sample(seed=1, progress=False)
    place = Path(__file__).with_suffix(".png")
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        page = Path(folder) / "report.html"
        fit.report(page, variables=["tau", "early", "late"])
        browser.look(WIDE, HIGH)
        browser.open(page)
        browser.run("document.querySelector('mark.lf-cause').focus()")
        browser.screenshot(place, whole=False)
    Image.open(place).convert("P", palette=Image.Palette.ADAPTIVE, colors=COLOURS).save(
        place, optimize=True
    )
    print(f"{place.relative_to(ROOT)}: {place.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
