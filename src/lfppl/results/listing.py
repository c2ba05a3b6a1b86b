"""The summary of a fit as an HTML table, with small drawings; and a fit in a notebook."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from lfppl.display import spark
from lfppl.display.markup import Column, Html, counted, piece, prose, table, tag
from lfppl.results.choice import Choice, choose
from lfppl.results.criticism import FEWEST_PER_CHAIN, HIGHEST_R_HAT

if TYPE_CHECKING:
    from lfppl.results.fit import Fit

MOST_ROWS = 12
"""Scalars in a notebook."""
SAME_DECIMALS = ("mean", "sd", "q5", "q50", "q95")
COLUMNS = (
    Column("variable"),
    Column("mean", numbers=True),
    Column("sd", numbers=True),
    Column("5%", numbers=True),
    Column("50%", numbers=True),
    Column("95%", numbers=True),
    Column("ESS bulk", True, "how many independent draws the mean is worth"),
    Column("ESS tail", True, "how many independent draws the 5% and 95% quantiles are worth"),
    Column("R-hat", True, "near 1 where the chains agree"),
    Column("distribution"),
    Column("draws"),
)


def of_fit(fit: Fit) -> str:
    """The HTML of a fit: how it was drawn, warnings, its summary."""
    if not any(array.size for array in fit.draws.values()):
        return piece(headline(fit), tag("p", "The model has no variables and returns no number."))
    chosen = choose(fit, None, MOST_ROWS)
    return piece(headline(fit), warnings(fit.warnings), summary(fit, chosen), left_out(chosen))


def headline(fit: Fit) -> Html:
    """How many draws, of what engine, and how long they took."""
    drawn = sum(chain.drawn for chain in fit.chains)
    seconds = fit.timing["warmup_s"] + fit.timing["sample_s"]
    words = (
        f"{counted(drawn, 'draw')} in {counted(len(fit.chains), 'chain')} by {fit.about.engine},"
        f" seed {fit.about.seed}, in {seconds:.2g} s after {fit.timing['compile_s']:.2g} s of"
        " compiling."
    )
    return tag("p", words, class_="lf-note")


def warnings(texts: Iterable[str]) -> Html:
    """What speaks against a fit, each in a paragraph; nothing if nothing does."""
    paragraphs = [tag("p", prose(f"{each[:1].upper()}{each[1:]}.")) for each in texts]
    return tag("div", *paragraphs, class_="lf-warnings") if paragraphs else Html("")


def left_out(chosen: Choice) -> Html:
    """How many scalars are not shown."""
    if not chosen.left_out:
        return Html("")
    verb = "is" if chosen.left_out == 1 else "are"
    words = f"{counted(chosen.left_out, 'more scalar')} {verb} not shown; `Fit.summary()` has all."
    return tag("p", prose(words), class_="lf-note")


def summary(fit: Fit, chosen: Choice) -> Html:
    """A row of numbers for every chosen scalar."""
    chains = len(fit.used[0])
    return table(COLUMNS, (_row(fit, name, chosen, chains) for name in chosen.draws))


def _row(fit: Fit, name: str, chosen: Choice, chains: int) -> list[object]:
    row, draws = fit.statistics[name], chosen.draws[name]
    few = FEWEST_PER_CHAIN * chains
    return [
        name,
        *numbers(row),
        _watched(count(row["ess_bulk"]), row["ess_bulk"] < few),
        _watched(count(row["ess_tail"]), row["ess_tail"] < few),
        _watched(number(row["r_hat"], 3), row["r_hat"] > HIGHEST_R_HAT),
        spark.histogram(draws.ravel()),
        spark.traces(draws),
    ]


def _watched(cell: str, is_bad: bool) -> object:
    return tag("span", cell, class_="lf-rough") if is_bad else cell


def numbers(row: Mapping[str, float]) -> list[str]:
    """Location and spread, all with as many decimals as the spread calls for.

    >>> numbers({"mean": 3.14159, "sd": 0.1234, "q5": 2.9, "q50": 3.1, "q95": 3.4})
    ['3.142', '0.123', '2.900', '3.100', '3.400']
    """
    scale = row["sd"] if row["sd"] > 0 else abs(row["mean"])
    if not math.isfinite(scale) or scale == 0.0:
        decimals = 0 if scale == 0.0 else 3
    else:
        decimals = 2 - math.floor(math.log10(scale))
    return [number(row[column], decimals) for column in SAME_DECIMALS]


def number(value: float, decimals: int) -> str:
    """A number for people: a true minus, thousands apart, powers of ten where zeros would be many.

    >>> number(-1234.5, 1), number(1.5e-9, 11), number(-0.001, 2), number(float("nan"), 2)
    ('−1,234.5', '1.50e−9', '0.00', '–')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if decimals > 6 or abs(value) >= 1e9:
        mantissa, exponent = f"{value:.2e}".split("e")
        return f"{mantissa}e{int(exponent)}".replace("-", "−")
    return f"{value:z,.{max(decimals, 0)}f}".replace("-", "−")


def count(value: float) -> str:
    """An effective sample size.

    >>> count(1234.5), count(float("nan"))
    ('1,234', '–')
    """
    return "–" if math.isnan(value) else f"{value:,.0f}"
