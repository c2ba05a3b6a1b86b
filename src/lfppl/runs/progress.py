"""Telling a person how a run goes: bars on a terminal, lines elsewhere, events to a function."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import Any, Literal, NamedTuple, Protocol, TextIO


class Event(NamedTuple):
    """Something that happened in a run.

    `segment`: chain `chain` has made `iteration` of `total` iterations, `rate` per second, and
    needs `time_left` seconds more. `divergences` and `crossings` are counted after the warm-up.
    `message`: `text` is for the person.
    """

    kind: Literal["segment", "message"]
    chain: int = -1
    iteration: int = 0
    total: int = 0
    is_warmup: bool = True
    rate: float = 0.0
    time_left: float = 0.0
    step_size: float = 0.0
    divergences: int = 0
    crossings: int = 0
    text: str = ""


Callback = Callable[[Event], object]


class Reporter(Protocol):
    """What receives the events of a run, between entering and leaving it."""

    def __enter__(self) -> Callback:
        """Begin."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        """End."""


def reporter(progress: bool, callback: Callback | None, chains: int) -> Reporter:
    """Bars on a terminal or in a notebook, lines elsewhere, nothing without `progress`."""
    inner: Reporter = Silent()
    if progress:
        inner = Bars(chains) if _is_interactive() else Lines(sys.stderr)
    return inner if callback is None else Both(inner, callback)


def _is_interactive() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class Silent:
    """Says nothing."""

    def __enter__(self) -> Callback:
        return lambda event: None

    def __exit__(self, *exception: object) -> None:
        pass


class Both:
    """Reports, and calls a function with every event."""

    def __init__(self, inner: Reporter, callback: Callback) -> None:
        self.inner, self.callback = inner, callback

    def __enter__(self) -> Callback:
        report = self.inner.__enter__()

        def both(event: Event) -> None:
            report(event)
            self.callback(event)

        return both

    def __exit__(self, *exception: Any) -> None:
        self.inner.__exit__(*exception)


class Lines:
    """A line for every tenth of a chain, and at most one in a few seconds else."""

    TENTHS = 10

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.shown: dict[int, int] = {}
        self.last = 0.0

    def __enter__(self) -> Callback:
        return self.report

    def __exit__(self, *exception: object) -> None:
        pass

    def report(self, event: Event) -> None:
        """Print the event, if it is time to."""
        if event.kind == "message":
            self._print(event.text)
            return
        if not self.last:  # what came before the first segment is no progress
            self.last = monotonic()
        tenth = self.TENTHS * event.iteration // max(event.total, 1)
        is_over = event.iteration == event.total
        if is_over or (tenth > self.shown.get(event.chain, 0) and monotonic() - self.last > 1.0):
            self.shown[event.chain] = tenth
            self.last = monotonic()
            self._print(line(event))

    def _print(self, text: str) -> None:
        print(text, file=self.stream, flush=True)


def line(event: Event) -> str:
    """A segment in a line.

    >>> line(Event("segment", 1, 500, 2000, True, 250.0, 6.0, 0.5, 0, 12))
    'chain 1: 500/2,000 (warm-up), 250 per second, 6 s left, step 0.5, 12 crossings'
    """
    begin = f"chain {event.chain}: {event.iteration:,}/{event.total:,}"
    phase = "warm-up" if event.is_warmup else "sampling"
    return ", ".join([f"{begin} ({phase})", *_parts(event)])


def _parts(event: Event) -> list[str]:
    """What else there is to say of a segment."""
    parts = [
        f"{event.rate:,.3g} per second" if event.rate < 1000 else f"{event.rate:,.0f} per second"
    ]
    if event.iteration < event.total:
        parts.append(f"{duration(event.time_left)} left")
    parts.append(f"step {event.step_size:.3g}")
    if event.divergences:
        parts.append(f"{event.divergences:,} divergences")
    if event.crossings:
        parts.append(f"{event.crossings:,} crossings")
    return parts


IMPORTANCE = ("divergences", "left", "per second", "crossings", "step")
"""What is shown first where there is no room for everything."""


def shortened(event: Event, room: int) -> str:
    """As much of what there is to say as there is room for.

    >>> event = Event("segment", 1, 500, 2000, True, 250.0, 6.0, 0.5, 3, 12)
    >>> shortened(event, 80)
    '250 per second, 6 s left, step 0.5, 3 divergences, 12 crossings'
    >>> shortened(event, 26)
    '6 s left, 3 divergences'
    """
    parts = _parts(event)
    kept: list[str] = []
    for word in IMPORTANCE:
        more = [*kept, *(part for part in parts if word in part)]
        if len(", ".join(more)) <= room:
            kept = more
    return ", ".join(part for part in parts if part in kept)


def duration(seconds: float) -> str:
    """A time in words.

    >>> duration(5.2), duration(90), duration(7300)
    ('5 s', '1:30 min', '2:01 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f}:{seconds % 60:02.0f} min"
    return f"{seconds // 3600:.0f}:{seconds % 3600 // 60:02.0f} h"


WIDE = 100
"""Columns of a terminal that has room for long bars."""
WIDE_BAR, NARROW_BAR = 40, 12
BETWEEN = 2
"""Spaces between the last columns."""


class Bars:
    """A bar for each chain, drawn by rich."""

    def __init__(self, chains: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        console = Console(stderr=True)
        breadth = WIDE_BAR if console.width >= WIDE else NARROW_BAR
        chain = len(str(max(chains - 1, 0))) + len("chain  ")
        self.room = console.width - chain - breadth - len("100%") - BETWEEN
        self.tasks: dict[int, Any] = {}
        self.progress = Progress(
            TextColumn("chain {task.fields[chain]}"),
            BarColumn(breadth),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[details]}"),
            console=console,
        )

    def __enter__(self) -> Callback:
        self.progress.__enter__()
        return self.report

    def __exit__(self, *exception: Any) -> None:
        self.progress.__exit__(*exception)

    def report(self, event: Event) -> None:
        """Show the event."""
        if event.kind == "message":
            self.progress.console.print(event.text)
            return
        if event.chain not in self.tasks:
            self.tasks[event.chain] = self.progress.add_task(
                "", total=event.total, chain=event.chain, details=""
            )
        details = shortened(event, self.room)
        task = self.tasks[event.chain]
        self.progress.update(task, completed=event.iteration, details=details)
