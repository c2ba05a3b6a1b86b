"""Where a Python function is written: its source, its tree, and the names it sees."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import os
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

import lfppl.errors.python as errors
from lfppl.source import Source, Span

FunctionNode: TypeAlias = ast.FunctionDef | ast.Lambda


@lru_cache(maxsize=32)
def parsed(text: str) -> ast.Module | None:
    """The tree of a text, or None if it is no Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


class Places:
    """Spans of a source's nodes; columns of Python's trees count bytes."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._ascii = source.text.isascii()

    def offset(self, line: int, column: int) -> int:
        """The offset of a line, counted from one, and a column in bytes."""
        start = self.source.line_starts[line - 1]
        if self._ascii:
            return start + column
        text = self.source.line(line).encode()[:column]
        return start + len(text.decode(errors="ignore"))

    def span(self, node: Any) -> Span:
        """The span of a node."""
        start = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Span(self.source, start, end)


class Definition:
    """A function whose source is there: a tree, a text, and what its free names mean.

    It can be sent to another process: the text travels along with the values it uses.
    """

    def __init__(
        self, name: str, source: Source, place: tuple[int, int], names: Mapping[str, Any]
    ) -> None:
        self.name = name
        self.source = source
        self.place = place
        self.names = names

    @cached_property
    def places(self) -> Places:
        """Spans of its nodes."""
        return Places(self.source)

    @cached_property
    def node(self) -> FunctionNode:
        """The tree of the function."""
        tree = parsed(self.source.text)
        nodes = _functions(tree) if tree else iter(())
        return next(node for node in nodes if (node.lineno, node.col_offset) == self.place)

    @property
    def parameters(self) -> list[str]:
        """The names of what may be given by position."""
        spec = self.node.args
        return [each.arg for each in (*spec.posonlyargs, *spec.args)]

    @property
    def span(self) -> Span:
        """Where the function begins."""
        span = self.places.span(self.node)
        return Span(self.source, span.start, span.start + len("lambda"[: 3 + 3 * self._is_lambda]))

    @property
    def _is_lambda(self) -> bool:
        return isinstance(self.node, ast.Lambda)

    def __getstate__(self) -> dict[str, Any]:
        names = {name: portable(self.names[name]) for name in self._free() if name in self.names}
        return {"name": self.name, "source": self.source, "place": self.place, "names": names}

    def _free(self) -> Iterator[str]:
        seen = {node.id for node in ast.walk(self.node) if isinstance(node, ast.Name)}
        yield from sorted(seen)


class LiveNames(Mapping[str, Any]):
    """What the free names of a function mean now: closure, then module, then builtins."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function

    def __getitem__(self, name: str) -> Any:
        function = self._function
        if name in function.__code__.co_freevars:
            cell = (function.__closure__ or ())[function.__code__.co_freevars.index(name)]
            try:
                return cell.cell_contents
            except ValueError:
                raise KeyError(name) from None
        if name in function.__globals__:
            return function.__globals__[name]
        return vars(builtins)[name]

    def __iter__(self) -> Iterator[str]:
        yield from {*self._function.__code__.co_freevars, *self._function.__globals__}

    def __len__(self) -> int:
        return len(set(self))

    def __contains__(self, name: object) -> bool:
        try:
            self[str(name)]
        except KeyError:
            return False
        return True


class PortableModule:
    """A module by its name, as it travels."""

    def __init__(self, name: str) -> None:
        self.name = name


class Unportable:
    """Something a model names but that cannot travel to another process."""

    def __init__(self, what: str) -> None:
        self.what = what


def portable(value: Any) -> Any:
    """A captured value as it travels: functions as their definitions, modules by name."""
    if isinstance(value, ModuleType):
        return PortableModule(value.__name__)
    wrapped = getattr(value, "definition", None)
    if isinstance(wrapped, Definition):
        return wrapped
    if isinstance(value, FunctionType) and _travels_by_source(value):
        return definition_of(value)
    if isinstance(value, FunctionType | type) and "<locals>" in value.__qualname__:
        return Unportable(repr(value))
    return value


def _travels_by_source(function: FunctionType) -> bool:
    root = str(function.__module__).split(".")[0]
    return root not in ("lfppl", "numpy", "scipy", "math", "builtins")


def definition_of(function: Callable[..., Any]) -> Definition:
    """The definition of a live function, from the file or cell it was written in."""
    name = getattr(function, "__name__", repr(function))
    if not isinstance(function, FunctionType):
        raise errors.not_a_function(name, type(function).__name__)
    code = function.__code__
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    tree = parsed(text) if text else None
    source = Source(_shown(code.co_filename), text)
    found = _found(tree, function) if tree else []
    if len(found) > 1:
        raise errors.several_functions(Places(source).span(found[0]), name)
    if not found:
        return _dedented(function, name)
    node = found[0]
    return Definition(name, source, (node.lineno, node.col_offset), LiveNames(function))


def place_of(function: Callable[..., Any]) -> Span | None:
    """Where any function begins, decorators included; None where its source is not there."""
    code = inspect.unwrap(getattr(function, "__func__", function)).__code__
    text = "".join(linecache.getlines(code.co_filename))
    source = Source(_shown(code.co_filename), text)
    if not 0 < code.co_firstlineno <= len(source.line_starts):
        return None
    start = source.line_starts[code.co_firstlineno - 1]
    return Span(source, start, start + 1)


def _shown(filename: str) -> str:
    """A file's name for messages: relative where it lies below the current folder."""
    if filename.startswith("<") or "ipykernel" in filename:
        return "<cell>" if "ipy" in filename else filename
    relative = os.path.relpath(filename)
    return filename if relative.startswith("..") else relative


def _dedented(function: FunctionType, name: str) -> Definition:
    """A function of a text that is no Python as a whole: its own lines only."""
    try:
        lines, _ = inspect.getsourcelines(function)
    except (OSError, TypeError, IndexError, SyntaxError):
        raise errors.no_source(name, function.__code__.co_filename) from None
    source = Source(_shown(function.__code__.co_filename), textwrap.dedent("".join(lines)))
    tree = parsed(source.text)
    found = list(_functions(tree)) if tree else []
    if len(found) != 1 or _name(found[0]) != function.__code__.co_name:
        raise errors.no_source(name, function.__code__.co_filename)
    return Definition(name, source, (found[0].lineno, found[0].col_offset), LiveNames(function))


def _found(tree: ast.Module, function: FunctionType) -> list[FunctionNode]:
    """The functions of a tree that a code object may be made of: one, except for lambdas."""
    code = function.__code__
    found = [
        node
        for node in _functions(tree)
        if _name(node) == code.co_name
        and _first_line(node) == code.co_firstlineno
        and _parameters(node) == code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    ]
    return found if len(found) < 2 else [node for node in found if _is_body_of(node, code)]


def _is_body_of(node: FunctionNode, code: CodeType) -> bool:
    """Whether the body of a lambda stands where instructions of a code object come from."""
    if not isinstance(node, ast.Lambda):
        return True
    body = node.body
    place = (body.lineno, body.end_lineno, body.col_offset, body.end_col_offset)
    return place in set(code.co_positions())


def _functions(tree: ast.AST) -> Iterator[FunctionNode]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            yield node


def _name(node: FunctionNode) -> str:
    return node.name if isinstance(node, ast.FunctionDef) else "<lambda>"


def _first_line(node: FunctionNode) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def _parameters(node: FunctionNode) -> tuple[str, ...]:
    arguments = node.args
    return tuple(
        each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    )
