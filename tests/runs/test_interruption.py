"""Ctrl-C keeps what was drawn; failures stop a run and say where."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import lfppl
import run_models
from lfppl.errors import ModelError
from lfppl.runs.progress import Event

TESTS = str(Path(__file__).parents[1])


def interrupting(after, presses=1):
    """A callback that presses Ctrl-C when so many draws were made."""

    def callback(event: Event) -> None:
        if event.kind == "segment" and event.iteration >= after and not pressed:
            pressed.append(event)
            for _ in range(presses):
                os.kill(os.getpid(), signal.SIGINT)

    pressed: list[Event] = []
    return callback


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_keeps_what_was_drawn(presses):
    model = run_models.example("mixture")
    options = {"draws": 100_000, "warmup": 50, "keep": ["mu"], "log_likelihood": False}
    fit = run_models.quick(model, callback=interrupting(400, presses), **options)
    assert fit.is_interrupted
    assert "the run was interrupted after" in fit.warnings[0]
    chains, count = fit.used
    assert 0 < count < 100_000
    whole = run_models.quick(model, **{**options, "draws": 3000})
    common = min(count, 3000)
    for number, chain in enumerate(fit.chains):
        if chain in chains:
            np.testing.assert_array_equal(chain.draws[:common], whole.chains[number].draws[:common])


def test_the_handler_of_ctrl_c_is_put_back():
    before = signal.getsignal(signal.SIGINT)
    run_models.quick(run_models.example("figure-1"))
    assert signal.getsignal(signal.SIGINT) is before


def test_sampling_works_outside_the_main_thread():
    fits = []
    thread = threading.Thread(
        target=lambda: fits.append(run_models.quick(run_models.example("figure-1")))
    )
    thread.start()
    thread.join()
    assert fits[0].draws["x"].shape == (2, 60)


def test_an_interrupted_run_continues_to_the_same_draws(tmp_path):
    model = run_models.example("mixture")
    options = {"draws": 30_000, "warmup": 100, "keep": ["mu"], "log_likelihood": False}
    path = tmp_path / "run"
    run_models.quick(model, checkpoint=path, callback=interrupting(300), **options)
    whole = run_models.quick(model, **options)
    fit = model.resume(path, progress=False)
    assert not fit.is_interrupted
    np.testing.assert_array_equal(fit.draws["mu"], whole.draws["mu"])


def test_a_run_interrupted_before_its_first_draw_says_so():
    options = {"draws": 10, "warmup": 100_000_000}
    fit = run_models.quick(run_models.example("figure-1"), callback=interrupting(1), **options)
    with pytest.raises(ModelError, match="before the first draw"):
        _ = fit.draws


def test_the_command_line_saves_what_was_drawn_and_ends_with_130(tmp_path):
    model, data = (run_models.EXAMPLES / f"mixture.{kind}" for kind in ("lfppl", "json"))
    out, path = tmp_path / "fit.nc", tmp_path / "run"
    command = [sys.executable, "-m", "lfppl", "sample", model, "--data", data, "--seed", "1"]
    command += [
        "--chains",
        "1",
        "--draws",
        "1000000",
        "--keep",
        "mu",
        "--out",
        out,
        "--checkpoint",
        path,
    ]
    with subprocess.Popen(
        [*map(str, command), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        while running.poll() is None and len(list(path.glob("chain-*"))) < 5:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        printed, errors = running.communicate()
    assert running.returncode == 130, errors
    assert "Traceback" not in errors
    report = json.loads(printed)
    assert "interrupted" in report["warnings"][0]
    assert report["variables"].keys() == {"mu[0]", "mu[1]"}
    assert out.exists()


# --- failures ------------------------------------------------------------------------------------


def test_a_callback_that_fails_is_not_hidden():
    def fails(event):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_models.quick(run_models.example("figure-1"), callback=fails)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": 0}, "`draws` must be a whole number, at least 1; it is 0"),
        ({"warmup": -1}, "`warmup` must be a whole number, at least 0"),
        ({"draws": 5, "thin": 6}, "`draws` must be a whole number, at least 6; it is 5"),
        ({"chains": 2.5}, "`chains` must be a whole number"),
        ({"thin": True}, "`thin` must be a whole number"),
        ({"engine": "gibbs"}, "there is no engine `gibbs`"),
        ({"keep": ["nu"]}, "`keep` names `nu`"),
        ({"draws": 10**12}, "of memory"),
    ],
)
def test_options_that_make_no_sense_are_named(options, message):
    with pytest.raises(ModelError) as caught:
        run_models.quick(run_models.example("mixture"), **options)
    assert message in str(caught.value)


def test_an_unknown_setting_of_an_engine_is_named():
    with pytest.raises(TypeError, match=r"no option `stepsize`; there are .*step_size"):
        run_models.quick(run_models.example("mixture"), stepsize=0.1)


def test_a_model_without_variables_can_be_sampled():
    fit = run_models.quick(lfppl.compile("(let [a 2] (observe (normal a 1) 1) (* a 3))"))
    assert (fit.draws["return"] == 6.0).all()
    assert fit.warnings == ()


@pytest.mark.parametrize("warmup", [0, 1, 7])
def test_short_warm_ups_do(warmup):
    fit = run_models.quick(run_models.example("mixture"), warmup=warmup, draws=20)
    assert fit.draws["mu"].shape == (2, 20, 2)
