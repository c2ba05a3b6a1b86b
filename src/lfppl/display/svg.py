"""The graph of a model as SVG in the colours of the page around it."""

from __future__ import annotations

from collections.abc import Iterator

from lfppl.display.graph import Drawing, Edge, Node, Point
from lfppl.display.markup import Html, tag

BORDER = 6.0
LINE = 16.0
ARROW = 4.0
"""Half the width of an arrow's head."""

SPOKEN = {"sample": "a random variable", "observe": "an observation", "if": "a branch"}


def svg_of(drawing: Drawing) -> Html:
    """The whole graph.

    >>> from lfppl.display.graph import laid_out
    >>> nodes = [Node("v0", "sample", ("x<1", "normal"), True)]
    >>> "x&lt;1" in svg_of(laid_out(nodes, []))
    True
    """
    wide, high = drawing.width + 2 * BORDER, drawing.height + 2 * BORDER
    inside = [*map(_edge, drawing.edges), *map(_node, drawing.nodes)]
    return tag(
        "svg",
        tag("g", *inside, transform=f"translate({BORDER:g} {BORDER:g})"),
        class_="lf-graph",
        width=f"{wide:.0f}",
        height=f"{high:.0f}",
        viewBox=f"0 0 {wide:.1f} {high:.1f}",
        role="img",
        aria_label="the graph of the model",
    )


def _edge(edge: Edge) -> Html:
    first, *rest = edge.curve
    line = f"M{_at(first)}C{' '.join(map(_at, rest))}"
    return tag(
        "g",
        tag("path", d=line, stroke_dasharray="4 3" if edge.dashed else None),
        tag("path", d=_head(rest[-1], edge.tip), class_="lf-head"),
        class_="lf-edge",
    )


def _head(base: Point, tip: Point) -> str:
    """A triangle from the end of the line to the tip."""
    across, down = tip[0] - base[0], tip[1] - base[1]
    length = (across**2 + down**2) ** 0.5 or 1.0
    x, y = -down / length * ARROW, across / length * ARROW
    left, right = (base[0] + x, base[1] + y), (base[0] - x, base[1] - y)
    return f"M{_at(left)}L{_at(tip)}L{_at(right)}Z"


def _node(node: Node) -> Html:
    kind = f"lf-node lf-{node.kind}{' lf-jumps' if node.discontinuous else ''}"
    return tag("g", tag("title", _said(node)), _outline(node), *_label(node), class_=kind)


def _said(node: Node) -> str:
    jumps = ", discontinuous" if node.discontinuous else ""
    return f"{', '.join(node.label)}: {SPOKEN[node.kind]}{jumps}"


def _outline(node: Node) -> Html:
    (x, y), (wide, high) = node.place, node.size
    if node.kind == "if":
        corners = [(x - wide / 2, y), (x, y - high / 2), (x + wide / 2, y), (x, y + high / 2)]
        return tag("path", d=f"M{'L'.join(map(_at, corners))}Z")
    return tag(
        "rect",
        x=f"{x - wide / 2:.1f}",
        y=f"{y - high / 2:.1f}",
        width=f"{wide:.1f}",
        height=f"{high:.1f}",
        rx="8",
    )


def _label(node: Node) -> Iterator[Html]:
    x, top = node.place[0], node.place[1] - LINE * (len(node.label) - 1) / 2
    for i, line in enumerate(node.label):
        strong = "lf-strong" if i == 0 else "lf-weak"
        yield tag("text", line, x=f"{x:.1f}", y=f"{top + i * LINE + 4:.1f}", class_=strong)


def _at(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
