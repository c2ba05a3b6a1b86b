"""The surface program: what a person wrote, as a tree whose every node has a span.

Both front ends (text and Python functions) and the JSON form produce these nodes; `core.desugar`
turns them into Core. Only forms that bind names or need their own shape have a node; every other
form (`do`, `when`, `cond`, `->`, `map`, `+`, a distribution, ...) is a `Call` of its name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from lfppl.source import NOWHERE, Span


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number:
    """A number: `1`, `-2.5e3`, `1/3`, `0x1F`, `##Inf`."""

    value: float
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Text:
    """A string, which only names and messages may be."""

    value: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    value: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Nil:
    """`nil`: no value."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Name:
    """A symbol: a bound name, a datum, a function or an operation."""

    id: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class VectorLiteral:
    """`[a b c]` where a value is expected."""

    items: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class VectorPattern:
    """`[a [b c] & rest]` where a name is bound: destructuring by position."""

    items: tuple[Pattern, ...]
    rest: Name | None = None
    span: Span = _span()


Pattern: TypeAlias = Name | VectorPattern


@dataclass(frozen=True, slots=True)
class Binding:
    """One `pattern value` pair of a `let`, `for` or `doseq`."""

    pattern: Pattern
    value: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Let:
    """`(let [p e ...] body ...)`."""

    bindings: tuple[Binding, ...]
    body: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class If:
    """`(if test then otherwise)`; a missing `otherwise` is None."""

    test: Expression
    then: Expression
    otherwise: Expression | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Function:
    """`(fn name? [p ...] body ...)`."""

    parameters: tuple[Pattern, ...]
    body: tuple[Expression, ...]
    name: str | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Define:
    """`(def name value)`; `(defn name [p ...] body ...)` is a Define of a Function."""

    name: Name
    value: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class For:
    """`(for [p e ...] body ...)`: the last binding varies fastest; `doseq` does not collect."""

    bindings: tuple[Binding, ...]
    body: tuple[Expression, ...]
    collect: bool = True
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Loop:
    """`(loop count initial step extra ...)`: `(step i accumulator extra ...)` done count times."""

    count: Expression
    initial: Expression
    step: Expression
    extra: tuple[Expression, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Sample:
    """`(sample distribution)`, by an explicit name if the front end has one.

    `indices`, which only the Python front end gives, make it an element of the array of that name.
    """

    distribution: Expression
    name: str | None = None
    span: Span = _span()
    indices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Observe:
    """`(observe distribution value)`."""

    distribution: Expression
    value: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Call:
    """`(function argument ...)`: sugar, an operation, a distribution or a function of the user."""

    function: Expression
    arguments: tuple[Expression, ...]
    span: Span = _span()


Expression: TypeAlias = (
    Number
    | Text
    | Truth
    | Nil
    | Name
    | VectorLiteral
    | Let
    | If
    | Function
    | Define
    | For
    | Loop
    | Sample
    | Observe
    | Call
)


@dataclass(frozen=True, slots=True)
class Program:
    """The top-level expressions of a model; the value of the last is what it returns."""

    expressions: tuple[Expression, ...]
    span: Span = _span()
