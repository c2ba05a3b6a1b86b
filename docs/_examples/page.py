"""The page of a worked example: the model, what the compiler found, the posterior, the truth."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "tests")]

import numpy as np  # noqa: E402
from _examples.prose import PROSE  # noqa: E402

import lfppl  # noqa: E402
from docs.running import rewritten  # noqa: E402
from lfppl import gallery  # noqa: E402
from truth import TRUTHS, Comparison, Truth, compare  # noqa: E402

EXAMPLES = gallery.examples()
SEED = 7
COLUMNS = ("mean", "sd", "q5", "q50", "q95", "ess_bulk", "r_hat")
LABELS = ("mean", "sd", "5%", "50%", "95%", "effective draws", "R-hat")
MOST_ELEMENTS = 8
"""A vector with more elements than these, such as the labels of all points, is not in the table."""


@dataclass(frozen=True)
class Run:
    """An example, its data, what is known of it, and draws from it."""

    name: str
    data: Mapping[str, Any]
    truth: Truth
    fit: lfppl.results.fit.Fit  # type: ignore[name-defined]

    @property
    def comparisons(self) -> list[Comparison]:
        """The draws beside the truth."""
        return compare(self.truth, self.fit.draws)


def sampled(name: str) -> Run:
    """Draw from an example."""
    data = lfppl.load_data(EXAMPLES[name].files[2])
    truth = TRUTHS[name](data)
    settings = {"draws": truth.draws, "seed": SEED, "progress": False, **truth.settings}
    return Run(name, data, truth, EXAMPLES[name].model.sample(**settings))


def whole(run: Run) -> str:
    """All sections, with the output of the commands in them."""
    parts = [model_sections(run.name), found_section(run.name), _posterior(run), _checked(run)]
    return rewritten("\n".join(parts))


# --- what is the same for all draws --------------------------------------------------------------


def model_sections(name: str) -> str:
    """The heading, the model in both languages, and its data."""
    lisp, python, data = (file.read_text("utf-8") for file in EXAMPLES[name].files)
    summary, _, rest = (ast.get_docstring(ast.parse(python)) or "").partition("\n\n")
    about = " ".join(f"{summary} {rest}".split())
    return f"""# {PROSE[name].title}

{about}

## In Lisp

<!-- data: {data.strip()} -->
```lfppl
{lisp}```

## In Python

```python
{python}```

## Data

`examples/{name}.json` holds {_contents(json.loads(data))}. {PROSE[name].data}
"""


def _contents(data: Mapping[str, Any]) -> str:
    return ", ".join(f"`{key}`{_size(np.shape(value))}" for key, value in data.items())


def _size(shape: tuple[int, ...]) -> str:
    if not shape:
        return ""
    return f" ({shape[0]} numbers)" if len(shape) == 1 else f" ({shape[0]} × {shape[1]} numbers)"


def found_section(name: str) -> str:
    """The section on Γ, its command without the output."""
    return f"""## What the compiler found

```console
$ lfppl check examples/{name}.lfppl --data examples/{name}.json
```

{PROSE[name].found}
"""


def known_section(truth: Truth) -> str:
    """How the truth was found."""
    return f"## Against the truth\n\nThe exact means are known: {truth.how}.\n"


def index() -> str:
    """The list of all examples, with a hidden table of contents."""
    lines = [f"- [{PROSE[name].title}]({name}.md). {_line(name)}" for name in EXAMPLES]
    listed = "\n".join(EXAMPLES)
    return f"""# Worked examples

Each in Lisp and in Python, with data, what the compiler found, the posterior, and a comparison with
what is known exactly. `lfppl examples` lists them and copies them out (see [the command
line](../cli.md)); `make examples` draws again and writes these pages.

{chr(10).join(lines)}

```{{toctree}}
:hidden:

{listed}
```
"""


def _line(name: str) -> str:
    rough = EXAMPLES[name].model.discontinuous
    jumps = f"Jumps in {', '.join(f'`{each}`' for each in rough)}" if rough else "Jumps nowhere"
    return f"{EXAMPLES[name].summary} {jumps}."


# --- what depends on the draws -------------------------------------------------------------------


def _posterior(run: Run) -> str:
    about, chains = run.fit.about, len(run.fit.chains)
    seed = f"seed {about.seed}{_settings(run.truth)}"
    rows = _table(("", *LABELS), _rows(run))
    return f"""## The posterior

{chains} chains of {about.draws:,} draws by `{about.engine}`, {seed}; {date.today()}.

{rows}
{_warnings(run)}"""


def _settings(truth: Truth) -> str:
    return "".join(f", `{name}={value}`" for name, value in truth.settings.items())


def _rows(run: Run) -> Iterator[list[str]]:
    draws = run.fit.draws
    few = {name for name in draws if np.prod(draws[name].shape[2:]) <= MOST_ELEMENTS}
    for name, row in run.fit.statistics.items():
        if name.partition("[")[0] in few:
            yield [f"`{name}`", *(_number(column, row[column]) for column in COLUMNS)]


def _number(column: str, value: float) -> str:
    if not np.isfinite(value):
        return "–"
    return f"{value:,.0f}" if column.startswith("ess") else f"{value + 0.0:.4g}"


def _warnings(run: Run) -> str:
    if not run.fit.warnings:
        return ""
    listed = "\n".join(f"- {text}" for text in run.fit.warnings)
    return f"\nlfppl warns:\n\n{listed}\n"


def _checked(run: Run) -> str:
    header = ("posterior mean of", "exact", "of the draws", "standard error", "off by")
    rows = [
        [c.name, f"{c.exact:.5g}", f"{c.estimate:.5g}", f"{c.standard_error:.1g}", _off(c)]
        for c in run.comparisons
    ]
    return f"""{known_section(run.truth)}
{_table(header, rows)}

![{PROSE[run.name].title}]({run.name}.svg)

{PROSE[run.name].figure}
"""


def _off(comparison: Comparison) -> str:
    errors = abs(comparison.estimate - comparison.exact) / comparison.standard_error
    return f"{errors:.1f} standard errors"


def _table(header: tuple[str, ...], rows: Any) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
