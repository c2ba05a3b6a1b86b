"""The graph of a model as a matplotlib figure."""

from __future__ import annotations

from typing import Any

from lfppl.display import extra
from lfppl.display.graph import Drawing, Edge, Node
from lfppl.display.palette import EDGE, INK, OBSERVED, PAPER, ROUGH

INCH = 72.0
LETTERS = 9.5
BORDER = 6.0
"""What is left free around the drawing, so that no line is cut."""


def figure_of(drawing: Drawing) -> Any:
    """A figure in the size of the drawing.

    >>> from lfppl.display.graph import laid_out
    >>> nodes = [Node("v0", "sample", ("x", "normal"), False)]
    >>> figure_of(laid_out(nodes, [])).get_size_inches().round(1).tolist()
    [1.1, 0.8]
    """
    wide, high = drawing.width + 2 * BORDER, drawing.height + 2 * BORDER
    figure = extra.figure("`plot_graph`", wide / INCH, high / INCH, layout=None)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(-BORDER, wide - BORDER), ylim=(high - BORDER, -BORDER))
    axes.set_axis_off()
    for edge in drawing.edges:
        _draw_edge(axes, edge)
    for node in drawing.nodes:
        _draw_node(axes, node)
    return figure


def _draw_edge(axes: Any, edge: Edge) -> None:
    from matplotlib.patches import FancyArrowPatch, PathPatch
    from matplotlib.path import Path

    style = "--" if edge.dashed else "-"
    codes = [Path.MOVETO] + [Path.CURVE4] * (len(edge.curve) - 1)
    path = Path(edge.curve, codes)
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=EDGE, linestyle=style))
    axes.add_patch(
        FancyArrowPatch(
            edge.curve[-1], edge.tip, color=EDGE, arrowstyle="-|>", mutation_scale=8, shrinkA=0,
            shrinkB=0,
        )
    )  # fmt: skip


def _draw_node(axes: Any, node: Node) -> None:
    from matplotlib.patches import FancyBboxPatch, Polygon

    (x, y), (wide, high) = node.place, node.size
    look: dict[str, Any] = {
        "facecolor": OBSERVED if node.kind == "observe" else PAPER,
        "edgecolor": ROUGH if node.discontinuous else INK,
        "linewidth": 2.0 if node.discontinuous else 1.0,
    }
    if node.kind == "if":
        corners = [(x - wide / 2, y), (x, y - high / 2), (x + wide / 2, y), (x, y + high / 2)]
        axes.add_patch(Polygon(corners, **look))
    else:
        corner = (x - wide / 2 + 8, y - high / 2 + 8)
        axes.add_patch(FancyBboxPatch(corner, wide - 16, high - 16, "round,pad=8", **look))
    text = "\n".join(node.label)
    axes.text(x, y, text, ha="center", va="center", color=INK, fontsize=LETTERS)
