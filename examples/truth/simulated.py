"""Data simulated for examples: what was assumed, and the seed."""

from __future__ import annotations

from typing import Any

import numpy as np


def mixture_four() -> dict[str, Any]:
    """Twelve points of four clusters around -3, 0, 1.5 and 4."""
    random = np.random.default_rng(4)
    labels = random.choice(4, size=12, p=[0.4, 0.3, 0.2, 0.1])
    return {"y": random.normal(np.array([-3.0, 0.0, 1.5, 4.0])[labels], 1).round(2)}


def change_points() -> dict[str, Any]:
    """Sixty counts of rate 2, from time 20 on of rate 6, from time 45 on of rate 1."""
    random = np.random.default_rng(2)
    return {"counts": random.poisson(np.repeat([2.0, 6.0, 1.0], [20, 25, 15]))}


def zero_one_loss() -> dict[str, Any]:
    """Forty labels of a plane with coefficients 0.3, 1 and -1; a tenth of them are wrong."""
    random = np.random.default_rng(1)
    x = np.column_stack([np.ones(40), random.normal(size=(40, 2)).round(2)])
    wrong = random.random(40) < 0.1
    return {"X": x, "y": np.where((x @ [0.3, 1, -1] > 0) ^ wrong, 1, -1)}


def truncated() -> dict[str, Any]:
    """What exceeds 1.5 of forty normal readings of mean 2 and standard deviation 2."""
    random = np.random.default_rng(3)
    y = random.normal(2, 2, 40).round(2)
    return {"y": y[y > 1.5]}


def zero_inflated() -> dict[str, Any]:
    """Thirty days, of which three in ten are idle; 1.5 are caught on the others."""
    random = np.random.default_rng(5)
    catch = np.where(random.random(30) < 0.3, 0, random.poisson(1.5, 30))
    return {"empty": (catch == 0).sum(), "caught": catch[catch > 0]}


def broken_line() -> dict[str, Any]:
    """A line of height 1 at its knee, 0.5, with slopes -0.5 and 2 and noise of 0.3."""
    random = np.random.default_rng(6)
    x = np.linspace(-2, 2, 25).round(2)
    beyond = x - 0.5
    line = 1 + np.where(beyond < 0, -0.5, 2) * beyond
    return {"x": x, "y": (line + random.normal(0, 0.3, 25)).round(2)}


SIMULATED = {
    "mixture-four": mixture_four,
    "change-points": change_points,
    "zero-one-loss": zero_one_loss,
    "truncated": truncated,
    "zero-inflated": zero_inflated,
    "broken-line": broken_line,
}
