"""Mistakes in statements and control flow of models that are Python functions."""

from __future__ import annotations

from collections.abc import Iterable

from lfppl.errors.base import ModelError
from lfppl.errors.suggestions import suggestion
from lfppl.source import Span

_STATEMENTS = {
    "Try": ("`try`", "a model cannot catch errors: remove it, or check the data before the model"),
    "TryStar": ("`try`", "a model cannot catch errors: remove it, or check the data first"),
    "With": ("`with`", "open files and set contexts outside the model, and pass the data in"),
    "ClassDef": ("`class`", "use plain functions, and variables for the parts"),
    "Yield": ("`yield`", "return the value, or append it to a list"),
    "YieldFrom": ("`yield`", "return the value, or append it to a list"),
    "Await": ("`await`", "wait for the data outside the model, and pass them in"),
    "AsyncFunctionDef": ("`async def`", "write `def`"),
    "AsyncFor": ("`async for`", "write `for`"),
    "AsyncWith": ("`async with`", "load the data outside the model, and pass them in"),
    "Import": ("`import`", "import at the top of the file"),
    "ImportFrom": ("`import`", "import at the top of the file"),
    "Global": ("`global`", "return the value instead of assigning it outside"),
    "Nonlocal": ("`nonlocal`", "return the value instead of assigning it outside"),
    "Delete": ("`del`", "leave the variable alone; nothing needs to be freed"),
    "Match": ("`match`", "write `if`, `elif` and `else`"),
    "TypeAlias": ("`type`", "define types outside the model"),
}


def unsupported_statement(span: Span, kind: str) -> ModelError:
    """A statement that models do not have.

    >>> from lfppl.source import NOWHERE
    >>> unsupported_statement(NOWHERE, "Try").code
    'unsupported-statement'
    """
    what, advice = _STATEMENTS.get(kind, (f"`{kind.lower()}`", "write it in another way"))
    return ModelError(
        "unsupported-statement",
        f"{what} cannot be used in a model",
        span,
        "the model is translated, not run",
        advice,
    )


def loop_else(span: Span) -> ModelError:
    """`for ... else`."""
    return ModelError(
        "unsupported-statement",
        "a loop in a model has no `else`",
        span,
        "belongs to a loop",
        "write these statements behind the loop",
    )


def return_in_loop(span: Span) -> ModelError:
    """A `return` in a loop."""
    return ModelError(
        "return-in-loop",
        "`return` cannot leave a loop",
        span,
        "inside a loop",
        "assign the value to a variable, and return it behind the loop",
    )


def break_in_branch(span: Span) -> ModelError:
    """A `break` that a sampled variable decides."""
    return ModelError(
        "break-in-branch",
        "`break` cannot depend on a sampled variable",
        span,
        "whether this is reached is not known when compiling",
        "let the loop run to its end, and put the rest of its body under an `if`",
    )


def unbounded_while(span: Span, known: bool) -> ModelError:
    """A `while` whose end is not known."""
    label = "this depends on the index of a loop" if known else "this depends on a sampled variable"
    return ModelError(
        "unbounded-while",
        "the test of `while` must be known when compiling",
        span,
        label,
        "write `for i in range(...)` with a fixed bound, and put its body under an `if`",
    )


def too_many_rounds(span: Span, count: int, most: int) -> ModelError:
    """A loop that must be written out, with too many rounds."""
    return ModelError(
        "too-many-rounds",
        f"this loop would be written out {count:,} times; at most {most:,} are possible",
        span,
        "its rounds depend on each other, or differ",
        "write it with whole arrays, or so that no round needs what another computed",
    )


def endless_while(span: Span, most: int) -> ModelError:
    """A `while` that does not end."""
    return ModelError(
        "too-many-rounds",
        f"this `while` has not ended after {most:,} rounds",
        span,
        "still true",
        "write `for i in range(...)` with the number of rounds",
    )


def too_entangled(span: Span) -> ModelError:
    """A loop that no way of translating fits."""
    return ModelError(
        "unsupported-loop",
        "a loop of this function cannot be translated",
        span,
        "in this function",
        "fill one array or list per loop, and let every round write its own element",
    )


def count_unknown(span: Span, what: str) -> ModelError:
    """A count that must be known and is not."""
    return ModelError(
        "count-unknown",
        f"{what} must be known when compiling",
        span,
        "this is not known when compiling",
        "use a number, a length of data, or a parameter of the model",
    )


def latent_range(span: Span) -> ModelError:
    """`range` of a sampled variable."""
    return ModelError(
        "latent-range",
        "the bounds of `range` must be known when compiling",
        span,
        "this depends on a sampled variable",
        "loop up to a fixed bound, and put the body under `if i < n`",
    )


def range_step(span: Span) -> ModelError:
    """`range` with a step and bounds that an outer loop decides."""
    return ModelError(
        "latent-range",
        "`range` with a step needs fixed bounds",
        span,
        "the bounds depend on an outer loop",
        "count in steps of one, and multiply the index",
    )


def range_not_integers(span: Span) -> ModelError:
    """`range(2.5)`."""
    return ModelError(
        "range-not-integers",
        "`range` takes integers, and a step that is not 0",
        span,
        "not integers",
        "use `//` instead of `/`, or `int(...)`",
    )


def zip_lengths(span: Span, lengths: list[int]) -> ModelError:
    """`zip` of unequal lengths."""
    found = " and ".join(str(length) for length in lengths)
    return ModelError(
        "zip-lengths",
        f"`zip` goes through {found} elements at once",
        span,
        "the lengths differ",
        "make them equally long, or take a slice of the longer one",
    )


