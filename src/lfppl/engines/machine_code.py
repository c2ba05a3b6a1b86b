"""Native loops as machine code: compiled by Numba once for a machine, afterwards loaded without it.

An entry is a C function of one pointer. It points to 64-bit words: the leaves of all arguments in
order, numbers by their bits and arrays by their addresses. Its machine code is kept in a file of
its own (`store.py`), because importing Numba takes longer than a thousand draws.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, NamedTuple, cast

import llvmlite.binding as llvm
import numpy as np

from lfppl.engines import store
from lfppl.engines.native import Kernel

SYMBOL = "lfppl_entry"
LEVEL = 3
"""LLVM's level for the step from optimised code to machine code."""
_PROTOTYPE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_char_p)


class Entry:
    """A kernel that returns a number, called through machine code."""

    def __init__(self, kernel: Callable[..., float]) -> None:
        self.kernel = cast(Kernel, kernel)
        self._loaded: dict[str, Loaded] = {}
        self._lock = Lock()

    def __call__(self, *arguments: Any) -> float:
        """The kernel's result; Python's lock is free meanwhile."""
        signature, block = packed(arguments)
        loaded = self._loaded.get(signature) or self._load(signature, arguments)
        return float(loaded.call(block))

    @property
    def is_compiled(self) -> bool:
        """Whether machine code is in memory or kept in a file."""
        return bool(self._loaded) or store.has_any(self.kernel.name)

    def _load(self, signature: str, arguments: tuple[Any, ...]) -> Loaded:
        with self._lock:
            if signature not in self._loaded:
                found = self._found(signature)
                if found is None:
                    code = compile_entry(self.kernel, arguments)
                    store.keep(self.kernel.name, signature, code.symbols, code.machine_code)
                    found = Loaded(code)
                self._loaded[signature] = found
            return self._loaded[signature]

    def _found(self, signature: str) -> Loaded | None:
        """The entry as a file has it; None where it has to be compiled."""
        kept = store.find(self.kernel.name, signature)
        if kept is None:
            return None
        code = Code(*kept)
        known = all(llvm.address_of_symbol(symbol) for symbol in code.symbols)
        return Loaded(code) if known else None


def is_compiled(function: Any) -> bool:
    """Whether a loop need not be compiled any more: in memory, or kept on disk.

    >>> from lfppl.engines.loop import run
    >>> is_compiled(Entry(run)) in (True, False)
    True
    """
    return function.is_compiled if isinstance(function, Entry) else bool(function.signatures)


class Code(NamedTuple):
    """An object file, and the C functions it needs."""

    symbols: tuple[str, ...]
    machine_code: bytes


class Loaded:
    """Machine code in memory; it lives as long as this object."""

    def __init__(self, code: Code) -> None:
        module = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(module, target_machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code.machine_code))
        self._engine.finalize_object()
        self.call = _PROTOTYPE(self._engine.get_function_address(SYMBOL))


def target_machine() -> Any:
    """LLVM's description of this machine; a new one, since an engine takes it over."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=LEVEL,
    )


# --- words ---------------------------------------------------------------------------------------


def packed(arguments: tuple[Any, ...]) -> tuple[str, bytes]:
    """What kinds of leaves some arguments have, and their words.

    >>> packed((3, (True, 0.5)))[0]
    '(i(bd))'
    """
    kinds: list[str] = []
    values: list[int | float] = []
    _flatten(arguments, kinds, values)
    codes = "".join(["d" if type(value) is float else "q" for value in values])
    return "".join(kinds), struct.pack(f"={codes}", *values)


def _flatten(parts: tuple[Any, ...], kinds: list[str], values: list[int | float]) -> None:
    """Append the kinds and the words of all leaves; plain code, since it runs for each window."""
    kinds.append("(")
    for part in parts:
        if isinstance(part, np.ndarray):
            kinds.append(f"*{part.dtype.char}")
            values.append(part.ctypes.data)
        elif isinstance(part, tuple):
            _flatten(part, kinds, values)
        elif isinstance(part, bool | np.bool_):
            kinds.append("b")
            values.append(int(part))
        elif isinstance(part, int | np.integer):
            kinds.append("i")
            values.append(int(part))
        else:
            kinds.append("d")
            values.append(float(part))
    kinds.append(")")


# --- compilation ---------------------------------------------------------------------------------


def compile_entry(kernel: Kernel, arguments: tuple[Any, ...]) -> Code:
    """The machine code of a kernel for arguments like these."""
    from numba.core.registry import cpu_target

    context = cpu_target.target_context
    compiled = kernel.compiled_for(tuple(_numba_type(value) for value in arguments))
    module = llvm.parse_bitcode(compiled.library._final_module.as_bitcode())
    module.link_in(llvm.parse_assembly(str(_entry_module(context, compiled))))
    machine = target_machine()
    _strip(module, machine)
    symbols = tuple(sorted(f.name for f in module.functions if _is_foreign(f)))
    return Code(symbols, machine.emit_object(module))


def _numba_type(value: Any) -> Any:
    """Numba's type of an argument: arrays are bare pointers."""
    from numba import types
    from numba.np import numpy_support

    match value:
        case tuple():
            family: Any = types.BaseTuple
            kind = None if type(value) is tuple else type(value)
            return family.from_types([_numba_type(part) for part in value], kind)
        case np.ndarray():
            pointer: Any = types.CPointer
            return pointer(numpy_support.from_dtype(value.dtype))
        case bool() | np.bool_():
            return types.boolean
        case int() | np.integer():
            return types.int64
        case _:
            return types.float64


def _entry_module(context: Any, compiled: Any) -> Any:
    """The C function: turns words back into arguments and calls the kernel."""
    from llvmlite import ir

    word = ir.IntType(64)
    module = context.create_module("lfppl_entry_module")
    function = ir.Function(
        module, ir.FunctionType(ir.DoubleType(), [word.as_pointer()]), name=SYMBOL
    )
    builder = ir.IRBuilder(function.append_basic_block())
    words = _words(builder, function.args[0], word)
    kinds = compiled.signature.args
    values = [_rebuilt(context, builder, kind, words) for kind in kinds]
    inner = context.declare_function(module, compiled.fndesc)
    result = compiled.signature.return_type
    _, number = context.call_conv.call_function(builder, inner, result, kinds, values)
    builder.ret(number)
    return module


def _words(builder: Any, pointer: Any, word: Any) -> Iterator[Any]:
    place = 0
    while True:
        yield builder.load(builder.gep(pointer, [word(place)]))
        place += 1


def _rebuilt(context: Any, builder: Any, kind: Any, words: Iterator[Any]) -> Any:
    """The next argument of a Numba type."""
    from numba import types

    if isinstance(kind, types.BaseTuple):
        parts = [_rebuilt(context, builder, part, words) for part in kind.types]  # type: ignore[attr-defined]
        return context.make_tuple(builder, kind, parts)
    value, code = next(words), context.get_value_type(kind)
    if isinstance(kind, types.CPointer):
        return builder.inttoptr(value, code)
    if kind == types.boolean:
        return builder.trunc(value, code)
    return builder.bitcast(value, code)


def _strip(module: Any, machine: Any) -> None:
    """Take away all that the entry does not reach, such as what Python would call."""
    for named in (*module.functions, *module.global_variables):
        if not named.is_declaration and named.name != SYMBOL:
            named.linkage = "internal"
    options = llvm.PipelineTuningOptions(speed_level=LEVEL)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _is_foreign(function: Any) -> bool:
    return function.is_declaration and not function.name.startswith("llvm.")
