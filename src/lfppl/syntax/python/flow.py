"""Which names statements read, assign and change, found without translating them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

MUTATORS = frozenset({"append", "extend", "insert", "pop", "remove", "sort", "reverse", "clear"})
"""Methods that change a list."""


@lru_cache(maxsize=100_000)
def reads(node: ast.AST) -> frozenset[str]:
    """Every name that is read somewhere in a tree; what is changed in place is read too.

    >>> sorted(reads(ast.parse("x[i] = y; z = 1")))
    ['i', 'x', 'y']
    """
    return frozenset(_reads(node))


def _reads(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
            yield each.id
        elif isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            yield each.target.id


def reads_of(statements: Iterable[ast.AST]) -> frozenset[str]:
    """Every name that is read somewhere in some statements."""
    return frozenset().union(*(reads(each) for each in statements))


def live_after(statements: Sequence[ast.stmt], live: frozenset[str]) -> list[frozenset[str]]:
    """For each statement, the names that are read behind it."""
    result = []
    for statement in reversed(statements):
        result.append(live)
        live = live | reads(statement)
    return result[::-1]


def assigned(statements: Iterable[ast.AST]) -> frozenset[str]:
    """Every name that is assigned or changed in place.

    >>> sorted(assigned(ast.parse("a = 1; b[0] = 2; c.append(3); d += 1").body))
    ['a', 'b', 'c', 'd']
    """
    return frozenset(name for each in statements for name in _assigned(each))


def _assigned(node: ast.AST) -> Iterator[str]:
    waiting: list[ast.AST] = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.FunctionDef):
            yield each.name
            continue
        if isinstance(each, ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.SetComp):
            continue
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif isinstance(each, ast.Subscript | ast.Attribute):
            yield from _changed(each)
        waiting.extend(ast.iter_child_nodes(each))


def changed_in_place(statements: Iterable[ast.AST]) -> frozenset[str]:
    """The variables whose elements are assigned, or that grow.

    >>> sorted(changed_in_place(ast.parse("a = 1; b[0] = 2; c.append(3)").body))
    ['b', 'c']
    """
    inside = (each for statement in statements for each in ast.walk(statement))
    places = (each for each in inside if isinstance(each, ast.Subscript | ast.Attribute))
    return frozenset(name for place in places for name in _changed(place))


def _changed(node: ast.Subscript | ast.Attribute) -> Iterator[str]:
    """The variable whose element is assigned, or whose mutating method is called."""
    is_stored = isinstance(node.ctx, ast.Store)
    if is_stored or (isinstance(node, ast.Attribute) and node.attr in MUTATORS):
        base: ast.AST = node
        while isinstance(base, ast.Subscript | ast.Attribute):
            base = base.value
        if isinstance(base, ast.Name):
            yield base.id


def stored(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """The local variables of a function: every name that its own statements bind.

    >>> sorted(stored(ast.parse("a, b = c; d[0] = 1; e = [f for f in a]").body))
    ['a', 'b', 'e']
    """
    names: set[str] = set()
    waiting: list[ast.AST] = list(statements)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            names.add(each.name)
            continue
        if isinstance(each, ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.SetComp):
            continue
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            names.add(each.id)
        waiting.extend(ast.iter_child_nodes(each))
    return frozenset(names)


def exposed(statements: Sequence[ast.stmt]) -> frozenset[str]:
    """The names that some statements may read before they assign them.

    >>> sorted(exposed(ast.parse("x = 1; y = x + z; y += 1").body))
    ['z']
    """
    return _exposed(statements, frozenset())[0]


def _exposed(
    statements: Sequence[ast.stmt], done: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    found: frozenset[str] = frozenset()
    for statement in statements:
        if isinstance(statement, ast.If):
            found |= reads(statement.test) - done
            first, one = _exposed(statement.body, done)
            second, other = _exposed(statement.orelse, done)
            found |= first | second
            done = one & other
        elif isinstance(statement, ast.For | ast.While):
            head = statement.iter if isinstance(statement, ast.For) else statement.test
            targets = _targets(statement.target) if isinstance(statement, ast.For) else frozenset()
            found |= reads(head) - done
            found |= _exposed(statement.body, done | targets)[0]
        else:
            found |= _visible(statement) - done
            done = done | _definite(statement)
    return found, done


def _visible(statement: ast.stmt) -> frozenset[str]:
    """Names read, without the variables of comprehensions."""
    inner = [
        node
        for node in ast.walk(statement)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp)
    ]
    own = frozenset(name for node in inner for each in node.generators for name in _targets(each))
    return reads(statement) - own


def _targets(node: ast.AST) -> frozenset[str]:
    return frozenset(
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    )


def _definite(statement: ast.stmt) -> frozenset[str]:
    if isinstance(statement, ast.FunctionDef):
        return frozenset({statement.name})
    if isinstance(statement, ast.Assign):
        return frozenset().union(*(_targets(target) for target in statement.targets))
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        return _targets(statement.target)
    return frozenset()


def leaves(statements: Iterable[ast.stmt], kind: type[ast.stmt]) -> bool:
    """Whether some statements hold a `return` (or `continue`, `break`) of their own.

    >>> leaves(ast.parse("if x:\\n    return 1").body, ast.Return)
    True
    """
    for statement in statements:
        if isinstance(statement, kind):
            return True
        if isinstance(statement, ast.If) and (
            leaves(statement.body, kind) or leaves(statement.orelse, kind)
        ):
            return True
        if isinstance(statement, ast.For | ast.While) and kind is ast.Return:
            is_left = leaves(statement.body, kind)
            if is_left:
                return True
    return False
