"""When an instruction of a row can run, and which operations are truths or cheap."""

from enum import IntEnum


class Stage(IntEnum):
    """When a value can be computed."""

    CONSTANT = 0
    BEFORE = 1
    ROW = 2
    AFTER = 3


TRUTHS = frozenset({"less", "and", "or", "not", "chosen", "same", "below"})
"""Operations whose value is a truth value: one bit in a register."""

CHEAP = frozenset({"+", "-", "*", "neg", "abs", "select", *TRUTHS})
