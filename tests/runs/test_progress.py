"""Progress: lines where there is no terminal, bars where there is, events for functions."""

import io
import os
import re
import subprocess
import sys

import pytest

import run_models
from lfppl.runs import preparing, progress
from lfppl.runs.progress import Event, Lines


def test_lines_are_printed_where_there_is_no_terminal(capsys):
    run_models.quick(run_models.example("figure-1"), progress=True)
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = [line for line in printed.err.splitlines() if line.startswith("chain")]
    assert len(lines) == 2
    assert all(
        re.match(r"chain [01]: 120/120 \(sampling\), [\d,.e+]+ per second", x) for x in lines
    )


def test_nothing_is_printed_without_progress(capsys):
    run_models.quick(run_models.example("figure-1"))
    assert capsys.readouterr() == ("", "")


def test_lines_are_few():
    stream = io.StringIO()
    lines = Lines(stream)
    with lines as report:
        for iteration in range(1, 1001):
            report(Event("segment", 0, iteration, 1000, rate=5.0))
    assert len(stream.getvalue().splitlines()) == 1


def test_functions_receive_every_segment_of_every_chain():
    events: list[Event] = []
    run_models.quick(run_models.example("figure-1"), callback=events.append)
    segments = [event for event in events if event.kind == "segment"]
    assert {event.chain for event in segments} == {0, 1}
    for chain in (0, 1):
        iterations = [event.iteration for event in segments if event.chain == chain]
        assert iterations == sorted(set(iterations))
        assert iterations[-1] == 120
        assert 60 in iterations, "the warm-up ends a segment"
    assert all(event.rate > 0 and event.time_left >= 0 for event in segments)
    assert {event.is_warmup for event in segments} == {True, False}


def test_the_compilation_of_an_engine_is_announced(monkeypatch):
    monkeypatch.setattr(preparing, "is_compiled", lambda name: False)
    events: list[Event] = []
    run_models.quick(run_models.example("figure-1"), callback=events.append)
    assert events[0].kind == "message"
    assert "compiling the engine `dhmc` for this machine; this is done once" in events[0].text


@pytest.mark.parametrize("name", ["dhmc", "mwg"])
def test_an_engine_that_has_run_counts_as_compiled(name):
    run_models.quick(run_models.example("figure-1"), engine=name)
    assert preparing.is_compiled(name)


def test_an_empty_cache_is_seen(tmp_path):
    program = "from lfppl.runs import preparing; print(preparing.is_compiled('dhmc'))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def bars_shown(monkeypatch, width: int) -> str:
    """What the bars of two chains write to a terminal of so many columns."""
    from rich.console import Console

    monkeypatch.setenv("COLUMNS", str(width))
    stream = io.StringIO()
    bars = progress.Bars(2)
    console = Console(file=stream, force_terminal=True, width=width)
    monkeypatch.setattr(bars.progress.live, "console", console)
    with bars as report:
        report(Event("segment", 0, 500, 1000, True, 100.0, 5.0, 0.25, 2, 7))
        report(Event("message", text="a message"))
        report(Event("segment", 1, 1000, 1000, False, 100.0, 0.0, 0.5, 0, 0))
    return stream.getvalue()


def test_a_terminal_shows_a_bar_for_every_chain(monkeypatch):
    shown = bars_shown(monkeypatch, 120)
    for part in ("chain 0", " 50%", "5 s left", "step 0.25", "2 divergences", "7 crossings"):
        assert part in shown
    assert "a message" in shown


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_terminal_shows_what_matters_and_cuts_nothing(monkeypatch, width):
    shown = bars_shown(monkeypatch, width)
    for part in ("chain 0", " 50%", "2 divergences"):
        assert part in shown
    assert "…" not in shown
