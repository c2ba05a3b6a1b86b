"""JSON objects to the surface program, checking every key, kind and name on the way."""

from __future__ import annotations

from typing import Any, NamedTuple

from lfppl.errors import json_form as mistakes
from lfppl.source import NOWHERE, Source, Span
from lfppl.syntax.atoms import is_name
from lfppl.syntax.descent import Task, perform
from lfppl.syntax.json_kinds import GROUPS, KINDS, MAX_DEPTH, VERSION, Key, number_from_json
from lfppl.syntax.patterns import RESERVED
from lfppl.syntax.surface import Program


class _Place(NamedTuple):
    """Where a value stands; the path is spelled out only in a message."""

    parent: _Place | None = None
    step: str = "$"
    depth: int = 0

    def key(self, name: str) -> _Place:
        """A value of an object."""
        return _Place(self, f".{name}", self.depth)

    def item(self, index: int) -> _Place:
        """An element of an array."""
        return _Place(self, f"[{index}]", self.depth)

    def deeper(self) -> _Place:
        """The same place, counted as one node deeper."""
        return self._replace(depth=self.depth + 1)

    @property
    def path(self) -> str:
        steps = []
        place: _Place | None = self
        while place is not None:
            steps.append(place.step)
            place = place.parent
        steps.reverse()
        return "".join(steps) if len(steps) <= 40 else "".join([*steps[:20], " ... ", *steps[-20:]])


def program_from_json(data: object) -> Program:
    """The program that a JSON object stands for; docs/ast.md says which keys it has.

    >>> program_from_json({"kind": "program", "expressions": [{"kind": "nil"}]})
    Program(expressions=(Nil(),))
    """
    top = _Place()
    fields = dict(_object(data, top))
    version = fields.pop("version", VERSION)
    if version != VERSION:
        raise mistakes.wrong_json_value("$.version", str(VERSION), _shown(version))
    source = _source(fields.pop("source", None), top.key("source"))
    program: Program = perform(_node(fields, "program", top, source))
    return program


def _source(data: object, place: _Place) -> Source | None:
    if data is None:
        return None
    fields = _object(data, place)
    _check_keys(fields, "a source", ["name", "text"], ["name", "text"], place)
    name, text = (_string(fields[key], place.key(key)) for key in ("name", "text"))
    return Source(name, text)


def _node(data: object, group: str, place: _Place, source: Source | None) -> Task[Any]:
    fields = _object(data, place)
    if place.depth > MAX_DEPTH:
        raise mistakes.json_nested_too_deeply("the program", MAX_DEPTH)
    kind = _kind(fields, group, place)
    keys = KINDS[kind].keys
    known = ["kind", *(key.name for key in keys), "span"]
    required = [key.name for key in keys if key.required]
    _check_keys(fields, f'"{kind}"', known, required, place)
    values: dict[str, Any] = {"span": _span(fields.get("span"), place.key("span"), source)}
    for key in keys:
        inside = place.key(key.name).deeper()
        values[key.attribute] = yield _value(fields.get(key.name), key, inside, source)
    _check_names(kind, fields, place, group)
    return KINDS[kind].node(**values)


def _kind(fields: dict[str, Any], group: str, place: _Place) -> str:
    if "kind" not in fields:
        raise mistakes.missing_key(place.path, "kind", "every node")
    kind = _string(fields["kind"], place.key("kind"))
    if kind not in GROUPS[group]:
        raise mistakes.unknown_kind(place.path, kind, GROUPS[group])
    return kind


def _check_keys(
    fields: dict[str, Any], kind: str, known: list[str], required: list[str], place: _Place
) -> None:
    for name in fields:
        if name not in known:
            raise mistakes.unknown_key(place.path, name, kind, known)
    for name in required:
        if name not in fields:
            raise mistakes.missing_key(place.path, name, kind)


