"""Calls into a model's native code, and how the engines themselves are compiled and cached."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from lfppl.backends.density import Density

Function = TypeVar("Function", bound=Callable[..., Any])

REASSOCIATE = {"reassoc", "nsz", "contract", "arcp"}
"""Fast-math flags of pure sums: never `nnan` or `ninf`, since infinities mean something here."""


@cache
def source_stamp() -> str:
    """A digest of all engine sources: compiled code is stale when any of them changed.

    Numba looks only at the file of the outermost function.

    >>> len(source_stamp())
    64
    """
    digest = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Kernel:
    """A Python function that Numba compiles, when it is first called or a caller is compiled.

    Nothing of Numba is imported before.
    """

    def __init__(self, function: Callable[..., Any], fastmath: Any, inline: bool = False) -> None:
        self.py_func = function
        self.fastmath, self.inline = fastmath, inline
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """The function's result, compiled."""
        return self.dispatcher(*arguments)

    @property
    def name(self) -> str:
        """The function's name, with that of its module."""
        return f"{self.py_func.__module__.rpartition('.')[2]}.{self.py_func.__name__}"

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's view of the function: compiled once per machine, without Python's lock."""
        import numba

        try:
            dispatcher: Any = numba.njit(cache=True, **self._options)(self.py_func)
        except RuntimeError:  # no folder can be written to: every process compiles anew
            dispatcher = numba.njit(**self._options)(self.py_func)
        else:
            dispatcher._cache._cache_file._source_stamp = source_stamp()
        return dispatcher

    def compiled_for(self, kinds: tuple[Any, ...]) -> Any:
        """Numba's result for arguments of its types, compiled anew."""
        import numba

        dispatcher: Any = numba.njit(**self._options)(self.py_func)
        dispatcher.compile(kinds)
        (result,) = dispatcher.overloads.values()
        return result

    @property
    def _options(self) -> dict[str, Any]:
        return {
            "nogil": True,
            "error_model": "numpy",
            "fastmath": self.fastmath,
            "forceinline": self.inline,
        }

    @property
    def _numba_type_(self) -> Any:
        """What a compiled caller takes the name of this function for."""
        return self.dispatcher._numba_type_


def kernel(function: Function) -> Function:
    """Compile a function by Numba once per machine, without Python's lock while it runs."""
    return cast(Function, Kernel(function, fastmath=False))


def plain(function: Function) -> Function:
    """The Python function that a kernel was made of: for a few numbers no Numba is needed."""
    return cast(Function, cast(Kernel, function).py_func)


def inlined(function: Function) -> Function:
    """Like `kernel`, put into its callers: to pass thirty words costs more than a kick."""
    return cast(Function, Kernel(function, fastmath=False, inline=True))


def contraction(function: Function) -> Function:
    """Like `kernel`, where a product and a sum may be rounded once."""
    return cast(Function, Kernel(function, fastmath={"contract"}))


def reduction(function: Function) -> Function:
    """Like `kernel`, for sums whose terms may be added in any order."""
    return cast(Function, Kernel(function, fastmath=REASSOCIATE))


class Intrinsic:
    """A function that compiled code alone can call, given by its typing and its LLVM code."""

    def __init__(self, typed: Callable[..., Any]) -> None:
        self._typed = typed

    @cached_property
    def _numba_type_(self) -> Any:
        """What a compiled caller takes the name of this function for."""
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        self._made = intrinsic(self._typed)
        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(self._made)


def _caller(result: str, *arguments: str) -> Any:
    """An intrinsic `(address, *arguments) -> result` that calls the C function at the address."""
    codes = {"double": ir.DoubleType(), "int64": ir.IntType(64)}
    code_type = ir.FunctionType(codes[result], [codes[kind] for kind in arguments])

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = builder.inttoptr(values[0], code_type.as_pointer())
        return builder.call(pointer, values[1:])

    def signature() -> Any:
        from numba import types

        kinds = {"double": types.float64, "int64": types.int64}
        return kinds[result](types.int64, *(kinds[kind] for kind in arguments))

    match len(arguments):
        case 2:

            def typed(context: Any, address: Any, a: Any, b: Any) -> Any:
                return signature(), generate

        case 3:

            def typed(context: Any, address: Any, a: Any, b: Any, c: Any) -> Any:  # type: ignore[misc]
                return signature(), generate

        case 6:

            def typed(  # type: ignore[misc]
                context: Any, address: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any
            ) -> Any:
                return signature(), generate

        case _:

            def typed(context: Any, address: Any, a: Any) -> Any:  # type: ignore[misc]
                return signature(), generate

    return Intrinsic(typed)


