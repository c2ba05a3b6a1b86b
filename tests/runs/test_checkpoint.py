"""Checkpoints: whatever stops a run, it continues to the draws it would have given."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.errors import ModelError
from lfppl.runs import checkpoint as checkpoints
from lfppl.runs import storage

OPTIONS = {"draws": 90, "warmup": 70, "chains": 2, "seed": 4}


@pytest.fixture
def model():
    return run_models.example("change-point")


@pytest.fixture
def expected(model):
    return run_models.quick(model, **OPTIONS)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run"


def files(path):
    return sorted(file.name for file in path.glob("chain-*.npz"))


def assert_same(fit, expected):
    for name, draws in expected.draws.items():
        np.testing.assert_array_equal(fit.draws[name], draws)
    for name, densities in expected.log_likelihood.items():
        np.testing.assert_array_equal(fit.log_likelihood[name], densities)
    for mine, other in zip(fit.chains, expected.chains, strict=True):
        np.testing.assert_array_equal(mine.all_statistics, other.all_statistics)
        np.testing.assert_array_equal(mine.flips, other.flips)
    assert fit.warnings == expected.warnings


def test_a_checkpoint_changes_no_draw(model, path, expected):
    assert_same(run_models.quick(model, checkpoint=path, **OPTIONS), expected)


def test_a_finished_run_is_read_back(model, path, expected):
    run_models.quick(model, checkpoint=path, **OPTIONS)
    before = files(path)
    assert_same(lfppl.resume(path, progress=False), expected)
    assert files(path) == before


@pytest.mark.parametrize("kept", [0, 1, 2, 3])
def test_a_run_continues_from_any_segment(model, path, expected, kept):
    run_models.quick(model, checkpoint=path, **OPTIONS)
    for chain in range(2):
        for name in [f for f in files(path) if f.startswith(f"chain-{chain}-")][kept + chain :]:
            (path / name).unlink()
    assert_same(model.resume(path, progress=False), expected)
    assert_same(lfppl.resume(path, progress=False), expected)


def test_options_are_remembered(path):
    model = run_models.example("mixture")
    options = {**OPTIONS, "thin": 3, "keep": ["z"], "engine": "dhmc", "target_acceptance": 0.9}
    expected = run_models.quick(model, checkpoint=path, **options)
    for name in files(path)[2:]:
        (path / name).unlink()
    fit = lfppl.resume(path, progress=False)
    np.testing.assert_array_equal(fit.draws["z"], expected.draws["z"])
    assert list(fit.draws) == ["z"]
    assert fit.about.settings == {"target_acceptance": 0.9}
    assert (fit.about.engine, fit.about.thin) == ("dhmc", 3)


def test_a_missing_segment_is_noticed(model, path):
    run_models.quick(model, checkpoint=path, **OPTIONS)
    (path / files(path)[1]).unlink()
    with pytest.raises(ModelError, match="missing before it"):
        lfppl.resume(path, progress=False)


# --- kill -9 -------------------------------------------------------------------------------------

SLOW = """
import sys, lfppl
sys.path.insert(0, {tests!r})
import run_models
options = {options!r}
run_models.quick(run_models.example("mixture-dirichlet"), checkpoint={path!r}, **options)
"""
SLOW_OPTIONS = {"draws": 20_000, "warmup": 300, "chains": 2, "seed": 6, "keep": ["mu"]}


def killed_after(command, path, segments, delay):
    """Run a command and kill it without warning once it has written some segments more."""
    before = len(files(path)) if path.exists() else 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
        deadline = time.monotonic() + 60
        while running.poll() is None and time.monotonic() < deadline:
            if path.exists() and len(files(path)) >= before + segments:
                time.sleep(delay)
                running.send_signal(signal.SIGKILL)
                break
            time.sleep(0.002)
        running.wait()
        assert running.returncode in (0, -signal.SIGKILL), running.stderr.read().decode()
    return running.returncode == -signal.SIGKILL


def test_a_killed_run_continues_to_the_same_draws(path):
    tests = str(Path(__file__).parents[1])
    program = SLOW.format(tests=tests, options=SLOW_OPTIONS, path=str(path))
    kills = killed_after([sys.executable, "-c", program], path, 3, 0.0)
    for segments, delay in ((1, 0.004), (2, 0.05)):
        command = [sys.executable, "-m", "lfppl", "resume", str(path), "--quiet"]
        kills += killed_after(command, path, segments, delay)
    assert kills >= 2
    expected = run_models.quick(run_models.example("mixture-dirichlet"), **SLOW_OPTIONS)
    fit = lfppl.resume(path, progress=False)
    assert not list(path.glob(f"*{storage.UNFINISHED}"))
    np.testing.assert_array_equal(fit.draws["mu"], expected.draws["mu"])


# --- full disks ----------------------------------------------------------------------------------


class FullDisk:
    """Writes half of a file and fails, while it is full."""

    def __init__(self, monkeypatch, fails):
        self.fails = fails
        self.count = 0
        self.savez = np.savez
        monkeypatch.setattr(storage.np, "savez", self.write)

    def write(self, file, **arrays):
        self.count += 1
        if self.fails(self.count):
            file.write(b"PK half a file")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.savez(file, **arrays)


def test_nothing_drawn_is_lost_on_a_full_disk(model, path, expected, monkeypatch):
    FullDisk(monkeypatch, lambda count: count > 5)
    fit = run_models.quick(model, checkpoint=path, **OPTIONS)
    np.testing.assert_array_equal(fit.draws["tau"], expected.draws["tau"])
    assert "No space left on device; all draws are in this fit" in fit.warnings[0]
    monkeypatch.undo()
    assert len(files(path)) == 2
    assert_same(lfppl.resume(path, progress=False), expected)


def test_segments_that_wait_are_written_when_there_is_room_again(
    model, path, expected, monkeypatch
):
    FullDisk(monkeypatch, lambda count: 5 <= count <= 7)
    events = []
    fit = run_models.quick(model, checkpoint=path, callback=events.append, **OPTIONS)
    assert_same(fit, expected)
    texts = [event.text for event in events if event.kind == "message"]
    assert any("the checkpoint cannot be written: No space left" in text for text in texts)
    before = files(path)
    assert_same(lfppl.resume(path, progress=False), expected)
    assert files(path) == before


def test_a_full_disk_at_the_beginning_is_an_error_that_leaves_nothing(model, tmp_path, monkeypatch):
    FullDisk(monkeypatch, lambda count: True)
    with pytest.raises(ModelError, match="run cannot be written: No space left on device"):
        run_models.quick(model, checkpoint=tmp_path / "run", **OPTIONS)
    assert list(tmp_path.iterdir()) == []


# --- what is refused -----------------------------------------------------------------------------


def test_nothing_is_overwritten(model, path):
    run_models.quick(model, checkpoint=path, **OPTIONS)
    before = {file: file.read_bytes() for file in path.iterdir()}
    with pytest.raises(ModelError, match="already; nothing was overwritten"):
        run_models.quick(model, checkpoint=path, **OPTIONS)
    assert {file: file.read_bytes() for file in path.iterdir()} == before


def test_a_file_in_the_way_is_not_overwritten(model, path):
    path.write_text("mine")
    with pytest.raises(ModelError, match="already; nothing was overwritten"):
        run_models.quick(model, checkpoint=path, **OPTIONS)
    assert path.read_text() == "mine"


def test_another_model_or_other_data_are_refused(model, path):
    run_models.quick(model, checkpoint=path, **OPTIONS)
    with pytest.raises(ModelError, match="have changed since the checkpoint"):
        run_models.example("mixture").resume(path, progress=False)
    changed = lfppl.compile(model.source.text, {**model.data, "counts": model.data["counts"] + 1})
    with pytest.raises(ModelError, match="have changed since the checkpoint"):
        changed.resume(path, progress=False)


def test_a_checkpoint_that_is_not_there(tmp_path):
    with pytest.raises(ModelError, match="there is no checkpoint at"):
        lfppl.resume(tmp_path / "none")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "run.json is not JSON"),
        ("[1]", "says nothing of lfppl"),
        ('{"format": "other"}', "says nothing of lfppl"),
        ('{"format": "lfppl-checkpoint", "version": 99}', "another version"),
        ('{"format": "lfppl-checkpoint", "version": 1}', "`source` is missing"),
    ],
)
def test_a_foreign_folder_is_refused(path, text, message):
    path.mkdir()
    (path / "run.json").write_text(text)
    with pytest.raises(ModelError, match="is not a checkpoint of lfppl") as caught:
        lfppl.resume(path)
    assert message in str(caught.value)


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"run\.json: No such file"):
        lfppl.resume(tmp_path)


def damage_end(file):
    file.write_bytes(file.read_bytes()[:-200])


def damage_middle(file):
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 255
    file.write_bytes(bytes(content))


def damage_all(file):
    file.write_bytes(b"")


@pytest.mark.parametrize("damage", [damage_end, damage_middle, damage_all])
@pytest.mark.parametrize("kind", ["chain-1-", "start-0", "data"])
def test_a_damaged_file_is_named_and_nothing_changed(model, path, damage, kind):
    run_models.quick(model, checkpoint=path, **OPTIONS)
    file = sorted(path.glob(f"{kind}*"))[-1]
    damage(file)
    before = {file: file.read_bytes() for file in path.iterdir()}
    with pytest.raises(ModelError, match=f"{file.name} cannot be read"):
        lfppl.resume(path, progress=False)
    assert {file: file.read_bytes() for file in path.iterdir()} == before


def test_pickled_content_is_refused(model, path):
    run_models.quick(model, checkpoint=path, **OPTIONS)
    np.savez(path / "data.npz", **{"0": np.array([{}], dtype=object)})
    with pytest.raises(ModelError, match=r"data.npz cannot be read"):
        lfppl.resume(path, progress=False)


def test_two_processes_do_not_write_to_one_checkpoint(model, path):
    pytest.importorskip("fcntl")
    run_models.quick(model, checkpoint=path, **OPTIONS)
    held, _, _ = checkpoints.open_checkpoint(path)
    with pytest.raises(ModelError, match="another process is writing"):
        lfppl.resume(path, progress=False)
    held.close()
    lfppl.resume(path, progress=False)


def test_a_copied_checkpoint_continues_elsewhere(model, path, tmp_path, expected):
    run_models.quick(model, checkpoint=path, **OPTIONS)
    shutil.copytree(path, tmp_path / "copy")
    for name in files(tmp_path / "copy"):
        (tmp_path / "copy" / name).unlink()
    assert_same(lfppl.resume(tmp_path / "copy", progress=False), expected)


def test_trees_and_numbers_are_stored_too(path):
    tree = lfppl.compiler.read("(let [x (sample (normal 0 s))] (observe (normal x 1) 1) x)")
    model = lfppl.compile(tree, {"s": 3.0})
    expected = run_models.quick(model, checkpoint=path)
    header = json.loads((path / "run.json").read_text())
    assert header["source"]["name"].endswith(".json")
    np.testing.assert_array_equal(
        lfppl.resume(path, progress=False).draws["x"], expected.draws["x"]
    )
