"""What the figures show: the integrator of the explanation is that of the engines."""

import inspect

import numpy as np
import pytest
from figures import integrator, subject

from docs.pages import ROOT
from lfppl.backends.llvm import CompiledDensity
from lfppl.engines.generator import new_generator
from lfppl.engines.integrators import ordered_step
from lfppl.engines.momentum import new_motion
from lfppl.engines.native import target_of


@pytest.fixture(scope="module")
def path():
    return subject.trajectory()


def test_the_trajectory_crosses_and_is_reflected(path):
    assert len(subject.crossings(path)) >= 2
    assert len(subject.reflections(path)) >= 2


def test_coordinate_updates_conserve_the_energy(path):
    total = path.potential + path.kinetic
    jumps = np.abs(np.diff(path.potential))[subject.crossings(path)]
    assert jumps.min() > 0.5
    assert np.ptp(total) < 0.05


def test_smaller_steps_have_smaller_errors():
    errors = []
    for time in (0.4, 0.2, 0.1):
        density = CompiledDensity(subject.model().density())
        smooth, rough = density.density.continuous, density.density.discontinuous
        density.x[:], p = subject.START, np.array(subject.MOMENTUM)
        before = sum(integrator.energy(density, p, smooth, rough))
        for _ in range(int(3.2 / time)):
            integrator.step(density, p, smooth, rough, time)
        errors.append(abs(sum(integrator.energy(density, p, smooth, rough)) - before))
    assert errors[2] < errors[1] < errors[0]


def test_the_engines_make_the_same_steps(path):
    density = subject.model().density()
    target = target_of(density, density.workspace())
    motion = new_motion(target, np.ones(2), new_generator(np.random.SeedSequence(1)))
    target.position[:], motion.momentum[:] = subject.START, subject.MOMENTUM
    caller = CompiledDensity(density)
    motion.gradient[:] = caller.gradient(target.position)[1]
    for expected in path.positions[1:]:
        ordered_step(target, motion, subject.TIME)
        assert target.position == pytest.approx(expected, abs=1e-9)


def test_the_page_shows_the_integrator_and_the_model_of_the_figures():
    page = (ROOT / "docs/dhmc.md").read_text("utf-8")
    for function in (integrator.jump, integrator.step, integrator.energy):
        assert inspect.getsource(function) in page
    assert subject.MODEL.read_text("utf-8") in page


def test_the_page_on_the_compiler_shows_the_model_of_its_figures():
    page = (ROOT / "docs/compiler.md").read_text("utf-8")
    assert subject.LIMIT.read_text("utf-8") in page
    assert subject.LIMIT.with_suffix(".json").read_text("utf-8") in page
    assert list(subject.limit_model().discontinuous) == ["limit"]


def test_the_thermostat_is_drawn_right_by_lfppl_and_not_by_nuts():
    start = np.linspace(17.4, 21.6, 43)
    weight = subject.exact_start(start)
    mean = np.trapezoid(start * weight, start)
    assert abs(subject.draws("dhmc").mean() - mean) < 0.05
    assert np.mean(np.abs(subject.draws("nuts") - mean) < 1.0) < 0.5
