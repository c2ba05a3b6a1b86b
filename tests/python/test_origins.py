"""Functions from files, notebook cells, prompts, lambdas, partials, classes; sent elsewhere."""

from __future__ import annotations

import functools
import linecache
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lfppl
from lfppl import observe, sample
from lfppl.distributions import normal

CELL = """\
import numpy as np
import lfppl
from lfppl import observe, sample
from lfppl.distributions import bernoulli, normal

SCALES = np.array([1.0, 2.0, 4.0])
prior = {"sd": 3.0}

def spread(x, factor=2.0):
    return factor * x + SCALES.sum()

@lfppl.model
def flips(y, sd=1.5):
    x = sample(normal(0, prior["sd"]))
    on = sample(bernoulli(0.3))
    observe(normal(spread(x) + on, sd), y)
"""
POINT = {"x": 0.5, "on": 1.0}
DATA = [1.0, -2.0]


def in_cell(text: str, name: str = "<ipython-input-7-5d1e>") -> dict[str, Any]:
    """Run a text as notebooks do: its lines can be looked up, but no file holds them."""
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {}
    exec(compile(text, name, "exec"), names)  # noqa: S102
    return names


def refusal(make: Callable[[], Any]) -> str:
    with pytest.raises(lfppl.ModelError) as caught:
        make()
    return str(caught.value)


# --- notebooks and processes ---------------------------------------------------------------------


def test_a_model_of_a_notebook_cell_is_translated_and_shows_the_cell() -> None:
    model = in_cell(CELL)["flips"](DATA)
    assert model.sampled == {"x": (), "on": ()}
    assert model.text.name == "<cell>"
    assert "<cell>:15:10" in model.explain()
    assert "on = sample(bernoulli(0.3))" in model.explain()


def test_the_source_is_that_of_the_cell_even_when_it_is_run_again() -> None:
    first = in_cell(CELL, "<ipython-input-1>")["flips"]
    second = in_cell("# changed\n" + CELL.replace("0.3", "0.6"), "<ipython-input-2>")["flips"]
    assert first(DATA).log_density(POINT) != second(DATA).log_density(POINT)
    assert "<cell>:16:10" in second(DATA).explain()


@pytest.mark.parametrize("sent", ["function", "model"])
def test_a_model_of_a_notebook_cell_works_in_another_process(sent: str, tmp_path: Path) -> None:
    function = in_cell(CELL)["flips"]
    model = function(DATA)
    path = tmp_path / "sent"
    path.write_bytes(pickle.dumps(function if sent == "function" else model))
    call = f"({DATA})" if sent == "function" else ""
    program = (
        f"import pickle; model = pickle.load(open({str(path)!r}, 'rb')){call};"
        f"print(repr(model.log_density({POINT})), model.identity, model.explain().count('<cell>'))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True
    )
    value, identity, places = done.stdout.split()
    assert float(value) == model.log_density(POINT)
    assert identity == model.identity
    assert int(places) == model.explain().count("<cell>") > 0


def test_what_a_function_uses_travels_with_it_and_nothing_else() -> None:
    names = in_cell(CELL + "\nunused = object()\nother = lambda: 1\n")
    sent = pickle.loads(pickle.dumps(names["flips"]))  # noqa: S301
    used = ["bernoulli", "lfppl", "normal", "observe", "prior", "sample", "spread"]
    assert sorted(sent.definition.names) == used


# --- functions without source --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("filename", "why"), [("<stdin>", "typed at the prompt"), ("<string>", "by `exec`")]
)
def test_without_source_it_is_said_why(filename: str, why: str) -> None:
    names: dict[str, Any] = {}
    exec(compile("def m(y):\n    return 1\n", filename, "exec"), names)  # noqa: S102
    message = refusal(lambda: lfppl.model(names["m"]))
    assert "the source of `m`" in message
    assert why in message
    assert "write it in a file or in a notebook cell" in message


def test_a_file_that_is_no_python_any_more_still_has_the_function(tmp_path: Path) -> None:
    path = tmp_path / "half.py"
    text = "import lfppl\nfrom lfppl.distributions import normal\n\n\ndef m(y):\n"
    text += "    x = lfppl.sample(normal(y, 1))\n    return x\n"
    path.write_text(text)
    names: dict[str, Any] = {}
    exec(compile(text, str(path), "exec"), names)  # noqa: S102
    path.write_text(text + "\n\ndef half(\n")
    linecache.checkcache(str(path))
    assert lfppl.model(names["m"])(1.0).sampled == {"x": ()}


