"""The tables of docs/benchmarks.md and of the README, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from peers.models import all_cases
from peers.record import Run
from peers.run import ROOT
from peers.summary import FACTORS, Row, kind_of, ratios, title

PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- begin: {} -->", "<!-- end: {} -->"


def figure(value: float | None, digits: int = 3) -> str:
    """A number with a few digits, thousands separated.

    >>> figure(123456.0), figure(0.01234), figure(None)
    ('123,000', '0.0123', '–')
    """
    if value is None:
        return "–"
    if value >= 10 ** (digits - 1):
        return f"{float(f'{value:.{digits}g}'):,.0f}"
    return f"{value:#.{digits}g}".rstrip(".")


def range_of(row: Row) -> str:
    if row.ess_per_s is None:
        return row.reason or "–"
    spread = f" ({figure(row.ess_per_s_least)}–{figure(row.ess_per_s_most)})"
    return figure(row.ess_per_s) + (spread if row.runs > 1 else "")


HEADINGS = (
    "model", "system", "ESS/s sampling", "ESS/s of all", "answer", "first answer, s", "compile, s",
    "warm-up, s", "sampling, s", "R̂", "error, sd", "draws", "runs",
)  # fmt: skip


def cells(row: Row) -> tuple[str, ...]:
    """A row as text, in the order of `HEADINGS`."""
    seconds = (row.answer_s, row.compile_s, row.warmup_s, row.sample_s)
    r_hat = "–" if row.r_hat is None else f"{row.r_hat:.3f}"
    numbers = (r_hat, figure(row.error, 2), "–" if row.draws is None else f"{row.draws:,}")
    rates = (range_of(row), figure(row.ess_per_s_of_all))
    times = (figure(value) for value in seconds)
    return (row.model, title(row), *rates, row.verdict, *times, *numbers, str(row.runs))


def markdown(headings: tuple[str, ...], lines: Sequence[tuple[str, ...]]) -> str:
    """A table of Markdown.

    >>> print(markdown(("a", "b"), [("1", "2")]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    body = [headings, tuple("---" for _ in headings), *lines]
    return "\n".join("|" + "|".join(f" {c} " if c != "---" else c for c in line) + "|"
                     for line in body)  # fmt: skip


def target_table(rows: list[Row]) -> str:
    """lfppl against the best of each kind, and whether the target of the project is met."""
    lines = []
    for name, case in all_cases().items():
        own = [row for row in rows if row.model == name and row.system == "lfppl"]
        for kind, (ratio, best) in ratios(rows, name, case.smooth).items():
            factor = FACTORS[kind]
            met = "yes" if ratio >= factor else "**no**"
            met += "" if own[0].verdict == "right" else f", but {own[0].verdict}"
            lines.append((name, kind, best, figure(ratio, 2), f"{factor:g}", met))
    return markdown(("model", "against the best", "which is", "ratio", "target", "met"), lines)


def first_answers(rows: list[Row]) -> str:
    """Seconds to a usable answer: lfppl, and the fastest other."""
    lines = []
    for name in all_cases():
        own = [row for row in rows if row.model == name and row.system == "lfppl"]
        others = [r for r in rows if r.model == name and r.system != "lfppl" and r.answer_s]
        if not own or not others:
            continue
        best = min(others, key=lambda row: row.answer_s or 0.0)
        mine = own[0].answer_s
        met = "yes" if mine is not None and mine <= (best.answer_s or 0.0) else "**no**"
        lines.append((name, figure(mine, 2), title(best), figure(best.answer_s, 2), met))
    return markdown(("model", "lfppl, s", "fastest other", "its s", "lfppl first"), lines)


def short_table(rows: list[Row]) -> str:
    """ESS per second of sampling: lfppl, the best as written, JAGS, the best by hand."""
    lines = []
    for name in all_cases():
        own = [row for row in rows if row.model == name and row.system == "lfppl"]
        if not own:
            continue
        doubt = "" if own[0].verdict == "right" else f" ({own[0].verdict} runs)"
        texts = [name, figure(own[0].ess_per_s, 2) + doubt]
        for kind in ("as written", "JAGS", "by hand"):
            found = [r for r in rows if r.model == name and r.system != "lfppl"]
            found = [r for r in found if kind_of(r, False) == kind and r.verdict == "right"]
            best = max(found, key=lambda row: row.ess_per_s or 0.0, default=None)
            name_of = "" if best is None or kind == "JAGS" else f" {title(best)}"
            texts.append("–" if best is None else figure(best.ess_per_s, 2) + name_of)
        lines.append(tuple(texts))
    return markdown(("model", "lfppl", "best as written", "JAGS", "best by hand"), lines)


def versions(runs: list[Run]) -> str:
    """All versions, the machine and the days, in a line."""
    found = {name: text for run in runs for name, text in run.versions.items()}
    listed = ", ".join(f"{name} {found[name]}" for name in sorted(found))
    days = sorted({run.date[:10] for run in runs if run.date})
    machines = sorted({run.machine for run in runs if run.machine})
    return f"{' and '.join(days)}, on {' and '.join(machines)}: {listed}."


def reasons() -> str:
    """What has no version, and why."""
    lines = []
    for name, case in all_cases().items():
        lines += [f"- {name}, {system}: {why}" for system, why in case.without.items()]
        notes = {v.note for v in case.versions.values() if v.note}
        lines += [f"- {name}, by hand: {note}" for note in sorted(notes)]
    return "\n".join(lines)


def replaced(text: str, name: str, table: str) -> str:
    """A page with the part between two marks written anew.

    >>> replaced("x <!-- begin: t -->old<!-- end: t --> y", "t", "new")
    'x <!-- begin: t -->\\n\\nnew\\n\\n<!-- end: t --> y'
    """
    begin, end = BEGIN.format(name), END.format(name)
    if begin not in text:
        return text
    before, _, rest = text.partition(begin)
    after = rest.partition(end)[2]
    return f"{before}{begin}\n\n{table}\n\n{end}{after}"


def write_pages(rows: list[Row], runs: list[Run]) -> None:
    """Put the tables into docs/benchmarks.md and the short one into the README."""
    everything = markdown(HEADINGS, [cells(row) for row in rows])
    tables = {
        "targets": target_table(rows),
        "first answers": first_answers(rows),
        "everything": everything,
        "versions": versions(runs),
        "reasons": reasons(),
        "short": short_table(rows),
    }
    for page in (PAGE, ROOT / "README.md"):
        text = page.read_text()
        for name, table in tables.items():
            text = replaced(text, name, table)
        page.write_text(text)
