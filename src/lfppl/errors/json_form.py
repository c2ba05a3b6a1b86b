"""Mistakes in the JSON form of a program; `path` says where, as in `$.expressions[0].value`."""

from __future__ import annotations

from difflib import get_close_matches

from lfppl.errors.base import ModelError
from lfppl.source import Span


def not_json(span: Span, why: str) -> ModelError:
    """Text that is not JSON at all."""
    return ModelError("not-json", f"this is not JSON: {why}", span, "here")


def json_nested_too_deeply(where: str, limit: int) -> ModelError:
    """More nodes within nodes than are accepted."""
    return ModelError(
        "json-nested-too-deeply",
        f"{where} is nested more than {limit:,} deep",
        help="give parts of the program names with let or define",
    )


def wrong_json_value(path: str, expected: str, found: str) -> ModelError:
    """A JSON value of another type than the key needs."""
    return ModelError("wrong-json-value", f"{path} must be {expected}, not {found}")


def unknown_kind(path: str, kind: str, kinds: list[str]) -> ModelError:
    """A node kind that does not exist, or cannot stand at this place."""
    return ModelError(
        "unknown-json-kind",
        f'{path}.kind is "{kind}"; here it must be one of {", ".join(kinds)}',
        help=_nearest(kind, kinds) or "docs/ast.md describes every kind",
    )


def unknown_key(path: str, key: str, kind: str, keys: list[str]) -> ModelError:
    """A key that the node kind does not have."""
    return ModelError(
        "unknown-json-key",
        f'{path} has a key "{key}", which {kind} does not have',
        help=_nearest(key, keys) or f"the keys of {kind} are {', '.join(keys)}",
    )


def missing_key(path: str, key: str, kind: str) -> ModelError:
    """A key that the node kind must have."""
    return ModelError(
        "missing-json-key",
        f'{path} has no key "{key}", which {kind} needs',
        help="docs/ast.md describes every kind",
    )


def reserved_callee(path: str, name: str) -> ModelError:
    """A call of a special form, which has a node kind of its own."""
    return ModelError(
        "reserved-callee",
        f'{path} is "{name}", a word of the language, which cannot be called',
        help="it has a node kind of its own: see docs/ast.md",
    )


def span_without_source(path: str) -> ModelError:
    """A span in a program that does not carry its text."""
    return ModelError(
        "span-without-source",
        f"{path} counts characters of a text that is not given",
        help='give the program a key "source": {"name": ..., "text": ...}, or leave spans out',
    )


def _nearest(word: str, known: list[str]) -> str:
    close = get_close_matches(word, known, n=1)
    return f'did you mean "{close[0]}"?' if close else ""
