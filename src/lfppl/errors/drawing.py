"""What can go wrong with plots, pages and reports: unknown names, ranges."""

from __future__ import annotations

from collections.abc import Iterable

from lfppl.errors.base import ModelError


def unknown_shown(name: str, known: Iterable[str]) -> ModelError:
    """A variable or an element to draw that is not among the draws.

    >>> print(unknown_shown("nu", ["mu", "return"]))
    error[unknown-variable]: there are no draws of `nu`
      help: there are draws of mu, return; an element is named like `x[3]`
    """
    return ModelError(
        "unknown-variable",
        f"there are no draws of `{name}`",
        help=f"there are draws of {', '.join(known)}; an element is named like `x[3]`",
    )


def too_many_shown(name: str, size: int, most: int) -> ModelError:
    """More panels than a picture can hold.

    >>> too_many_shown("z", 1000, 40).message
    '`z` brings the panels to 1,000, and a picture holds 40'
    """
    return ModelError(
        "too-many-panels",
        f"`{name}` brings the panels to {size:,}, and a picture holds {most}",
        help="name some of its elements, like `z[0]`, `z[1]`",
    )


def nothing_to_draw(what: str) -> ModelError:
    """A model or a fit without the thing to draw.

    >>> nothing_to_draw("the model has no branching variables").code
    'nothing-to-draw'
    """
    return ModelError("nothing-to-draw", f"{what}: there is nothing to draw")


def too_large_a_graph(count: int, most: int) -> ModelError:
    """A graph of more statements than a picture can show.

    >>> too_large_a_graph(1000, 120).message
    'the graph has 1,000 vertices, and a picture holds 120'
    """
    return ModelError(
        "too-large-a-graph",
        f"the graph has {count:,} vertices, and a picture holds {most}",
        help="`lfppl compile --emit dot` prints it for Graphviz",
    )


# --- densities -----------------------------------------------------------------------------------


def wrong_axes(count: int) -> ModelError:
    """A density over no variable or over more than two.

    >>> wrong_axes(3).message
    'a density is drawn over one or two variables; 3 are named'
    """
    return ModelError(
        "wrong-axes", f"a density is drawn over one or two variables; {count} are named"
    )


def unknown_axis(name: str, known: Iterable[str]) -> ModelError:
    """An axis that is no scalar variable of the model.

    >>> print(unknown_axis("mu", ["mu[0]", "mu[1]"]))
    error[unknown-variable]: `mu` is no scalar variable of the model
      help: it has mu[0], mu[1]
    """
    return ModelError(
        "unknown-variable",
        f"`{name}` is no scalar variable of the model",
        help=f"it has {', '.join(known)}",
    )


def wrong_range(name: str, given: object) -> ModelError:
    """Ends of an axis that are no two increasing finite numbers.

    >>> wrong_range("x", (2, 1)).message
    'the range of `x` must be two increasing finite numbers; it is (2, 1)'
    """
    return ModelError(
        "wrong-range",
        f"the range of `{name}` must be two increasing finite numbers; it is {given!r}",
    )


def zero_everywhere(names: Iterable[str]) -> ModelError:
    """A density that is zero at every point looked at.

    >>> zero_everywhere(["x"]).message
    'the density is zero everywhere in the given range of x'
    """
    return ModelError(
        "zero-everywhere",
        f"the density is zero everywhere in the given range of {' and '.join(names)}",
        help="give other `ranges`, or other values of the other variables with `at`",
    )
