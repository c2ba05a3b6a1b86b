"""The same models in array style and in loop style, with their data."""

from __future__ import annotations

import math

import numpy as np

import lfppl
from lfppl import factor, observe, sample
from lfppl.distributions import (
    bernoulli,
    bernoulli_logit,
    categorical,
    categorical_logit,
    dirichlet,
    exponential,
    gamma,
    half_normal,
    normal,
    poisson,
    student_t,
    uniform,
)

N = 12
ROWS = np.random.default_rng(5)
Y = ROWS.normal(size=N).round(3)
X = ROWS.normal(size=(N, 3)).round(3)
COUNTS = ROWS.poisson(4, size=N)
GROUP = np.array([0, 2, 1, 1, 0, 2, 2, 3, 3, 0, 1, 2])


@lfppl.model
def regression_array(X, y):  # noqa: N803
    beta = sample(normal(0, 2), shape=3)
    sd = sample(half_normal(1))
    observe(normal(X @ beta, sd), y)


@lfppl.model
def regression_loop(X, y):  # noqa: N803
    beta = [sample(normal(0, 2)) for j in range(3)]
    sd = sample(half_normal(1))
    for i in range(len(y)):
        observe(normal(X[i] @ beta, sd), y[i])


@lfppl.model
def line_array(x, y):
    slope, level = sample(normal(0, 1)), sample(normal(0, 1))
    observe(student_t(4, level + slope * x, 2), y)


@lfppl.model
def line_loop(x, y):
    slope, level = sample(normal(0, 1)), sample(normal(0, 1))
    for u, v in zip(x, y, strict=True):
        observe(student_t(4, level + slope * u, 2), v)


@lfppl.model
def mixture_array(y):
    weights = sample(dirichlet([1, 2, 3]))
    mu = sample(normal(0, 2), shape=3)
    z = sample(categorical(weights), shape=len(y))
    observe(normal(mu[z], 1), y)


@lfppl.model
def mixture_loop(y):
    weights = sample(dirichlet([1, 2, 3]))
    mu = np.zeros(3)
    for k in range(3):
        mu[k] = sample(normal(0, 2))
    z = []
    for _ in y:
        z.append(sample(categorical(weights)))
    for n in range(len(y)):
        observe(normal(mu[z[n]], 1), y[n])


@lfppl.model
def change_array(counts):
    tau = sample(uniform(0, len(counts)))
    early, late = sample(gamma(2, 1)), sample(gamma(2, 1))
    rate = np.where(np.arange(len(counts)) < tau, early, late)
    observe(poisson(rate), counts)


@lfppl.model
def change_loop(counts):
    tau = sample(uniform(0, len(counts)))
    early, late = sample(gamma(2, 1)), sample(gamma(2, 1))
    for t, count in enumerate(counts):
        rate = early if t < tau else late
        observe(poisson(rate), count)


@lfppl.model
def hierarchy_array(y, group):
    mu, tau = sample(normal(0, 3)), sample(half_normal(1))
    theta = sample(normal(mu, tau), shape=4)
    observe(normal(theta[group], 1), y)


@lfppl.model
def hierarchy_loop(y, group):
    mu, tau = sample(normal(0, 3)), sample(half_normal(1))
    theta = [sample(normal(mu, tau)) for g in range(4)]
    for v, g in zip(y, group, strict=True):
        observe(normal(theta[g], 1), v)


@lfppl.model
def slab_array(X, y):  # noqa: N803
    on = sample(bernoulli(0.5), shape=X.shape[1])
    slope = sample(normal(0, 2), shape=X.shape[1])
    observe(normal(X @ (on * slope), 1), y)


@lfppl.model
def slab_loop(X, y):  # noqa: N803
    on = sample(bernoulli(0.5), shape=X.shape[1])
    slope = sample(normal(0, 2), shape=X.shape[1])
    beta = [on[j] * slope[j] for j in range(X.shape[1])]
    for i in range(len(y)):
        observe(normal(np.dot(X[i, :], beta), 1), y[i])


