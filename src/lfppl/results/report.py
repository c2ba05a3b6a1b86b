"""A fit as one HTML page that needs nothing else: what was found, and whether to believe it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lfppl.display import extra
from lfppl.display.markup import Html, join, prose, style, tag
from lfppl.errors import running
from lfppl.results import figures, listing
from lfppl.results.choice import Choice, choose
from lfppl.results.panels import Panels

if TYPE_CHECKING:
    from lfppl.results.fit import Fit

MOST_ROWS = 40
MOST_PANELS = 8
MOST_PAIRED = 4
"""How many scalars the summary, the plots of one and the plots of two show of themselves."""
FEWEST_DRAWS = 8
"""Of fewer draws no distribution is drawn."""


class Portrait(Protocol):
    """What a report says of the model."""

    @property
    def name(self) -> str:
        """What the model is called."""

    def source(self) -> Html:
        """The source with discontinuous variables marked."""

    def variables(self) -> Html:
        """The table of the variables."""

    def guarantee(self) -> Html:
        """What is known of the jumps."""

    def graph(self) -> Html:
        """The graph."""


@dataclass(frozen=True)
class Page:
    """What all sections of a report draw on."""

    fit: Fit
    variables: tuple[str, ...] | None
    panels: Panels

    def choose(self, most: int) -> Choice:
        """The scalars of a section."""
        return choose(self.fit, self.variables, most)

    @property
    def is_empty(self) -> bool:
        """Whether there are no scalars at all."""
        return not any(array.size for array in self.fit.draws.values())


def check() -> None:
    """Refuse to begin what could not be drawn in the end."""
    extra.arviz_plots("a report")
    extra.pygraphviz("a report")


def write(fit: Fit, path: Path, variables: Iterable[str] | None) -> None:
    """Write the report, as a whole or not at all."""
    page = render(fit, variables)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_text(page, "utf-8")
        unfinished.replace(path)
    except OSError as error:
        raise running.cannot_write(path, os.strerror(error.errno or 0)) from None
    finally:
        with suppress(OSError):
            unfinished.unlink()


def render(fit: Fit, variables: Iterable[str] | None = None) -> str:
    """The whole page."""
    check()
    names = (variables,) if isinstance(variables, str) else variables
    page = Page(fit, None if names is None else tuple(names), Panels())
    with page.panels.style():
        sections = [(title, join(make(page))) for title, make in SECTIONS.items()]
    shown = [(title, body) for title, body in sections if body]
    name = fit.portrait.name if fit.portrait else "Model"
    content = join(
        [
            tag("header", tag("h1", name), listing.headline(fit)),
            tag("nav", *(tag("a", t, href=f"#{_anchor(t)}") for t, _ in shown)),
            tag("main", *(_section(title, body) for title, body in shown)),
            tag("footer", f"Written by lfppl {fit.about.versions.get('lfppl', '')}."),
        ]
    )
    return _document(f"{name} – lfppl", content)


def _document(title: str, content: Html) -> str:
    head = join(
        [
            Html('<meta charset="utf-8">'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            Html('<link rel="icon" href="data:,">'),
            tag("title", title),
            tag("style", style("pieces.css"), style("page.css")),
        ]
    )
    body = tag("body", tag("div", content, class_="lf"))
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>{body}</html>\n'


def _section(title: str, body: Html) -> Html:
    return tag("section", tag("h2", title), body, id=_anchor(title))


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


# --- sections: pieces of HTML, none where there is nothing to say --------------------------------


def _warnings(page: Page) -> list[Html]:
    if page.fit.warnings:
        return [listing.warnings(page.fit.warnings)]
    words = "Nothing was found that speaks against these draws."
    return [tag("div", tag("p", words), class_="lf-fine")]


def _summary(page: Page) -> list[Html]:
    if page.is_empty:
        return [tag("p", "The model has no variables and returns no number.")]
    chosen = page.choose(MOST_ROWS)
    return [listing.summary(page.fit, chosen), listing.left_out(chosen)]


def _model(page: Page) -> list[Html]:
    portrait = page.fit.portrait
    if portrait is None:
        return [tag("pre", tag("code", page.fit.about.source))]
    explained = (
        "Marked are the variables in which the density jumps, where they are drawn, and what makes"
        " it jump. Point at a mark, or tap it, to read why."
    )
    words = tag("p", explained, class_="lf-note") if page.fit.about.discontinuous else Html("")
    return [words, portrait.source(), portrait.variables(), portrait.guarantee()]


def _graph(page: Page) -> list[Html]:
    portrait = page.fit.portrait
    if portrait is None:
        return []
    words = (
        "White boxes are random variables, with a coloured edge where the density jumps in them;"
        " grey ones are observations. A diamond is an `if`, reached by dashed lines from the"
        " variables that decide it."
    )
    return [portrait.graph(), tag("p", prose(words), class_="lf-note")]


def _draws(page: Page) -> list[Html]:
    if page.is_empty:
        return []
    if page.fit.used[1] < FEWEST_DRAWS:
        return [tag("p", "There are too few draws for plots.", class_="lf-note")]
    chosen = page.choose(MOST_PANELS)
    three = figures.draws(page.fit, chosen, page.panels)
    return [tag("div", *three, class_="lf-columns"), listing.left_out(chosen)]


def _pairs(page: Page) -> list[Html]:
    if page.is_empty or page.fit.used[1] < FEWEST_DRAWS:
        return []
    most = MOST_PAIRED if page.variables is None else MOST_PANELS
    chosen = figures.paired(page.choose(MOST_PANELS), most)
    return [figures.pairs(page.fit, chosen, page.panels)] if len(chosen) > 1 else []


def _crossings(page: Page) -> list[Html]:
    return figures.crossings(page.fit, page.panels)


def _energy(page: Page) -> list[Html]:
    if page.fit.used[1] < FEWEST_DRAWS:
        return []
    return figures.energy(page.fit, page.panels)


def _settings(page: Page) -> list[Html]:
    about, timing = page.fit.about, page.fit.timing
    facts: dict[str, Any] = {
        "engine": about.engine,
        "seed": about.seed,
        "chains": len(page.fit.chains),
        "draws per chain": f"{about.draws:,} after {about.warmup:,} of warm-up",
        "kept": "every draw" if about.thin == 1 else f"one draw in {about.thin}",
        **{name.replace("_", " "): value for name, value in about.settings.items()},
        "compiling": f"{timing['compile_s']:.3g} s",
        "warm-up": f"{timing['warmup_s']:.3g} s",
        "sampling": f"{timing['sample_s']:.3g} s",
        "source": about.source_name,
        **about.versions,
    }
    pairs = (part for key, value in facts.items() for part in (tag("dt", key), tag("dd", value)))
    return [tag("dl", *pairs)]


SECTIONS: dict[str, Callable[[Page], list[Html]]] = {
    "Warnings": _warnings,
    "Summary": _summary,
    "Model": _model,
    "Graph": _graph,
    "Draws": _draws,
    "Pairs": _pairs,
    "Crossings": _crossings,
    "Energy": _energy,
    "Settings": _settings,
}
"""The sections in their order."""
