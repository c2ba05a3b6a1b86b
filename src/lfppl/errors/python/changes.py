"""Mistakes with what is changed in place, and with tables and texts, in Python models."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from lfppl.errors.base import ModelError
from lfppl.source import Span

# --- what is changed -----------------------------------------------------------------------------


def captured_changed(span: Span, name: str) -> ModelError:
    """A change of data or of a variable from outside."""
    return ModelError(
        "data-changed",
        f"`{name}` comes from outside the model and cannot be changed",
        span,
        "data stay as they are",
        f"make an array of your own: {name}_new = np.zeros(n), or a list",
    )


def outer_changed(span: Span, name: str) -> ModelError:
    """A change of a variable of the function around."""
    return ModelError(
        "data-changed",
        f"`{name}` belongs to the function around this one and cannot be changed here",
        span,
        "changed in an inner function",
        "return the new value, and assign it in the outer function",
    )


def two_names(span: Span, name: str, other: str) -> ModelError:
    """A change of an array that has two names."""
    return ModelError(
        "two-names",
        f"`{name}` and `{other}` share an array: changing one would change the other",
        span,
        "changed here",
        f"change a copy: write {name} = {name}.copy() before",
    )


def tuple_changed(span: Span) -> ModelError:
    """`t[0] = 1` of a tuple."""
    return ModelError(
        "tuple-changed",
        "a tuple cannot be changed",
        span,
        "this is a tuple",
        "write it as a list: [a, b]",
    )


def list_method(span: Span, method: str) -> ModelError:
    """`xs.sort()` and the like."""
    return ModelError(
        "list-method",
        f"`.{method}()` cannot change a list in a model like this",
        span,
        "only .append(x) and .extend(xs) of a variable can",
        "make a new list",
    )


def mutation_as_value(span: Span, method: str) -> ModelError:
    """`y = xs.append(1)`."""
    return ModelError(
        "list-method",
        f"`.{method}()` gives no value",
        span,
        "used as a value",
        "write it as a statement of its own",
    )


def append_to_array(span: Span) -> ModelError:
    """`append` to an array."""
    return ModelError(
        "list-method",
        "only lists can be appended to",
        span,
        "this is no list of the model",
        "begin with xs = [], or use np.append(x, value)",
    )


# --- tables and texts ----------------------------------------------------------------------------


def column_unknown(span: Span) -> ModelError:
    """A key that is not known."""
    return ModelError(
        "column-unknown",
        "keys of dictionaries and tables must be known when compiling",
        span,
        "this is not known",
        'write the key itself, as in table["x"]',
    )


def no_such_column(span: Span, name: object, known: Sequence[object]) -> ModelError:
    """A key that is not there."""
    names = [str(each) for each in known]
    near = get_close_matches(str(name), names, 1)
    advice = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names) or 'none'}"
    return ModelError("no-such-column", f"there is no {name!r}", span, "unknown", advice)


def text_unknown(span: Span) -> ModelError:
    """A value in an f-string that is not known."""
    return ModelError(
        "text-unknown",
        "texts can hold what is known when compiling only",
        span,
        "this is not known",
        "use parameters of the model, or leave the name out: variables in loops get indices",
    )
