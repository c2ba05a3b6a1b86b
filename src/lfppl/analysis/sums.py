"""Sums taken apart, so that equal parts cancel: (m + s) - m is s."""

from __future__ import annotations

from typing import NamedTuple

from lfppl.trace.graph import Node

MAX_PARTS = 64
"""A sum is taken apart into at most so many parts."""

_SIGNS = {"+": (1.0, 1.0), "-": (1.0, -1.0), "neg": (-1.0,)}


class Part(NamedTuple):
    """A node, in the rows that it is repeated for (as bytes; None for its own), times a factor."""

    node: Node
    rows: bytes | None
    factor: float


class LinearForm(NamedTuple):
    """A constant and a sum of parts."""

    parts: list[Part]
    constant: float


def linear_form(node: Node) -> LinearForm:
    """A node as a constant and a sum of other nodes with factors, equal ones joined.

    >>> from lfppl.trace.graph import Graph
    >>> graph = Graph()
    >>> x = graph.coordinate(graph.domains.root, 0)
    >>> linear_form(x - (x - 1.0))
    LinearForm(parts=[], constant=1.0)
    """
    parts: dict[tuple[int, bytes | None], Part] = {}
    constant = 0.0
    waiting = [Part(node, None, 1.0)]
    for _ in range(MAX_PARTS):
        if not waiting:
            break
        current, rows, factor = waiting.pop()
        if current.operation == "constant":
            constant += factor * current.payload
        elif current.operation in _SIGNS:
            signs = _SIGNS[current.operation]
            signed = zip(current.arguments, signs, strict=True)
            waiting.extend(Part(argument, rows, factor * sign) for argument, sign in signed)
        elif (scaled := _scaled(current)) is not None:
            waiting.append(Part(scaled[0], rows, factor * scaled[1]))
        elif current.operation == "lift" and rows is None:
            waiting.append(Part(current.arguments[0], current.payload.tobytes(), factor))
        else:
            _join(parts, Part(current, rows, factor))
    for part in waiting:
        _join(parts, part)
    return LinearForm([part for part in parts.values() if part.factor != 0.0], constant)


def _join(parts: dict[tuple[int, bytes | None], Part], part: Part) -> None:
    known = parts.get((part.node.number, part.rows))
    factor = part.factor + (known.factor if known else 0.0)
    parts[part.node.number, part.rows] = part._replace(factor=factor)


def _scaled(node: Node) -> tuple[Node, float] | None:
    """A node and the number it is multiplied by, where there is one."""
    if node.operation not in ("*", "/"):
        return None
    a, b = node.arguments
    if b.operation == "constant" and b.payload != 0:
        return a, b.payload if node.operation == "*" else 1.0 / b.payload
    return (b, a.payload) if a.operation == "constant" and node.operation == "*" else None
