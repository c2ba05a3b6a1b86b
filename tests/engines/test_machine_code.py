"""Loops are kept as machine code that is checked, gives the same bits, and needs no Numba."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import run_models
from lfppl.engines import machine_code, mwg, store
from lfppl.engines.chains import Settings
from lfppl.engines.machine_code import Entry, is_compiled, packed
from lfppl.engines.native import bare, kernel


class Inner(NamedTuple):
    """All kinds of leaves."""

    numbers: Any
    flag: bool
    scale: float
    counts: Any


class Outer(NamedTuple):
    """A tuple in a tuple, all of whose leaves but these are numbers."""

    inner: Inner
    length: int


@kernel
def mixture_of_kinds(outer, small, shift):
    """Reads every leaf, writes to an array, and calls the C library."""
    numbers, counts = bare(outer.inner.numbers), bare(outer.inner.counts)
    small = bare(small)
    total = shift if outer.inner.flag else -shift
    for i in range(outer.length):
        total += math.exp(outer.inner.scale * numbers[i]) * counts[i] + small[i]
        numbers[i] = total
    return total


def arguments(values, flag=True, scale=0.5, shift=3):
    """The arguments of `mixture_of_kinds` with fresh arrays."""
    numbers = np.array(values, np.float64)
    inner = Inner(numbers, flag, scale, np.arange(len(values)) + 2**40)
    return Outer(inner, len(values)), np.arange(len(values)).astype(np.uint8), shift


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path / "lfppl"


@pytest.fixture
def uncompiled(monkeypatch):
    """Counts compilations."""
    made = []
    compile_entry = machine_code.compile_entry

    def counted(*given):
        made.append(given)
        return compile_entry(*given)

    monkeypatch.setattr(machine_code, "compile_entry", counted)
    return made


ENTRY = Entry(mixture_of_kinds)
NAME = ENTRY.kernel.name


@given(
    st.lists(st.floats(-3.0, 3.0), max_size=9),
    st.booleans(),
    st.floats(-2.0, 2.0),
    st.integers(-9, 9),
)
def test_entries_do_what_python_does(values, flag, scale, shift):
    mine, theirs = (arguments(values, flag, scale, shift) for _ in range(2))
    numbers, small = theirs[0].inner.numbers, theirs[1]
    total = shift if flag else -shift
    for i in range(len(values)):
        total += math.exp(scale * numbers[i]) * (i + 2**40) + int(small[i])
        numbers[i] = total
    assert ENTRY(*mine) == pytest.approx(total, rel=1e-14)
    np.testing.assert_allclose(mine[0].inner.numbers, numbers, rtol=1e-14)


def test_words_hold_numbers_by_their_bits_and_arrays_by_their_addresses():
    array = np.arange(3.0)
    signature, block = packed((Inner(array, np.bool_(True), 1.5, -2), np.int64(7)))
    assert signature == "((*dbdi)i)"
    words = np.frombuffer(block, np.int64)
    assert words.tolist() == [array.ctypes.data, 1, np.float64(1.5).view(np.int64), -2, 7]


# --- files ---------------------------------------------------------------------------------------


def test_a_second_process_finds_the_code(folder, uncompiled):
    first, second = Entry(mixture_of_kinds), Entry(mixture_of_kinds)
    assert not is_compiled(first)
    expected = first(*arguments([1.0, 2.0]))
    assert is_compiled(second)
    assert second(*arguments([1.0, 2.0])) == expected
    assert len(uncompiled) == 1


def damaged(content):
    """Ways in which a file can be wrong."""
    middle = len(content) // 2
    changed = bytes([content[middle] ^ 1])
    yield b""
    yield content[:middle]
    yield content[:middle] + changed + content[middle + 1 :]
    yield content + b"\0"
    yield content.replace(b"exp", b"exq", 1)
    yield b"\x80\x04not a file of ours\n"


def test_damaged_files_are_compiled_anew(folder, uncompiled):
    expected = Entry(mixture_of_kinds)(*arguments([1.0, 2.0]))
    (file,) = folder.iterdir()
    content = file.read_bytes()
    for count, wrong in enumerate(damaged(content), 2):
        file.write_bytes(wrong)
        assert Entry(mixture_of_kinds)(*arguments([1.0, 2.0])) == expected
        assert len(uncompiled) == count
        assert store.find(NAME, packed(arguments([1.0]))[0]), "the file is mended"


@pytest.mark.parametrize("change", ["source_stamp", "_numba_stamp"])
def test_code_of_another_version_is_not_used(folder, uncompiled, monkeypatch, change):
    Entry(mixture_of_kinds)(*arguments([1.0]))
    monkeypatch.setattr(store, change, lambda: "another")
    store._key.cache_clear()
    try:
        assert not is_compiled(Entry(mixture_of_kinds))
        Entry(mixture_of_kinds)(*arguments([1.0]))
    finally:
        store._key.cache_clear()
    assert len(uncompiled) == 2


def test_code_that_needs_an_unknown_function_is_not_loaded(folder, uncompiled):
    expected = Entry(mixture_of_kinds)(*arguments([1.0]))
    signature, _ = packed(arguments([1.0]))
    symbols, code = store.find(NAME, signature)
    unknown = (*symbols, "no_such_function_of_c")
    store.keep(NAME, signature, unknown, code)
    assert Entry(mixture_of_kinds)(*arguments([1.0])) == expected
    assert len(uncompiled) == 2


def test_arguments_of_other_kinds_have_code_of_their_own(folder, uncompiled):
    entry = Entry(mixture_of_kinds)
    assert entry(*arguments([], shift=3)) == 3.0
    assert entry(*arguments([], shift=0.25)) == 0.25
    assert len(uncompiled) == len(list(folder.iterdir())) == 2
    assert all(file.stat().st_mode & 0o777 == 0o644 for file in folder.iterdir())


def test_folders_that_cannot_be_written_to_cost_a_compilation_only(
    tmp_path, monkeypatch, uncompiled
):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    entry = Entry(mixture_of_kinds)
    assert not is_compiled(entry)
    assert entry(*arguments([], shift=3)) == 3.0
    assert is_compiled(entry)
    assert len(uncompiled) == 1


def test_old_files_make_room_for_new_ones(folder):
    for number in range(store.FILES_KEPT + 3):
        store.keep("loop", str(number), (), b"code")
        (file,) = folder.glob(store._file("loop", str(number)))
        os.utime(file, (number, number))
    assert len(list(folder.iterdir())) == store.FILES_KEPT
    assert store.find("loop", "0") is None
    assert store.find("loop", str(store.FILES_KEPT + 2)) == ((), b"code")


def test_threads_share_one_compilation(folder, uncompiled):
    entry = Entry(mixture_of_kinds)
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: entry(*arguments([1.0, 2.0])), range(8)))
    assert len(set(answers)) == 1
    assert len(uncompiled) == 1


# --- engines -------------------------------------------------------------------------------------


def test_machine_code_gives_the_bits_that_numba_gives(monkeypatch):
    model = run_models.example("mixture")
    density = model.density("everything")
    states = []
    for loop in (mwg.LOOP, mwg.run):
        monkeypatch.setattr(mwg, "LOOP", loop)
        settings, seeds = Settings(warmup=50), np.random.SeedSequence(4)
        start = mwg.ENGINE.initial_state(density, np.full(density.dimension, 0.3), settings, seeds)
        states.append(mwg.ENGINE.advance(density, density.workspace(), start, settings, 200))
    mine, theirs = states
    np.testing.assert_array_equal(mine.draws, theirs.draws)
    np.testing.assert_array_equal(mine.statistics, theirs.statistics)
    np.testing.assert_array_equal(mine.state.generator, theirs.state.generator)


PROGRAM = """
import sys
sys.path.insert(0, {tests!r})
import run_models
fit = run_models.quick(run_models.example("mixture"))
print(*sys.modules)
print(fit.draws["mu"].tobytes().hex())
"""


def test_a_fresh_process_samples_without_numba_and_gives_the_same_draws():
    here = run_models.quick(run_models.example("mixture")).draws["mu"]
    program = PROGRAM.format(tests=str(Path(run_models.__file__).parent))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    modules, draws = done.stdout.splitlines()
    heavy = {"numba", "scipy", "xarray", "rich", "arviz_base", "pandas", "jax", "numpy.ma"}
    unused = {"lfppl.runs.crowd", "lfppl.runs.checkpoint", "lfppl.results.report"}
    assert (heavy | unused) & set(modules.split()) == set()
    assert np.array_equal(np.frombuffer(bytes.fromhex(draws)), here.ravel())
