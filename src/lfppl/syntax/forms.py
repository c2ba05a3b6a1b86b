"""Forms: what the reader makes of a text, before special forms have a meaning."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from lfppl.source import NOWHERE, Span
from lfppl.syntax.surface import Name, Nil, Number, Text, Truth


@dataclass(frozen=True, slots=True)
class ListForm:
    """`(a b c)`."""

    items: tuple[Form, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class VectorForm:
    """`[a b c]`."""

    items: tuple[Form, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Atom: TypeAlias = Number | Text | Truth | Nil | Name
Form: TypeAlias = Atom | ListForm | VectorForm


def described(form: Form) -> str:
    """What a form is, for a message.

    >>> described(Number(3.0))
    'a number'
    """
    match form:
        case Number():
            return "a number"
        case Text():
            return "a string"
        case Truth(value):
            return f"`{'true' if value else 'false'}`"
        case Nil():
            return "`nil`"
        case Name(id):
            return f"`{id}`"
        case VectorForm():
            return "a vector"
        case ListForm():
            return "a list"