def _value(data: object, key: Key, place: _Place, source: Source | None) -> Task[Any]:
    if data is None and not key.required:
        return key.default
    if not key.many:
        return (yield _single(data, key, place, source))
    if not isinstance(data, list) or len(data) < key.least:
        expected = "an array" if not key.least else "an array that is not empty"
        raise mistakes.wrong_json_value(place.path, expected, _shown(data))
    items = []
    for index, item in enumerate(data):
        items.append((yield _single(item, key, place.item(index), source)))
    return tuple(items)


def _single(data: object, key: Key, place: _Place, source: Source | None) -> Task[Any]:
    if key.holds_nodes:
        return (yield _node(data, key.type, place, source))
    match key.type:
        case "number":
            return _number(data, place)
        case "integer":
            return _integer(data, place)
        case "boolean":
            if not isinstance(data, bool):
                raise mistakes.wrong_json_value(place.path, "true or false", _shown(data))
            return data
        case "symbol":
            return _symbol(data, place)
        case _:
            return _string(data, place)


def _number(data: object, place: _Place) -> float:
    value = number_from_json(data)
    if value is None:
        expected = 'a number, "Infinity", "-Infinity" or "NaN"'
        raise mistakes.wrong_json_value(place.path, expected, _shown(data))
    return value


def _integer(data: object, place: _Place) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or data < 0:
        raise mistakes.wrong_json_value(place.path, "an integer, 0 or greater", _shown(data))
    return data


def _string(data: object, place: _Place) -> str:
    if not isinstance(data, str):
        raise mistakes.wrong_json_value(place.path, "a string", _shown(data))
    if any("\ud800" <= character <= "\udfff" for character in data):
        raise mistakes.wrong_json_value(place.path, "Unicode text", "half a surrogate pair")
    return data


def _symbol(data: object, place: _Place) -> str:
    text = _string(data, place)
    if not is_name(text):
        raise mistakes.wrong_json_value(place.path, "a name of the language", _shown(text))
    return text


def _object(data: object, place: _Place) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise mistakes.wrong_json_value(place.path, "an object", _shown(data))
    return data


def _span(data: object, place: _Place, source: Source | None) -> Span:
    if data is None:
        return NOWHERE
    if source is None:
        raise mistakes.span_without_source(place.path)
    match data:
        case [int(start), int(end)] if 0 <= start <= end <= len(source.text):
            return Span(source, start, end)
    expected = "two offsets [start, end] into the source's text"
    raise mistakes.wrong_json_value(place.path, expected, _shown(data))


def _check_names(kind: str, fields: dict[str, Any], place: _Place, group: str) -> None:
    """Words of the language can neither be bound nor called: they have kinds of their own."""
    if kind == "name" and group in ("pattern", "name"):
        _refuse_reserved(fields["id"], place.key("id"))
    if kind == "function" and fields.get("name") is not None:
        _refuse_reserved(fields["name"], place.key("name"))
    if kind == "call":
        _check_callee(fields["function"], place.key("function"))


def _refuse_reserved(name: str, place: _Place) -> None:
    if name in RESERVED or name == "&":
        expected = "a name that is no word of the language"
        raise mistakes.wrong_json_value(place.path, expected, _shown(name))


def _check_callee(function: dict[str, Any], place: _Place) -> None:
    kind = function["kind"]
    if kind in ("number", "text", "truth", "nil", "vector"):
        raise mistakes.wrong_json_value(place.path, "something that can be called", f'"{kind}"')
    if kind == "name" and (function["id"] in RESERVED or function["id"] == "recur"):
        raise mistakes.reserved_callee(f"{place.path}.id", function["id"])


def _shown(data: object) -> str:
    match data:
        case None:
            return "null"
        case bool():
            return str(data).lower()
        case str():
            return f'"{data[:40]}"'
        case dict():
            return "an object"
        case list():
            return "an array" if data else "an empty array"
        case int():
            return str(data) if abs(data) < 1e18 else "a number beyond 1.8e308"
        case _:
            return repr(data)[:40]
