"""From a model's tables to its native density."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lfppl.backends.density import Density, Pointers
from lfppl.backends.llvm import cones, machine, maps, nodes, singles, squares, whole
from lfppl.backends.llvm.layout import Layout
from lfppl.backends.llvm.nodes import Prepared
from lfppl.backends.llvm.text import Module
from lfppl.backends.space import space_of
from lfppl.errors import native
from lfppl.lir.tables import Map, Model


@dataclass(frozen=True)
class Generated:
    """The text of a model's functions, and what it reads."""

    module: Module
    text: str
    layout: Layout


def generate(model: Model, width: int | None = None) -> Generated:
    """The LLVM text of a model's functions."""
    module = Module(width or machine.vector_width())
    ready = _prepared(model, module.width)
    ready.programs.extend(cones.plan(ready))
    ready.layout.recomputed.update(singles.recomputed(ready))
    for write in (whole.evaluate, whole.gradient, whole.branches, whole.values, whole.terms):
        write(module, ready)
    cones.write(module, ready)
    return Generated(module, module.render(), ready.layout)


def _prepared(model: Model, width: int) -> Prepared:
    normal = replace(
        model,
        nodes=tuple(
            replace(n, columns=tuple(maps.normal(c, n.rows) for c in n.columns))
            if isinstance(n, Map)
            else n
            for n in model.nodes
        ),
        schedule=tuple(run for run in model.schedule if run.stop > run.start),
    )
    folded = squares.fold_squares(normal)
    return nodes.prepared(folded, Layout(folded), width)


def density_of(model: Model, width: int | None = None) -> Density:
    """The native density of a model, with vectors of `width` doubles (the machine's by default)."""
    _check_memory(model)
    generated = generate(model, width)
    code = machine.compile_text(generated.text, generated.module.symbols)
    layout = generated.layout
    return Density(
        **vars(space_of(model)),
        pointers=Pointers(*(code.address(f"lfppl_{name}") for name in Pointers._fields)),
        workspace_size=layout.size,
        keep_alive=(code, generated.module.keep_alive),
        followed=layout.followed,
    )


def _check_memory(model: Model) -> None:
    needed, available = 3 * 8 * model.size, _available_memory()
    if available is not None and needed > available:
        raise native.not_enough_memory(needed, available)


def _available_memory() -> int | None:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:  # noqa: PTH123
            found = [line.split()[1] for line in lines if line.startswith("MemAvailable")]
    except OSError:
        return None
    return int(found[0]) * 1024 if found else None
