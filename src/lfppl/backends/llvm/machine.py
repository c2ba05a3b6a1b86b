"""The machine code is made for: its vector width, LLVM's target, and the step from text to code."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from lfppl.errors import native

OPTIMISATION = 2
"""LLVM's level for code; 1 compiles no faster, 3 runs no faster. The passes before it are few: the
text is hoisted, folded and vectorised: those of level 2 took 30 ms for a mixture, not 5."""

_COMPILING = threading.Lock()


@cache
def _features() -> dict[str, bool]:
    _initialise()
    return dict(llvm.get_host_cpu_features())


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def vector_width() -> int:
    """How many doubles the widest vectors of this machine hold.

    >>> vector_width() in (2, 4, 8)
    True
    """
    features = _features()
    if features.get("avx512f") and features.get("avx512dq") and features.get("avx512vl"):
        return 8
    return 4 if features.get("avx2") else 2


def target_machine() -> Any:
    """LLVM's description of this machine; a new one, since an engine takes it over."""
    _initialise()
    try:
        target = llvm.Target.from_default_triple()
        return target.create_target_machine(
            cpu=llvm.get_host_cpu_name(),
            features=llvm.get_host_cpu_features().flatten(),
            opt=OPTIMISATION,
        )
    except RuntimeError as failure:
        raise native.unsupported_machine(str(failure)) from failure


class Code:
    """Compiled functions; they live as long as this object."""

    def __init__(self, engine: Any, module: Any) -> None:
        self._engine = engine
        self._module = module

    def address(self, name: str) -> int:
        """The address of a function."""
        return int(self._engine.get_function_address(name))


def compile_text(text: str, symbols: dict[str, int]) -> Code:
    """Machine code for a module of LLVM text that calls the given addresses."""
    with _COMPILING:
        machine = target_machine()
        for name, address in symbols.items():
            llvm.add_symbol(name, address)
        module = _optimised(text, machine)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        return Code(engine, module)


def _optimised(text: str, machine: Any) -> Any:
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_loop_rotate_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.PipelineTuningOptions()))
    return module
