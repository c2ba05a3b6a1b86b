"""The surface program as JSON and back, for systems that target the language (docs/ast.md)."""

from __future__ import annotations

import json
from typing import Any

from lfppl.errors import json_form as mistakes
from lfppl.recursion import deep_recursion
from lfppl.source import NOWHERE, Source, Span
from lfppl.syntax.descent import Task, perform
from lfppl.syntax.json_kinds import KIND_OF, KINDS, MAX_DEPTH, VERSION, Key, number_to_json
from lfppl.syntax.json_reading import program_from_json
from lfppl.syntax.surface import Program

__all__ = ["program_from_json", "program_to_json", "read_json", "write_json"]


MAX_INDENTED = 200
"""Objects and arrays within one another; beyond, the blanks would outgrow the text."""

JSON_FRAMES = 4 * MAX_DEPTH
"""Python's own JSON functions recurse in C, two levels for each node within a node."""


def program_to_json(program: Program, places: bool = True) -> dict[str, Any]:
    """A program as a JSON object, with the spans of its nodes if it was read from a text.

    Without `places`, equal programs of different texts have equal objects.

    >>> from lfppl.syntax.surface import Number
    >>> program_to_json(Program((Number(1.0),)))
    {'kind': 'program', 'version': 1, 'expressions': [{'kind': 'number', 'value': 1.0}]}
    """
    source = program.span.source if places else NOWHERE.source
    header: dict[str, Any] = {"kind": "program", "version": VERSION}
    if source.text:
        header["source"] = {"name": source.name, "text": source.text}
    return header | perform(_encoded(program, source))


def write_json(program: Program, indent: int | None = None, places: bool = True) -> str:
    """The JSON text of a program, on one line if it is nested too deeply to be indented."""
    data = program_to_json(program, places)
    indent = indent if _depth(data) <= MAX_INDENTED else None
    with deep_recursion(JSON_FRAMES):
        try:
            return json.dumps(data, indent=indent, ensure_ascii=False)
        except RecursionError:
            raise mistakes.json_nested_too_deeply("the program", MAX_DEPTH) from None


def read_json(source: Source) -> Program:
    """The program that a JSON text stands for.

    >>> text = '{"kind": "program", "expressions": [{"kind": "name", "id": "x"}]}'
    >>> read_json(Source("m.json", text))
    Program(expressions=(Name(id='x'),))
    """
    with deep_recursion(JSON_FRAMES):
        try:
            data = json.loads(source.text, parse_constant=_refuse_constant)
        except json.JSONDecodeError as error:
            span = Span(source, error.pos, error.pos + 1)
            raise mistakes.not_json(span, error.msg) from None
        except ValueError as error:
            raise mistakes.not_json(Span(source, 0, 1), str(error)) from None
        except RecursionError:
            raise mistakes.json_nested_too_deeply(source.name, MAX_DEPTH) from None
    return program_from_json(data)


def _refuse_constant(name: str) -> float:
    raise ValueError(f'{name} must be written as the string "{name}"')


def _encoded(node: Any, source: Source) -> Task[dict[str, Any]]:
    kind = KIND_OF[type(node)]
    result: dict[str, Any] = {"kind": kind}
    for key in KINDS[kind].keys:
        value = getattr(node, key.attribute)
        if value is not None and not (key.type == "integer" and value == ()):
            result[key.name] = yield _encoded_value(value, key, source)
    if node.span.source is source and source.text:
        result["span"] = [node.span.start, node.span.end]
    return result


def _encoded_value(value: Any, key: Key, source: Source) -> Task[Any]:
    if key.type == "number":
        return number_to_json(value)
    if not key.holds_nodes:
        return value
    if not isinstance(value, tuple):
        return (yield _encoded(value, source))
    items = []
    for item in value:
        items.append((yield _encoded(item, source)))
    return items


def _depth(data: Any) -> int:
    """How many objects and arrays are nested in one another."""
    depth, level = 0, [data]
    while level:
        inside = [item.values() if isinstance(item, dict) else item for item in level]
        level = [x for items in inside for x in items if isinstance(x, dict | list)]
        depth += 1
    return depth
