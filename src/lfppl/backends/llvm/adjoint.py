"""Reverse mode on a tape: adjoints of registers, guarded by the branches they belong to.

Inside a branch of a `select` nothing is guarded: an adjoint carries the set of conditions under
which it counts, and where it leaves the branch one `select` turns it into 0 wherever they do not
hold. So a branch not taken costs one instruction and can hold any infinity or NaN.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from lfppl.backends.llvm.stages import Stage
from lfppl.backends.llvm.tape import Tape, Value
from lfppl.core.primitives import PRIMITIVES

Condition: TypeAlias = tuple[int, bool]
"""A truth value's register and the value it must have."""

Conditions: TypeAlias = frozenset[Condition]


class Guarded(NamedTuple):
    """An adjoint that counts where all conditions hold."""

    value: Value
    conditions: Conditions


NONE: Conditions = frozenset()


def reverse(
    tape: Tape, seeds: Mapping[Value, Value], active: Mapping[Value, bool]
) -> dict[Value, Value]:
    """The adjoints of the active leaves, given those of some registers (per row).

    Adjoints of leaves that are the same in all rows are sums over the rows. A seed that is 0 means
    that a branch elsewhere was not taken: nothing flows from it.

    >>> tape = Tape()
    >>> x = tape.leaf("x", Stage.ROW)
    >>> y = tape.log(x)
    >>> reverse(tape, {y: tape.number(1.0)}, {x: True})[x].operation
    '/'
    """
    depends = _dependence(tape, active)
    parts: dict[int, list[Guarded]] = defaultdict(list)
    for register, seed in seeds.items():
        conditions = NONE if seed.known else frozenset({(seed.index, True)})
        parts[register.index].append(_per_row(tape, register, Guarded(seed, conditions)))
    leaves: dict[Value, Value] = {}
    for index in range(len(depends) - 1, -1, -1):
        if not depends[index] or not parts[index]:
            continue
        register = Value(tape, index)
        adjoint = _joined(tape, parts.pop(index))
        if register.operation == "leaf":
            leaves[register] = _released(tape, adjoint, adjoint.conditions)
        for argument, part in _shares(tape, register, adjoint):
            if depends[argument.index]:
                moved = part if register.stage <= Stage.BEFORE else _per_row(tape, argument, part)
                parts[argument.index].append(moved)
    return leaves


def _dependence(tape: Tape, active: Mapping[Value, bool]) -> list[bool]:
    chosen = {leaf.index for leaf, wanted in active.items() if wanted}
    depends: list[bool] = []
    for index, arguments in enumerate(tape.arguments):
        depends.append(index in chosen or any(depends[a] for a in arguments))
    return depends


def _per_row(tape: Tape, register: Value, part: Guarded) -> Guarded:
    """A share that arises in every row, summed where the register is the same in all rows."""
    if register.stage != Stage.BEFORE:
        return part
    rows = frozenset(c for c in part.conditions if tape.stages[c[0]] > Stage.BEFORE)
    inside = _released(tape, part, rows)
    return Guarded(tape.total(inside), part.conditions - rows)


def _released(tape: Tape, part: Guarded, conditions: Conditions) -> Value:
    """The adjoint where the conditions hold, 0 elsewhere."""
    value = part.value
    for index, polarity in sorted(conditions):
        test = Value(tape, index)
        value = tape.select(test, value, 0.0) if polarity else tape.select(test, 0.0, value)
    return value


def _joined(tape: Tape, parts: list[Guarded]) -> Guarded:
    parts = _merged_branches(tape, parts)
    common = frozenset.intersection(*(part.conditions for part in parts))
    total = _released(tape, parts[0], parts[0].conditions - common)
    for part in parts[1:]:
        total = total + _released(tape, part, part.conditions - common)
    if len(parts) > 1 and all(part.conditions != common for part in parts):
        return Guarded(total, common | {(total.index, True)})  # 0 where no branch was taken
    return Guarded(total, common)


def _merged_branches(tape: Tape, parts: list[Guarded]) -> list[Guarded]:
    """Join shares from the two sides of one `select` into one `select`."""
    result: list[Guarded] = []
    for part in parts:
        for place, other in enumerate(result):
            odd = part.conditions ^ other.conditions
            if len(odd) == 2 and len({index for index, _ in odd}) == 1:
                index, polarity = next(iter(part.conditions & odd))
                first, second = (part, other) if polarity else (other, part)
                value = tape.select(Value(tape, index), first.value, second.value)
                result[place] = Guarded(value, part.conditions & other.conditions)
                break
        else:
            result.append(part)
    return result


def _shares(tape: Tape, register: Value, adjoint: Guarded) -> list[tuple[Value, Guarded]]:
    """What each argument of an instruction receives."""
    arguments = register.arguments
    if register.operation == "select":
        return _select_shares(arguments, adjoint)
    if register.operation == "pick":
        return _pick_shares(tape, arguments, adjoint)
    if register.operation == "floor":
        return [(arguments[0], adjoint)]  # of an integer that is followed: its cells rubbed out
    if register.operation == "abs":
        slope = tape.select(tape.less(arguments[0], 0.0), -adjoint.value, adjoint.value)
        return [(arguments[0], Guarded(slope, adjoint.conditions))]
    if register.operation not in PRIMITIVES:
        return []
    partials = _partials(tape, register)
    return [
        (argument, Guarded(adjoint.value * partial, adjoint.conditions))
        for argument, partial in zip(arguments, partials, strict=True)
        if partial is not None
    ]


def _partials(tape: Tape, register: Value) -> tuple[object, ...]:
    arguments = register.arguments
    if register.operation == "/":
        inverse = 1.0 / arguments[1]
        return inverse, -(register * inverse)
    return PRIMITIVES[register.operation].partials(tape, register, *arguments)


def _select_shares(arguments: tuple[Value, ...], adjoint: Guarded) -> list[tuple[Value, Guarded]]:
    test, then, otherwise = arguments
    return [
        (then, Guarded(adjoint.value, adjoint.conditions | {(test.index, True)})),
        (otherwise, Guarded(adjoint.value, adjoint.conditions | {(test.index, False)})),
    ]


def _pick_shares(
    tape: Tape, arguments: tuple[Value, ...], adjoint: Guarded
) -> list[tuple[Value, Guarded]]:
    index, *items = arguments
    shares = []
    for position, item in enumerate(items):
        if item.stage > Stage.CONSTANT:
            test = tape.chosen(index, position, len(items))
            shares.append((item, Guarded(adjoint.value, adjoint.conditions | {(test.index, True)})))
    return shares
