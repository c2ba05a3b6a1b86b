"""Kernels as formulas: operators in infix form, with names for what is used twice or is long."""

from __future__ import annotations

from typing import NamedTuple

from lfppl.lir.tables import Instruction, Kernel

LONGEST = 60
"""A longer part of a formula gets a name of its own."""


class Formula(NamedTuple):
    """Text, and how strongly it binds."""

    text: str
    strength: int


_ATOM = 9
_INFIX = {"or": 1, "and": 2, "less": 3, "+": 4, "-": 4, "*": 5, "/": 5}
_SYMBOLS = {"less": "<"}
_NEGATIVE = 6


def kernel_lines(kernel: Kernel, columns: list[str]) -> list[str]:
    """The lines of a kernel: named parts first, then an `out` for every output.

    >>> code = Kernel(2, (Instruction("-", (0, 1)), Instruction("*", (2, 2))), (3,))
    >>> kernel_lines(code, ["x", "1"])
    ['t2 = x - 1', 'out = t2 * t2']
    """
    lines: list[str] = []
    formulas = [Formula(c, _NEGATIVE if c.startswith("-") else _ATOM) for c in columns]
    uses = _uses(kernel)
    for register, instruction in enumerate(kernel.instructions, kernel.inputs):
        formula = _applied(instruction, [formulas[a] for a in instruction.arguments])
        if uses[register] > 1 or (uses[register] and len(formula.text) > LONGEST):
            lines.append(f"t{register} = {formula.text}")
            formula = Formula(f"t{register}", _ATOM)
        formulas.append(formula)
    names = (
        [f"out[{k}]" for k in range(len(kernel.outputs))] if len(kernel.outputs) > 1 else ["out"]
    )
    outputs = zip(names, kernel.outputs, strict=True)
    return lines + [f"{name} = {formulas[register].text}" for name, register in outputs]


def _uses(kernel: Kernel) -> list[int]:
    counts = [0] * (kernel.inputs + len(kernel.instructions))
    for instruction in kernel.instructions:
        for argument in instruction.arguments:
            counts[argument] += 1
    for register in kernel.outputs:
        counts[register] += counts[register] > 0  # an output that is also read gets a name
    return counts


def _applied(instruction: Instruction, arguments: list[Formula]) -> Formula:
    operation = instruction.operation
    if operation in _INFIX:
        return _infix(operation, *arguments)
    if operation == "neg":
        return Formula(f"-{_within(arguments[0], _NEGATIVE + 1)}", _NEGATIVE)
    if operation == "select":
        condition, then, otherwise = (a.text for a in arguments)
        return Formula(f"if({condition}, {then}, {otherwise})", _ATOM)
    if operation == "pick":
        index, *items = (a.text for a in arguments)
        return Formula(f"[{', '.join(items)}][{index}]", _ATOM)
    return Formula(f"{operation}({', '.join(a.text for a in arguments)})", _ATOM)


def _infix(operation: str, left: Formula, right: Formula) -> Formula:
    strength = _INFIX[operation]
    associative = operation in ("+", "*", "and", "or")
    after = _within(right, strength if associative and right.strength == strength else strength + 1)
    text = f"{_within(left, strength)} {_SYMBOLS.get(operation, operation)} {after}"
    return Formula(text, strength)


def _within(formula: Formula, strength: int) -> str:
    return formula.text if formula.strength >= strength else f"({formula.text})"
