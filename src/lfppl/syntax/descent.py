"""Recursive descent without Python's stack: functions written as generators, run in a loop.

A task yields the tasks whose results it needs, and is sent their results. Deeply nested programs
then cost memory, not stack.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
Task: TypeAlias = Generator[Any, Any, T]
"""A function that yields tasks, receives their results, and returns a T."""


def perform(task: Task[T]) -> T:
    """The result of a task, running the tasks it yields.

    >>> def depth(nested: list) -> Task[int]:
    ...     return (1 + (yield depth(nested[0]))) if nested else 1
    >>> perform(depth([[[]]]))
    3
    """
    stack: list[Task[Any]] = [task]
    result: Any = None
    while stack:
        try:
            needed = stack[-1].send(result)
        except StopIteration as finished:
            stack.pop()
            result = finished.value
        else:
            stack.append(needed)
            result = None
    return result  # type: ignore[no-any-return]


def all_of(tasks: Iterable[Task[T]]) -> Task[tuple[T, ...]]:
    """The results of several tasks, done in order."""
    results = []
    for task in tasks:
        results.append((yield task))
    return tuple(results)
