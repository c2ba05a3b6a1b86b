"""The Density contract: the only thing an engine knows of a model (docs/density.md).

A density lives in a workspace, one flat float64 array per chain whose first `dimension` entries are
the coordinates x. Every function is native code, takes the workspace's address first, holds no
Python lock and keeps no state elsewhere. U = -log density in sampler coordinates; +inf outside the
support; NaN is an error in the model.

C signatures (all pointers passed as `int64` addresses or `void *`, which have the same ABI here):

    double  evaluate(void *w)
        all node values from x; returns U
    double  gradient(void *w, double *g)
        the same, and g[i] = dU/dx_i; g[i] is not written where i is discontinuous and not followed,
        so let g be zeros at first
    double  move(void *w, int64_t b, double value)
        x_b = value, its cone in place; returns dU
    int64_t undo(void *w)
        takes the last move back, bitwise
    double  sweep(void *w, int64_t colour, double eps, double *p, double *s, int64_t *moved)
        the coordinate updates of a colour; adds to *moved how many were accepted; returns the
        sum of the accepted dU
    int64_t branches(void *w, uint8_t *bits)
        the branching variables, one byte each
    int64_t values(void *w, double *out)
        natural values of all variables (`variables` order), then the return value
    int64_t terms(void *w, double *out)
        every row of every factor, in order: the pointwise log density

The update of coordinate b with momentum p_b and speed s_b (paper, Algorithm 1, corrected):
x* = x_b + eps s_b sign(p_b); dU = U(x*) - U(x); if s_b |p_b| > dU the move is kept and
p_b -= sign(p_b) dU / s_b; else x_b stays and p_b = -p_b.

A change of U is +inf where the new point is impossible, -inf where only the old one was. A sweep
with a proposal whose density is NaN rejects that and returns NaN. `branches` and `values` compute
what only they need; they count on nothing but x and the nodes of the density.

After x was written from outside, `evaluate` or `gradient` must be called before `move`, `sweep` or
`branches`. Only one move can be undone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Pointers(NamedTuple):
    """The addresses of the native functions."""

    evaluate: int
    gradient: int
    move: int
    undo: int
    sweep: int
    branches: int
    values: int
    terms: int


@dataclass(frozen=True)
class Space:
    """What the coordinates of a model are, whatever computes its density.

    `colours` are the discontinuous coordinates by colour; `lower` and `upper` bound each coordinate
    (infinite where there is no bound, and for all continuous ones); `cell` is the width of a
    coordinate's cells: 1 for embedded integers, the distance of the bounds where they are finite,
    else infinite. The counts are the lengths of what `branches`, `values` and `terms` write.
    """

    dimension: int
    continuous: NDArray[np.int64]
    discontinuous: NDArray[np.int64]
    colours: tuple[NDArray[np.int64], ...]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    cell: NDArray[np.float64]
    branch_count: int
    value_count: int
    term_count: int


@dataclass(frozen=True)
class Density(Space):
    """A model's density as native code.

    `keep_alive` holds the code and the tables, which live outside of the workspaces. `followed` are
    discontinuous coordinates, integers of many values, in which U is a smooth function but for its
    cells: `gradient` writes the derivatives of that function as well.
    """

    pointers: Pointers
    workspace_size: int
    keep_alive: object = field(repr=False, default=None)
    followed: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def workspace(self) -> NDArray[np.float64]:
        """A fresh workspace, aligned to 64 bytes, for one chain."""
        raw = np.zeros(self.workspace_size + 8)
        shift = (-raw.ctypes.data % 64) // 8
        return raw[shift : shift + self.workspace_size]
