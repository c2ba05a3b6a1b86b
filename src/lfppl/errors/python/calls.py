"""Mistakes in calls, functions, captured objects and sources of Python models."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from lfppl.errors.base import ModelError
from lfppl.source import Span


def outside_model(name: str) -> ModelError:
    """`sample` and the like where no model is being translated."""
    return ModelError(
        "outside-model",
        f"`{name}` was called outside a model",
        help="call it in a function under `@lfppl.model`; the function is translated, not run",
    )


def not_a_function(name: str, kind: str) -> ModelError:
    """`@lfppl.model` on a class or object."""
    return ModelError(
        "not-a-function",
        f"a model must be a plain Python function, and `{name}` is of type {kind}",
        help="write `def name(data): ...` and put `@lfppl.model` above it",
    )


_WITHOUT_SOURCE = {"<stdin>": "typed at the prompt", "<string>": "made of a text by `exec`"}


def several_functions(span: Span, name: str) -> ModelError:
    """Two lambdas that look alike, on one line."""
    return ModelError(
        "no-source",
        f"which `{name}` of this line is meant cannot be told",
        span,
        "several functions begin on this line",
        "write each in a line of its own, or with `def`",
    )


def wrapped_function(name: str, span: Span | None) -> ModelError:
    """A decorator between `@lfppl.model` and the function."""
    return ModelError(
        "not-a-function",
        f"`{name}` has another decorator below `@lfppl.model`",
        span,
        "what the decorator does cannot be translated",
        "put `@lfppl.model` right above `def`, or remove the other decorator",
    )


def no_source(name: str, filename: str) -> ModelError:
    """A function whose text cannot be found."""
    shown = _WITHOUT_SOURCE.get(filename, f"in {filename}")
    return ModelError(
        "no-source",
        f"the source of `{name}` ({shown}) cannot be found",
        help="a model is translated from its source: write it in a file or in a notebook cell",
    )


_SPECIAL = {
    "coroutine": ("it is `async`", "write `def`, and wait for the data outside the model"),
    "generator": ("it has a `yield`", "return the value, or append it to a list"),
    "method": ("it belongs to an object", "write a function, and pass what it reads as parameters"),
}


def changed_model(name: str, kind: str, span: Span | None) -> ModelError:
    """A coroutine, generator or method as a model."""
    why, advice = _SPECIAL[kind]
    return ModelError("not-a-function", f"the {kind} `{name}` cannot be a model", span, why, advice)


_REFUSED = (
    ("random", "random numbers", "draw with sample(...), or make the numbers before the model"),
    ("numpy.random", "random numbers", "draw with sample(...), or pass the numbers in as data"),
    ("builtins.print", "input and output", "call it outside the model; the model returns values"),
    ("builtins.open", "input and output", "read the data before, and pass them in"),
    ("builtins.input", "input and output", "read the data before, and pass them in"),
    ("builtins.eval", "running text", "write the expression itself"),
    ("builtins.exec", "running text", "write the statements themselves"),
    ("numpy.load", "input and output", "read the data before, and pass them in"),
    ("numpy.loadtxt", "input and output", "read the data before, and pass them in"),
    ("numpy.save", "input and output", "save results outside the model"),
    ("builtins.map", "`map`", "write a comprehension: [f(x) for x in xs]"),
    ("builtins.filter", "`filter`", "write a comprehension: [x for x in xs if test]"),
    ("builtins.isinstance", "a test of types", "check the data before the model"),
    ("builtins.getattr", "an attribute chosen by its name", "write x.name"),
    ("_functools.reduce", "`reduce`", "write a loop"),
    ("itertools", "iterators", "write loops, one inside the other"),
    ("time", "the clock", "pass times in as data"),
    ("os", "the system", "read the data before, and pass them in"),
    ("scipy.stats", "SciPy's distributions", "use those of lfppl.distributions"),
)


def refused_call(span: Span, written: str, name: str) -> ModelError:
    """A call of something that models have not."""
    for prefix, what, advice in _REFUSED:
        if name == prefix or name.startswith(f"{prefix}."):
            return ModelError(
                "unsupported-call",
                f"`{written}` cannot be called in a model",
                span,
                f"{what} cannot be translated",
                advice,
            )
    return ModelError(
        "unsupported-call",
        f"`{written}` cannot be called in a model",
        span,
        "no function of the language, nor one whose Python source is there",
        "call it before the model and pass the result in, or write it out",
    )


def not_callable(span: Span, what: str) -> ModelError:
    """`x(1)` of a number."""
    return ModelError(
        "not-callable", f"{what} cannot be called", span, f"this is {what}", "multiply with *"
    )


def no_such_function(span: Span, written: str, name: str, known: Sequence[str]) -> ModelError:
    """`np.expp`."""
    near = get_close_matches(name, [each for each in known if not each.startswith("_")], 1)
    prefix = written.removesuffix(name)
    return ModelError(
        "unknown-name",
        f"there is no `{written}`",
        span,
        "not in this module",
        f"did you mean `{prefix}{near[0]}`?" if near else "check the spelling",
    )


_ORDER = "for ordered variables, add positive steps: first + np.cumsum(gaps)"
_OF_SAMPLED = {
    "np.sort": _ORDER,
    "sorted": _ORDER,
    "np.linalg.inv": "write the model with the inverse (a precision) instead",
    "np.linalg.cholesky": "sample the factor itself, row by row",
}
"""What to do instead with sampled values."""


def only_of_data(span: Span, name: str) -> ModelError:
    """A function that works on what is known only."""
    return ModelError(
        "only-of-data",
        f"`{name}` can be applied to data only",
        span,
        "an argument depends on a sampled variable or the index of a loop",
        _OF_SAMPLED.get(name, "compute it before the model, or write it with other functions"),
    )


def recursive(span: Span, name: str) -> ModelError:
    """A function that calls itself."""
    return ModelError(
        "recursion",
        f"`{name}` calls itself, and would never end",
        span,
        "calls go inline, one into the other",
        "write a loop",
    )


def calls_too_deep(span: Span, most: int) -> ModelError:
    """Calls nested too deep."""
    return ModelError(
        "calls-too-deep",
        f"calls are nested more than {most} deep",
        span,
        "the innermost call",
        "write a loop",
    )


def variable_arguments(span: Span, name: str) -> ModelError:
    """`def f(*args)`."""
    return ModelError(
        "variable-arguments",
        f"`{name}` takes any number of arguments, which cannot be translated",
        span,
        "because of `*` or `**` among its parameters",
        "name all parameters",
    )


def missing_argument(span: Span, name: str, parameter: str) -> ModelError:
    """An argument that has no default."""
    return ModelError(
        "missing-argument",
        f"`{name}` needs a value for `{parameter}`",
        span,
        f"`{parameter}` is missing",
        f"add {parameter}=...",
    )


def wrong_argument_count(
    span: Span, name: str, given: int, least: int, most: int | None, usage: str = ""
) -> ModelError:
    """Too few or too many arguments."""
    if most is None:
        wanted = f"at least {least}"
    else:
        wanted = str(least) if least == most else f"{least} to {most}"
    plural = "" if wanted == "1" else "s"
    return ModelError(
        "wrong-argument-count",
        f"`{name}` takes {wanted} argument{plural}, not {given}",
        span,
        f"{given} given",
        f"write {usage}" if usage else "check the call",
    )


_SYNONYMS = {
    "size": ("shape",),
    "loc": ("mean", "location"),
    "mu": ("mean", "location"),
    "scale": ("sd", "scale"),
    "sigma": ("sd", "scale"),
    "std": ("sd", "scale"),
    "stddev": ("sd", "scale"),
    "nu": ("df",),
    "lam": ("rate", "mean"),
    "cov": ("covariance",),
    "probs": ("p", "weights"),
    "n": ("trials",),
    "total_count": ("trials",),
}
"""What other systems call parameters."""


def unknown_keyword(span: Span, name: str, keyword: str, known: Sequence[str]) -> ModelError:
    """A keyword that is not there, or is given by position as well."""
    if keyword in known:
        return ModelError(
            "argument-twice",
            f"`{name}` is given `{keyword}` twice",
            span,
            "by position and by name",
            "remove one of them",
        )
    near = [n for n in _SYNONYMS.get(keyword, ()) if n in known]
    near = near or get_close_matches(keyword, known, 1)
    advice = f"did you mean `{near[0]}`?" if near else _keywords(known)
    return ModelError(
        "unknown-keyword",
        f"`{name}` takes no `{keyword}` here",
        span,
        f"`{keyword}` is unknown",
        advice,
    )


def _keywords(known: Sequence[str]) -> str:
    return f"it takes {', '.join(known)}" if known else "remove it"


def distribution_arguments(span: Span, name: str, names: Sequence[str], given: int) -> ModelError:
    """`normal(0)`."""
    plural = "" if len(names) == 1 else "s"
    return ModelError(
        "wrong-argument-count",
        f"`{name}` takes {len(names)} parameter{plural}, not {given}",
        span,
        f"{given} given",
        f"write {name}({', '.join(names)})",
    )


_ATTRIBUTES = {
    "sample": "write x = sample(distribution)",
    "rsample": "write x = sample(distribution)",
    "rvs": "write x = sample(distribution)",
    "observe": "write observe(distribution, value)",
    "log_prob": "write observe(distribution, value)",
    "logpdf": "write observe(distribution, value)",
    "logpmf": "write observe(distribution, value)",
    "sort": "sort the data before the model",
    "argsort": "sort the data before the model",
    "nunique": "write len(np.unique(x))",
    "unique": "write np.unique(x)",
    "itertuples": 'write for i in range(len(table)), and table["x"][i]',
    "iterrows": 'write for i in range(len(table)), and table["x"][i]',
    "groupby": "group the data before the model, and pass an array of group numbers",
    "apply": "compute the column before the model",
    "iloc": "take columns by name, and rows by [...]",
    "loc": "take columns by name, and rows by [...]",
}


def unsupported_attribute(span: Span, name: str, what: str) -> ModelError:
    """`x.foo`."""
    return ModelError(
        "unsupported-attribute",
        f"{what} has no `.{name}` in a model",
        span,
        f"on {what}",
        _ATTRIBUTES.get(name, "use a function, an operator or a loop"),
    )


def no_length(span: Span, what: str) -> ModelError:
    """`len(3)`."""
    return ModelError(
        "no-length", f"{what} has no length", span, f"this is {what}", "take the length of an array"
    )


def not_iterable(span: Span, what: str) -> ModelError:
    """`for i in 3`."""
    return ModelError(
        "not-iterable",
        f"a loop cannot go through {what}",
        span,
        f"this is {what}",
        "write range(n), or go through an array or a list",
    )


def expected_list(span: Span, name: str) -> ModelError:
    """`np.concatenate(x)`."""
    return ModelError(
        "expected-list",
        f"`{name}` takes a list of arrays of equal rank",
        span,
        "not such a list",
        f"write {name}([a, b])",
    )


def failed(span: Span, reason: str) -> ModelError:
    """A computation with data that Python refuses."""
    return ModelError(
        "failed", f"this cannot be computed: {reason}", span, "computed when compiling"
    )
