"""Figures of arviz-plots and matplotlib as SVG that takes the colours of the page around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from itertools import count
from typing import Any

from lfppl.display import extra
from lfppl.display.markup import Html, tag

INK = "#010203"
"""Stands for the colour of text until the figure is in the page."""
BLACK = re.compile(r"#(?:010203|000000)\b")
LEADING = re.compile(r"^.*?(?=<svg)", re.DOTALL)
METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
REFERENCES = re.compile(r'(\bid="|url\(#|xlink:href="#)')
NUMBERS = re.compile(r"(\d+\.\d\d)\d+")
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "lfppl",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.titlesize": 11.0,
    "axes.labelsize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "figure.facecolor": "#ffffff",  # arviz-plots takes black for text on it
    "legend.framealpha": 0.0,
    "legend.fontsize": 9.5,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 9.0,
    "ytick.labelsize": 9.0,
    "lines.linewidth": 0.9,
    "path.simplify_threshold": 0.4,
}
"""How figures look, as far as the page does not say."""


class Panels:
    """Makes figures for one page; their identifiers do not clash."""

    def __init__(self) -> None:
        self._numbers = count(1)

    @contextmanager
    def style(self) -> Iterator[None]:
        """Figures made inside look as the page wants them."""
        with extra.matplotlib("a report").rc_context(STYLE):
            yield

    def column(self, name: str, explained: str, *made: Any) -> Html:
        """Figures with a caption, as wide as their column."""
        caption = tag("figcaption", name, " ", tag("span", explained))
        return tag("figure", caption, *map(self._themed, made))

    def natural(self, made: Any) -> Html:
        """A figure in its own size, in a box that scrolls where it is too wide."""
        return tag("figure", self._themed(made), class_="lf-natural lf-scroll", tabindex="0")

    def _themed(self, made: Any) -> Html:
        return themed(_svg(figure_of(made)), next(self._numbers))


def figure_of(made: Any) -> Any:
    """The matplotlib figure of what arviz-plots gives, or of what is one already."""
    return made.viz["figure"].item() if hasattr(made, "viz") else made


def _svg(figure: Any) -> str:
    from matplotlib import pyplot

    with StringIO() as file:
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
        pyplot.close(figure)
        return file.getvalue()


def themed(svg: str, number: int) -> Html:
    """The element itself, black as the ink of the page, identifiers with a number of their own.

    >>> themed('<?xml?><svg id="a" fill="#000000"><use xlink:href="#b"/></svg>', 3)
    '<svg id="f3-a" fill="currentColor"><use xlink:href="#f3-b"/></svg>'
    """
    bare = METADATA.sub("", LEADING.sub("", svg))
    inked = BLACK.sub("currentColor", bare)
    own = REFERENCES.sub(rf"\g<1>f{number}-", inked)
    return Html(NUMBERS.sub(r"\1", own))