@lfppl.model
def logistic_array(x, y):
    a, b = sample(normal(0, 1)), sample(normal(0, 1))
    observe(bernoulli_logit(a + b * x), y > 0)


@lfppl.model
def logistic_loop(x, y):
    a, b = sample(normal(0, 1)), sample(normal(0, 1))
    for i in range(len(x)):
        observe(bernoulli_logit(a + b * x[i]), y[i] > 0)


@lfppl.model
def threshold_array(x, y):
    cut = sample(normal(0, 1))
    slopes = sample(normal(0, 2), shape=2)
    observe(normal(np.where(x < cut, slopes[0], slopes[1]) * x, 1), y)


@lfppl.model
def threshold_loop(x, y):
    cut = sample(normal(0, 1))
    slopes = sample(normal(0, 2), shape=2)
    for i in range(len(x)):
        if x[i] < cut:  # noqa: SIM108
            slope = slopes[0]
        else:
            slope = slopes[1]
        observe(normal(slope * x[i], 1), y[i])


@lfppl.model
def robust_array(y):
    mu = sample(normal(0, 1))
    outlier = sample(bernoulli(0.1), shape=len(y))
    observe(normal(mu, np.where(outlier, 10, 1)), y)


@lfppl.model
def robust_loop(y):
    mu = sample(normal(0, 1))
    for v in y:
        outlier = sample(bernoulli(0.1))
        observe(normal(mu, 10 if outlier else 1), v)


@lfppl.model
def clipped_array(x, y):
    slope, top = sample(normal(0, 1)), sample(exponential(1))
    observe(normal(np.minimum(slope * x, top), 1), y)


@lfppl.model
def clipped_loop(x, y):
    slope, top = sample(normal(0, 1)), sample(exponential(1))
    for u, v in zip(x, y, strict=True):
        observe(normal(min(slope * u, top), 1), v)


@lfppl.model
def softmax_array(X, answers):  # noqa: N803
    beta = sample(normal(0, 1), shape=(3, 4))
    observe(categorical_logit(X @ beta), answers)


@lfppl.model
def softmax_loop(X, answers):  # noqa: N803
    beta = sample(normal(0, 1), shape=(3, 4))
    for i in range(len(answers)):
        observe(categorical_logit(X[i] @ beta), answers[i])


@lfppl.model
def penalty_array(y):
    mu = sample(normal(0, 1), shape=len(y))
    factor(-0.5 * np.sum((mu - y) ** 2))
    factor(-math.log(2) * np.abs(mu).sum())


@lfppl.model
def penalty_loop(y):
    mu = sample(normal(0, 1), shape=len(y))
    factor(-0.5 * sum((mu[i] - y[i]) ** 2 for i in range(len(y))))
    factor(-math.log(2) * sum(abs(m) for m in mu))


PAIRS = {
    "regression": (regression_array, regression_loop, {"X": X, "y": Y}),
    "line": (line_array, line_loop, {"x": X[:, 0], "y": Y}),
    "mixture": (mixture_array, mixture_loop, {"y": Y}),
    "change": (change_array, change_loop, {"counts": COUNTS}),
    "hierarchy": (hierarchy_array, hierarchy_loop, {"y": Y, "group": GROUP}),
    "slab": (slab_array, slab_loop, {"X": X, "y": Y}),
    "logistic": (logistic_array, logistic_loop, {"x": X[:, 1], "y": Y}),
    "threshold": (threshold_array, threshold_loop, {"x": X[:, 2], "y": Y}),
    "robust": (robust_array, robust_loop, {"y": Y}),
    "clipped": (clipped_array, clipped_loop, {"x": X[:, 2], "y": Y}),
    "softmax": (softmax_array, softmax_loop, {"X": X, "answers": GROUP}),
    "penalty": (penalty_array, penalty_loop, {"y": Y}),
}
"""In array style, in loop style, and the data of both."""
