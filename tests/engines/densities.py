"""Densities written by hand, as native code that fulfils the Density contract."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numba
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


# --- mixtures ------------------------------------------------------------------------------------

PAPER_DATA = np.array([-2.0, -2.5, -1.7, -1.9, -2.2, 1.5, 2.2, 3.0, 1.2, 2.8])


def mixture(
    data: NDArray[np.float64],
    weights: Sequence[float] = (0.5, 0.5),
    scales: Sequence[float] = (1.0, 1.0),
    prior_scale: float = 2.0,
) -> Density:
    """mu_k ~ normal(0, prior_scale), z_n ~ categorical(weights), y_n ~ normal(mu_z, scale_z).

    Coordinates: K means, N labels on [0, K). The workspace keeps each row's energy behind x.
    """
    data = np.ascontiguousarray(data, np.float64)
    n, count = len(data), len(weights)
    d = count + n
    y = table(data)
    logs = tuple(float(v) for v in np.log(scales) - np.log(np.array(weights) / np.sum(weights)))
    halves = tuple(0.5 / float(s) ** 2 for s in scales)
    prior = 0.5 / prior_scale**2
    size = d + n + 4
    constants = np.array([*logs, *halves])

    if count == 2:
        log0, log1 = logs
        half0, half1 = halves

        @njit(inline="always")
        def row(x, y, mus):
            right = x >= 1.0
            gap = y - (mus[1] if right else mus[0])
            return (log1 if right else log0) + (half1 if right else half0) * gap * gap

    else:

        @njit(inline="always")
        def row(x, y, mus):
            k = min(max(int(x), 0), count - 1)
            gap = y - mus[k]
            return constants[k] + constants[count + k] * gap * gap

    def evaluate(w):
        v, ys = carray(w, (size,)), y()
        total = 0.0
        mus = (v[0], v[1]) if count == 2 else v[:count]
        for k in range(count):
            total += prior * v[k] ** 2
        inside = True
        for i in range(n):
            x = v[count + i]
            inside = inside & (x >= 0.0) & (x < count)
            v[d + i] = row(x, ys[i], mus)
            total += v[d + i]
        return total if inside else math.inf

    def gradient_two(w, g):
        v, slopes, ys = carray(w, (size,)), carray(g, (d,)), y()
        m0, m1 = v[0], v[1]
        total = prior * (m0 * m0 + m1 * m1)
        outside = 0.0
        for i in range(n):
            x = v[2 + i]
            outside += 0.0 if (x >= 0.0) & (x < 2.0) else 1.0
            energy = row(x, ys[i], (m0, m1))
            v[d + i] = energy
            total += energy
        g0, g1 = 0.0, 0.0
        for i in range(n):
            # Products instead of conditional sums: only these become SIMD.
            right = 1.0 if v[2 + i] >= 1.0 else 0.0
            g0 -= (1.0 - right) * 2.0 * half0 * (ys[i] - m0)
            g1 -= right * 2.0 * half1 * (ys[i] - m1)
        for i in range(d):
            slopes[i] = 0.0
        slopes[0] = g0 + 2.0 * prior * m0
        slopes[1] = g1 + 2.0 * prior * m1
        return total if outside == 0.0 else math.inf

    def gradient_many(w, g):
        v, slopes, ys = carray(w, (size,)), carray(g, (d,)), y()
        total = 0.0
        for k in range(count):
            total += prior * v[k] ** 2
            slopes[k] = 2.0 * prior * v[k]
        inside = True
        for i in range(n):
            x = v[count + i]
            inside = inside & (x >= 0.0) & (x < count)
            v[d + i] = row(x, ys[i], v[:count])
            total += v[d + i]
            k = min(max(int(x), 0), count - 1)
            slopes[k] -= 2.0 * constants[count + k] * (ys[i] - v[k])
            slopes[count + i] = 0.0
        return total if inside else math.inf

    def move(w, b, value):
        v, ys = carray(w, (size,)), y()
        i = b - count
        v[size - 3], v[size - 2], v[size - 1] = b, v[b], v[d + i]
        v[b] = value
        if value < 0.0 or value >= count:
            v[d + i] = math.inf
        else:
            v[d + i] = row(value, ys[i], (v[0], v[1]) if count == 2 else v[:count])
        return v[d + i] - v[size - 1]

    def undo(w):
        v = carray(w, (size,))
        b = int(v[size - 3])
        v[b], v[d + b - count] = v[size - 2], v[size - 1]
        return 0

    def sweep(w, colour, eps, p, s, moved):
        v, p, s, ys = carray(w, (size,)), carray(p, (d,)), carray(s, (d,)), y()
        moved = carray(moved, (1,))
        mus = (v[0], v[1]) if count == 2 else v[:count]
        total, accepted = 0.0, 0
        for i in range(n):
            momentum, speed = p[count + i], s[count + i]
            sign = math.copysign(1.0, momentum)
            x = v[count + i] + eps * speed * sign
            energy = row(x, ys[i], mus)
            change = energy - v[d + i]
            yes = (x >= 0.0) & (x < count) & (speed * abs(momentum) > change)
            v[count + i] = x if yes else v[count + i]
            v[d + i] = energy if yes else v[d + i]
            p[count + i] = momentum - sign * change / speed if yes else -momentum
            total += change if yes else 0.0
            accepted += 1 if yes else 0
        moved[0] += accepted
        return total

    def branches(w, out):
        v, bits = carray(w, (size,)), carray(out, (n,))
        for i in range(n):
            bits[i] = v[count + i] < 1.0
        return 0

    def values(w, out):
        v, result = carray(w, (size,)), carray(out, (d,))
        for k in range(count):
            result[k] = v[k]
        for i in range(count, d):
            result[i] = np.floor(v[i])
        return 0

    def terms(w, out):
        v, result = carray(w, (size,)), carray(out, (n,))
        for i in range(n):
            result[i] = -v[d + i]
        return 0

    functions = {
        "evaluate": evaluate,
        "gradient": gradient_two if count == 2 else gradient_many,
        "move": move,
        "undo": undo,
        "sweep": sweep,
        "branches": branches,
        "values": values,
        "terms": terms,
    }
    labels = range(count, d)
    bounds = np.full(d, np.inf)
    lower, upper, cell = -bounds, bounds.copy(), bounds.copy()
    lower[count:], upper[count:], cell[count:] = 0.0, count, 1.0
    return assemble(
        functions,
        dimension=d,
        discontinuous=labels,
        colours=[labels],
        lower=lower,
        upper=upper,
        cell=cell,
        branch_count=n,
        term_count=n,
        workspace_size=size,
        data=(data, y, constants),
    )


def mixture_start(density: Density, components: int, seed: int = 0) -> NDArray[np.float64]:
    """Means from uniform(-2, 2), labels anywhere."""
    generator = np.random.default_rng(seed)
    x = generator.uniform(-2, 2, density.dimension)
    x[components:] = generator.uniform(0, components, density.dimension - components)
    return x


__all__ = ["assemble", "mixture", "mixture_start", "numba", "plain", "table"]