# --- kinds of functions --------------------------------------------------------------------------


def line(x, y, sd=1.0, *, level=0.0):
    slope = sample(normal(level, 1))
    observe(normal(slope * np.asarray(x), sd), y)
    return slope


def test_a_lambda_is_a_model() -> None:
    model = lfppl.model(lambda y: sample(normal(y, 2), name="x"))(3.0)
    assert model.log_density({"x": 3.0}) == pytest.approx(-np.log(2 * np.sqrt(2 * np.pi)))


def test_lambdas_of_one_line_are_told_apart() -> None:
    one, two = (
        (lambda y: sample(normal(y, 1), name="a")),
        (lambda y: sample(normal(y, 1), name="b")),
    )
    assert list(lfppl.model(one)(1.0).sampled) == ["a"]
    assert list(lfppl.model(two)(1.0).sampled) == ["b"]


def test_a_partial_is_the_function_with_fewer_parameters() -> None:
    x, y = [1.0, 2.0], [0.5, 3.0]
    whole = lfppl.model(line)(x, y, 2.0, level=1.0)
    for part in (functools.partial(line, x, sd=2.0), functools.partial(line, x, level=1.0)):
        given = {"sd": 2.0, "level": 1.0}
        rest = {name: given[name] for name in given if name not in part.keywords}
        assert lfppl.model(part)(y, **rest).identity == whole.identity


def test_a_partial_can_be_called_in_a_model() -> None:
    wide = functools.partial(line, sd=2.0)
    inner = lfppl.model(functools.partial(line, level=1.0))

    @lfppl.model
    def both(x, y):
        return wide(x, y)

    @lfppl.model
    def nested(x, y):
        return inner(x, y, 2.0)

    x, y = [1.0, 2.0], [0.5, 3.0]
    point = {"slope": 0.3}
    assert both(x, y).log_density(point) == lfppl.model(line)(x, y, 2.0).log_density(point)
    expected = lfppl.model(line)(x, y, 2.0, level=1.0).log_density(point)
    assert nested(x, y).log_density(point) == expected


def test_decorating_twice_changes_nothing() -> None:
    once = lfppl.model(line)
    assert lfppl.model(once) is once


def shouting(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def loud(*arguments: Any) -> Any:
        return function(*arguments)

    return loud


class Holder:
    sd = 2.0

    @lfppl.model
    def method(self, y):
        return sample(normal(y, self.sd))

    @staticmethod
    @lfppl.model
    def static(y):
        return sample(normal(y, 1), name="x")

    def bound(self, y):
        return sample(normal(y, self.sd))


async def waiting(y):
    return y


def counting(y):
    yield y


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: lfppl.model(shouting(line)), "`line` has another decorator below `@lfppl.model`"),
        (lambda: Holder().method, "the method `method` cannot be a model"),
        (lambda: lfppl.model(Holder().bound), "the method `bound` cannot be a model"),
        (lambda: lfppl.model(waiting), "the coroutine `waiting` cannot be a model"),
        (lambda: lfppl.model(counting), "the generator `counting` cannot be a model"),
        (lambda: lfppl.model(Holder), "must be a plain Python function, and `Holder` is of type"),
        (lambda: lfppl.model(len), "must be a plain Python function, and `len` is of type"),
        (lambda: lfppl.model(np.exp), "must be a plain Python function, and `exp` is of type"),
        (lambda: lfppl.model(3), "must be a plain Python function, and `3` is of type int"),
        (lambda: lfppl.model(line)(1, 2, 3, 4), "takes 0 to 3 arguments, not 4"),
        (lambda: lfppl.model(line)(1), "`line` needs a value for `y`"),
        (lambda: lfppl.model(line)(1, 2, sdd=1), "did you mean `sd`?"),
        (lambda: lfppl.model(lambda *y: 1)(1), "takes any number of arguments"),
    ],
)
def test_what_cannot_be_a_model_is_refused(make: Callable[[], Any], says: str) -> None:
    assert says in refusal(make)


def test_a_static_method_is_a_model() -> None:
    assert Holder.static(1.0).sampled == Holder().static(1.0).sampled == {"x": ()}
