"""Fits with reports that tests look at: one with branches, one with a thousand labels."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

import lfppl
import run_models
from lfppl import observe, sample
from lfppl.distributions import categorical, normal
from lfppl.results.fit import Fit

NAMES = ("change-point", "labels")


@lfppl.model
def clusters(y):
    low = sample(normal(-1, 1))
    high = sample(normal(1, 1))
    for n in range(len(y)):
        z = sample(categorical([0.5, 0.5]))
        observe(normal(low if z == 0 else high, 1), y[n])
    return high - low


def made(name):
    if name == "change-point":
        return run_models.example(name), {"draws": 300, "warmup": 200, "chains": 4}
    generator = np.random.default_rng(1)
    y = generator.normal(np.repeat([-2.0, 2.0], [400, 600]))
    return clusters(y), {"draws": 100, "warmup": 100, "chains": 2}


@cache
def fits() -> dict[str, Fit]:
    return {name: run_models.quick(made(name)[0], **made(name)[1]) for name in NAMES}


def pages(folder: Path) -> dict[str, Path]:
    for name, fit in fits().items():
        fit.report(folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in NAMES}
