"""Densities written by hand, as native code that fulfils the Density contract."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, cfunc, njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from lfppl.backends.density import Density, Pointers

DOUBLES = types.CPointer(types.float64)
LONGS = types.CPointer(types.int64)
BYTES = types.CPointer(types.uint8)
fast = {"reassoc", "nsz", "contract", "arcp"}


@intrinsic
def _doubles_at(context, address):
    def generate(context, builder, signature, values):
        return builder.inttoptr(values[0], ir.DoubleType().as_pointer())

    return DOUBLES(types.int64), generate


def table(values: NDArray[np.float64]) -> Callable[[], Any]:
    """A function of native code that returns the data, which stay outside the code."""
    address, size = values.ctypes.data, values.size

    @njit
    def read():
        return carray(_doubles_at(address), (size,))

    return read


def compiled(signature: Any, function: Callable[..., Any], **options: Any) -> Any:
    return cfunc(signature, error_model="numpy", **options)(function)


SIGNATURES = {
    "evaluate": types.float64(DOUBLES),
    "gradient": types.float64(DOUBLES, DOUBLES),
    "move": types.float64(DOUBLES, types.int64, types.float64),
    "undo": types.int64(DOUBLES),
    "sweep": types.float64(DOUBLES, types.int64, types.float64, DOUBLES, DOUBLES, LONGS),
    "branches": types.int64(DOUBLES, BYTES),
    "values": types.int64(DOUBLES, DOUBLES),
    "terms": types.int64(DOUBLES, DOUBLES),
}


def assemble(
    functions: dict[str, Callable[..., Any]],
    *,
    dimension: int,
    discontinuous: Sequence[int],
    colours: Sequence[Sequence[int]] | None = None,
    lower: Any = -np.inf,
    upper: Any = np.inf,
    cell: Any = np.inf,
    branch_count: int = 0,
    value_count: int | None = None,
    term_count: int = 0,
    workspace_size: int | None = None,
    data: Any = None,
) -> Density:
    """A Density of eight functions."""
    code = {name: compiled(SIGNATURES[name], functions[name], fastmath=fast) for name in SIGNATURES}
    jumps = np.array(sorted(discontinuous), np.int64)
    smooth = np.setdiff1d(np.arange(dimension), jumps).astype(np.int64)
    groups = [[b] for b in jumps] if colours is None else colours
    full = [
        np.broadcast_to(np.asarray(v, float), (dimension,)).copy() for v in (lower, upper, cell)
    ]
    return Density(
        dimension=dimension,
        continuous=smooth,
        discontinuous=jumps,
        colours=tuple(np.array(group, np.int64) for group in groups),
        lower=full[0],
        upper=full[1],
        cell=full[2],
        branch_count=branch_count,
        value_count=dimension if value_count is None else value_count,
        term_count=term_count,
        pointers=Pointers(*(code[name].address for name in Pointers._fields)),
        workspace_size=workspace_size or dimension,
        keep_alive=(code, data),
    )


def plain(
    energy: Any,
    slope: Any = None,
    *,
    dimension: int,
    discontinuous: Sequence[int] = (),
    floors: Sequence[int] = (),
    bits: Any = None,
    branch_count: int = 0,
    misprint: bool = False,
    **options: Any,
) -> Density:
    """A density given by jitted `energy(x)` and `slope(x, g)`: each move evaluates everything.

    Workspace: x, U, and for undo: coordinate, old value, old U. `floors` are shown as integers.
    `misprint` is the paper's update of the momentum, wrong for speeds other than 1.
    """
    d = dimension
    whole = np.zeros(d)
    whole[list(floors)] = 1.0
    jumpy = np.zeros(d)
    jumpy[list(discontinuous)] = 1.0
    if slope is None:

        @njit
        def slope(x, g):
            pass

    if bits is None:

        @njit
        def bits(x, out):
            pass

    def evaluate(w):
        x = carray(w, (d + 4,))
        x[d] = energy(x[:d])
        return x[d]

    def gradient(w, g):
        x, slopes = carray(w, (d + 4,)), carray(g, (d,))
        x[d] = energy(x[:d])
        slope(x[:d], slopes)
        for i in range(d):
            if jumpy[i] > 0.0:
                slopes[i] = 0.0
        return x[d]

    def move(w, b, value):
        x = carray(w, (d + 4,))
        x[d + 1], x[d + 2], x[d + 3] = b, x[b], x[d]
        x[b] = value
        x[d] = energy(x[:d])
        return x[d] - x[d + 3]

    def undo(w):
        x = carray(w, (d + 4,))
        x[int(x[d + 1])], x[d] = x[d + 2], x[d + 3]
        return 0

    indices = [list(c) for c in options.get("colours") or [[b] for b in sorted(discontinuous)]]
    starts = np.concatenate([[0], np.cumsum([len(c) for c in indices])]).astype(np.int64)
    members = np.array([b for c in indices for b in c] + [0], np.int64)

    def sweep(w, colour, eps, p, s, moved):
        x, p, s = carray(w, (d + 4,)), carray(p, (d,)), carray(s, (d,))
        moved = carray(moved, (1,))
        total = 0.0
        for k in range(starts[colour], starts[colour + 1]):
            b = members[k]
            sign = 1.0 if p[b] > 0.0 else -1.0
            old, old_energy = x[b], x[d]
            x[b] = old + eps * s[b] * sign
            new_energy = energy(x[:d])
            change = new_energy - old_energy
            if s[b] * abs(p[b]) > change:
                p[b] -= sign * change * s[b] if misprint else sign * change / s[b]
                x[d] = new_energy
                total += change
                moved[0] += 1
            else:
                x[b] = old
                p[b] = -p[b]
        return total

    def branches(w, out):
        bits(carray(w, (d + 4,))[:d], carray(out, (branch_count + 1,)))
        return 0

    def values(w, out):
        x, result = carray(w, (d,)), carray(out, (d,))
        for i in range(d):
            result[i] = np.floor(x[i]) if whole[i] > 0.0 else x[i]
        return 0

    def terms(w, out):
        carray(out, (1,))[0] = -carray(w, (d + 4,))[d]
        return 0

    functions = {
        "evaluate": evaluate,
        "gradient": gradient,
        "move": move,
        "undo": undo,
        "sweep": sweep,
        "branches": branches,
        "values": values,
        "terms": terms,
    }
    return assemble(
        functions,
        dimension=d,
        discontinuous=discontinuous,
        branch_count=branch_count,
        term_count=1,
        workspace_size=d + 4,
        data=(energy, slope, bits, whole),
        **options,
    )
