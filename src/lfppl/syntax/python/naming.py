"""The last pass: readable names for binders, the first choice being those that hold samples."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from lfppl.syntax import surface
from lfppl.syntax.patterns import RESERVED
from lfppl.syntax.python.context import MARK


def children(node: Any) -> Iterator[Any]:
    """The nodes in a node, and its tuples."""
    for part in node.__slots__:
        if part != "span":
            value = getattr(node, part)
            if isinstance(value, tuple) or type(value).__module__ == surface.__name__:
                yield value


def names(tree: Any) -> Iterator[str]:
    """Every name that occurs, in the order of the program."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, surface.Name):
            yield node.id
        elif isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif type(node).__module__ == surface.__name__:
            waiting.extend(reversed(list(children(node))))


def rename(program: surface.Program, taken: Collection[str]) -> surface.Program:
    """The program with `x`, `x_2`, ... for the binders; data keep their names."""
    marked = dict.fromkeys(name for name in names(program) if MARK in name)
    holders = dict.fromkeys(_holders(program))
    used, last, renaming = {*taken, *RESERVED}, dict[str, int](), dict[str, str]()
    for name in (*holders, *marked):
        if name not in renaming:
            renaming[name] = _unique(name.split(MARK)[0], used, last)
            used.add(renaming[name])
    renamed = _Renamer(renaming).visit(program)
    assert isinstance(renamed, surface.Program)
    return renamed


def apart(
    program: surface.Program, data: Collection[str], variables: Collection[str]
) -> tuple[surface.Program, dict[str, str]]:
    """Other names for data that are called like a variable: variables keep theirs."""
    used = {*data, *variables, *RESERVED}
    other: dict[str, str] = {}
    for name in data:
        if name in variables:
            other[name] = _unique(f"{name}_data", used, {})
            used.add(other[name])
    renamed = _Renamer(other).visit(program)
    assert isinstance(renamed, surface.Program)
    return renamed, other


def _unique(name: str, used: Collection[str], last: dict[str, int]) -> str:
    if name not in used:
        return name
    number = last.get(name, 1) + 1
    while f"{name}_{number}" in used:
        number += 1
    last[name] = number
    return f"{name}_{number}"


def _holders(tree: Any) -> Iterator[str]:
    """The binders after which a variable is called."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, surface.Binding):
            is_holder = isinstance(node.pattern, surface.Name) and MARK in node.pattern.id
            if is_holder and _draws(node.value):
                assert isinstance(node.pattern, surface.Name)
                yield node.pattern.id
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif type(node).__module__ == surface.__name__:
            waiting.extend(reversed(list(children(node))))


def written_twice(program: surface.Program) -> surface.Sample | None:
    """A sample that stands at two places of a program: it would be two variables."""
    seen: set[int] = set()
    waiting: list[Any] = [program]
    while waiting:
        node = waiting.pop()
        if isinstance(node, surface.Sample):
            if id(node) in seen:
                return node
            seen.add(id(node))
        if isinstance(node, tuple):
            waiting.extend(node)
        elif type(node).__module__ == surface.__name__:
            waiting.extend(children(node))
    return None


def _draws(value: surface.Expression) -> bool:
    """Whether the elements of a value are samples that its binder names."""
    match value:
        case surface.Sample(name=name):
            return name is None
        case surface.For(body=(*_, last)):
            return _draws(last)
        case surface.Let(body=(*_, last)):
            return _draws(last)
        case surface.VectorLiteral(items=items):
            return any(_draws(item) for item in items)
    return False


class _Renamer:
    """Rebuilds the program with other names; what has none to change stays the same object."""

    def __init__(self, renaming: dict[str, str]) -> None:
        self._renaming = renaming

    def visit(self, node: Any) -> Any:
        if isinstance(node, surface.Name):
            new = self._renaming.get(node.id)
            return node if new is None else surface.Name(new, node.span)
        if isinstance(node, tuple):
            parts = [self.visit(each) for each in node]
            same = all(a is b for a, b in zip(parts, node, strict=True))
            return node if same else tuple(parts)
        if type(node).__module__ != surface.__name__:
            return node
        return self._rebuilt(node)

    def _rebuilt(self, node: Any) -> Any:
        values = {part: getattr(node, part) for part in node.__slots__}
        changed = {part: self.visit(value) for part, value in values.items() if part != "span"}
        if all(changed[part] is values[part] for part in changed):
            return node
        return type(node)(**changed, span=values["span"])