call_evaluate = _caller("double", "int64")
call_gradient = _caller("double", "int64", "int64")
call_move = _caller("double", "int64", "int64", "double")
call_undo = _caller("int64", "int64")
call_sweep = _caller("double", "int64", "int64", "double", "int64", "int64", "int64")
call_write = _caller("int64", "int64", "int64")


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The pointer to the data of an array, or the pointer itself."""
    from numba import types
    from numba.np import arrayobj

    if isinstance(kind, types.CPointer):
        return value
    structure: Any = arrayobj.make_array
    return structure(kind)(context, builder, value).data


def _address(context: Any, array: Any) -> Any:
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = _data(context, builder, signature.args[0], values[0])
        return builder.ptrtoint(pointer, ir.IntType(64))

    return types.int64(array), generate


def _bare(context: Any, array: Any) -> Any:
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return _data(context, builder, signature.args[0], values[0])

    pointer: Any = types.CPointer
    return pointer(array.dtype)(array), generate


address: Any = Intrinsic(_address)
"""`address(array)`: the address of an array, or of what a bare pointer points to."""
bare: Any = Intrinsic(_bare)
"""`bare(array)`: the bare pointer to an array's data.

Inner loops work on bare pointers: an array in Numba is seven words and a reference count, which
cost more than the step of a small model.
"""


@kernel
def copy(destination: Any, to: int, source: Any, start: int, count: int) -> None:
    """Copy `count` numbers from source[start:] to destination[to:]."""
    for i in range(count):
        destination[to + i] = source[start + i]


EVALUATE, GRADIENT, MOVE, UNDO, SWEEP, BRANCHES, VALUES, TERMS = range(8)


NOBODY = np.empty(0, np.int64)


class Target(NamedTuple):
    """A density as compiled code sees it: addresses, the workspace, and index sets.

    `position` is the head of the workspace. `runs` are the discontinuous coordinates as
    half-open ranges of consecutive ones, [start, stop, start, stop, ...]. `colours` are the
    density's numbers of the colours. `riders` (module `riders`) stand among the continuous
    coordinates; `rides` is 1 for them.
    """

    dimension: int
    smooth_count: int
    jump_count: int
    run_count: int
    colour_count: int
    rider_count: int
    workspace: int
    functions: NDArray[np.int64]
    position: NDArray[np.float64]
    continuous: NDArray[np.int64]
    discontinuous: NDArray[np.int64]
    runs: NDArray[np.int64]
    riders: NDArray[np.int64]
    rides: NDArray[np.uint8]
    colours: NDArray[np.int64]
    colour_starts: NDArray[np.int64]
    colour_members: NDArray[np.int64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    cell: NDArray[np.float64]


def target_of(
    density: Density,
    workspace: NDArray[np.float64],
    riding: NDArray[np.bool_] | None = None,
) -> Target:
    """The compiled code's view of a density in one workspace; those riding fill whole colours."""
    rides = np.zeros(density.dimension, np.bool_) if riding is None else riding
    riders = np.flatnonzero(rides)
    discontinuous = density.discontinuous[~rides[density.discontinuous]]
    kept = [k for k, colour in enumerate(density.colours) if not rides[colour].all()]
    sizes = [len(density.colours[k]) for k in kept]
    runs = runs_of(discontinuous)
    return Target(
        dimension=density.dimension,
        smooth_count=len(density.continuous) + len(riders),
        jump_count=len(discontinuous),
        run_count=len(runs),
        colour_count=len(kept),
        rider_count=len(riders),
        workspace=workspace.ctypes.data,
        functions=np.array(density.pointers, np.int64),
        position=workspace[: density.dimension],
        continuous=np.sort(np.concatenate([density.continuous, riders])).astype(np.int64),
        discontinuous=discontinuous.astype(np.int64),
        runs=runs.reshape(-1),
        riders=riders,
        rides=rides.astype(np.uint8),
        colours=np.array(kept, np.int64),
        colour_starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        colour_members=np.concatenate([NOBODY, *(density.colours[k] for k in kept)]).astype(
            np.int64
        ),
        lower=np.ascontiguousarray(density.lower, np.float64),
        upper=np.ascontiguousarray(density.upper, np.float64),
        cell=np.ascontiguousarray(density.cell, np.float64),
    )


@kernel
def bare_target(target: Target) -> Any:
    """The same with bare pointers."""
    return Target(
        target.dimension,
        target.smooth_count,
        target.jump_count,
        target.run_count,
        target.colour_count,
        target.rider_count,
        target.workspace,
        bare(target.functions),
        bare(target.position),
        bare(target.continuous),
        bare(target.discontinuous),
        bare(target.runs),
        bare(target.riders),
        bare(target.rides),
        bare(target.colours),
        bare(target.colour_starts),
        bare(target.colour_members),
        bare(target.lower),
        bare(target.upper),
        bare(target.cell),
    )


def runs_of(indices: NDArray[np.int64]) -> NDArray[np.int64]:
    """Half-open ranges of consecutive numbers.

    >>> runs_of(np.array([2, 3, 4, 7, 8])).tolist()
    [[2, 5], [7, 9]]
    """
    ordered = np.sort(np.asarray(indices, np.int64))
    if not len(ordered):
        return np.empty((0, 2), np.int64)
    breaks = np.flatnonzero(np.diff(ordered) != 1)
    starts = ordered[np.concatenate([[0], breaks + 1])]
    stops = ordered[np.concatenate([breaks, [len(ordered) - 1]])] + 1
    return np.ascontiguousarray(np.stack([starts, stops], axis=1))