def filter_unknown(span: Span) -> ModelError:
    """A comprehension that leaves out elements by a sampled variable."""
    return ModelError(
        "latent-filter",
        "a comprehension can leave out elements by what is known only",
        span,
        "this is not known when compiling",
        "keep all elements, and choose between values: [x if test else 0 for ...]",
    )


def append_in_branch(span: Span, name: str) -> ModelError:
    """A list that grows in one branch only."""
    return ModelError(
        "append-in-branch",
        f"`{name}` would have a length that depends on this `if`",
        span,
        f"only one branch appends to `{name}`",
        "append in both branches, for example 0 in the other one",
    )


def branches_differ(span: Span, first: str, second: str) -> ModelError:
    """Branches with values of different kinds."""
    return ModelError(
        "branches-differ",
        f"the branches of an `if` must give the same kind of value, not {first} and {second}",
        span,
        f"one branch gives {first}, the other {second}",
        "let both branches give numbers, or arrays of equal shape",
    )


def array_as_test(span: Span) -> ModelError:
    """An array as the test of an `if`."""
    return ModelError(
        "array-as-test",
        "an array is neither true nor false",
        span,
        "this is an array",
        "choose element by element with np.where(test, a, b), or write a loop",
    )


def array_truth(span: Span, word: str) -> ModelError:
    """`and` of arrays."""
    symbol = {"and": "&", "or": "|"}[word]
    return ModelError(
        "array-as-test",
        f"`{word}` takes single tests, not arrays",
        span,
        "this is an array",
        f"write (a) {symbol} (b) for arrays",
    )


def assert_of_latent(span: Span, known: bool) -> ModelError:
    """`assert` of something sampled."""
    label = "this depends on the index of a loop" if known else "this depends on a sampled variable"
    return ModelError(
        "latent-assert",
        "`assert` can check data only",
        span,
        label,
        "to rule out values, write `if not test: factor(-math.inf)`",
    )


def assertion(span: Span, text: str) -> ModelError:
    """An assertion on the data that does not hold."""
    message = f": {text}" if text else ""
    return ModelError(
        "assertion",
        f"an assertion on the data does not hold{message}",
        span,
        "false for these data",
        "change the data, or the assertion",
    )


def raised(span: Span, text: str) -> ModelError:
    """A `raise` that is reached."""
    message = f": {text}" if text else ""
    return ModelError(
        "raised",
        f"the model raises an error{message}",
        span,
        "reached with these data",
        "change the data, or the test that leads here",
    )


def raise_of_latent(span: Span) -> ModelError:
    """A `raise` that a sampled variable decides."""
    return ModelError(
        "raise-in-branch",
        "`raise` cannot depend on a sampled variable",
        span,
        "whether this is reached is not known when compiling",
        "to rule out values, write factor(-math.inf)",
    )


def no_value_here(span: Span, name: str, why: str, origin: Span | None) -> ModelError:
    """A variable that has no value at this place."""
    place = f"it is assigned at line {origin.line}; " if origin is not None else ""
    return ModelError(
        "no-value-here",
        f"`{name}` {why}",
        span,
        "used here",
        f"{place}give `{name}` a value before",
    )


def unknown_name(span: Span, name: str, known: Iterable[str]) -> ModelError:
    """A name that nothing stands behind."""
    similar = suggestion(name, known)
    return ModelError(
        "unknown-name",
        f"`{name}` is not defined",
        span,
        "neither a variable, nor a parameter, nor defined outside",
        similar or "assign it, or pass it as a parameter of the model",
    )


def unpacked(span: Span, expected: int, found: int) -> ModelError:
    """`a, b = ...` of three values."""
    return ModelError(
        "unpacked",
        f"{expected} names cannot take {found} values",
        span,
        f"{expected} names here",
        "write one name for each value",
    )


def not_unpackable(span: Span, what: str) -> ModelError:
    """`a, b = 1`."""
    return ModelError(
        "unpacked",
        f"{what} cannot be taken apart",
        span,
        "several names here",
        "assign it to one name",
    )


def starred(span: Span) -> ModelError:
    """`*rest` where it cannot be."""
    return ModelError(
        "unsupported-star",
        "`*` can only spread a list or tuple written in the model",
        span,
        "this is another thing",
        "write the elements one by one, or take slices",
    )


def unsupported_target(span: Span, kind: str) -> ModelError:
    """An assignment to an attribute or the like."""
    return ModelError(
        "unsupported-target",
        "only variables and elements of arrays can be assigned",
        span,
        "this is an attribute" if kind == "Attribute" else "this cannot be assigned",
        "use a variable",
    )


def decorated(span: Span) -> ModelError:
    """A decorator on a function inside a model."""
    return ModelError(
        "unsupported-decorator",
        "a function inside a model cannot have a decorator",
        span,
        "a decorator",
        "remove it, or define the function outside the model",
    )


def nested_too_deep(span: Span) -> ModelError:
    """Expressions nested too deep."""
    return ModelError(
        "nested-too-deep",
        "this function is nested too deeply",
        span,
        "in this function",
        "assign parts of long expressions to variables",
    )


def too_large(span: Span, most: int) -> ModelError:
    """A translation that would not end."""
    return ModelError(
        "program-too-large",
        f"the model grows to more than {most:,} expressions",
        span,
        "reached here",
        "write loops with whole arrays, or so that no round needs what another computed",
    )
