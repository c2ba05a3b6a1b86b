"""Statements: samples of many shapes, observations of arrays, distributions chosen by values."""

from __future__ import annotations

import numpy as np

from constructs.registry import case
from lfppl import factor, observe, sample
from lfppl.distributions import (
    bernoulli,
    bernoulli_logit,
    beta,
    binomial,
    categorical,
    categorical_logit,
    cauchy,
    dirichlet,
    exponential,
    gamma,
    geometric,
    half_normal,
    inverse_gamma,
    laplace,
    logistic,
    lognormal,
    mvn,
    negative_binomial,
    normal,
    poisson,
    student_t,
    uniform,
    weibull,
)

Y = np.array([0.5, 1.2, 2.0])
COUNTS = np.array([0, 3, 1])
M = np.array([[1.0, 2.0, -1.0], [0.5, -1.0, 4.0]])


@case(y=Y, counts=COUNTS)
def families(y, counts):
    a = sample(gamma(2, 1))
    b = sample(half_normal(1))
    p = sample(beta(2, 2))
    u = sample(uniform(0, 3))
    observe(lognormal(a, b), y)
    observe(student_t(4, a, b), y)
    observe(cauchy(a, b), y)
    observe(laplace(a, b), y)
    observe(logistic(a, b), y)
    observe(exponential(a), y)
    observe(inverse_gamma(a, b), y)
    observe(weibull(a, b), y)
    observe(uniform(-1, 2 + u), y)
    observe(poisson(a), counts)
    observe(binomial(5, p), counts)
    observe(geometric(p), counts)
    observe(negative_binomial(a, p), counts)
    observe(bernoulli(p), counts > 0)
    observe(bernoulli_logit(a), counts > 1)
    return u


@case(y=Y)
def keywords_of_distributions(y):
    mu = sample(normal(mean=0, sd=2))
    rate = sample(gamma(rate=2, shape=3))
    observe(normal(sd=rate, mean=mu), y)
    observe(normal(mu, sd=1), value=y[0])


@case(y=Y)
def shapes_of_samples(y):
    a = sample(normal(0, 1), shape=3)
    b = sample(normal(a, 1))
    c = sample(normal(0, [1.0, 2.0, 3.0]))
    d = sample(normal(b, 1), shape=(2, 3))
    e = sample(poisson(np.exp(a)), shape=(2, 3))
    n = len(y)
    f = sample(uniform(0, 1), shape=(n, n - 1))
    g = sample(normal(0, 1), shape=1)
    return a, b, c, d, e, f, g


@case(y=Y, m=M)
def vectors(y, m):
    w = sample(dirichlet([1.0, 2.0, 3.0]))
    v = sample(dirichlet(np.ones(3)), shape=2)
    x = sample(mvn([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]]))
    z = sample(categorical(w), shape=4)
    k = sample(categorical(v[1]))
    observe(categorical_logit([x[0], x[1], 0.0]), 2)
    observe(categorical(v), np.array([0, 2]))
    observe(mvn(x, np.eye(2)), m[:, 0])
    return w, v, x, z, k


@case(y=Y)
def distributions_chosen_by_values(y):
    k = sample(categorical([0.3, 0.3, 0.4]))
    x = sample(normal(0, 1))
    emission = [normal(-1, 1), normal(0, 2), student_t(3, 1, 1)]
    observe(emission[k], y[0])
    noise = normal(x, 1) if x < 0 else laplace(x, 2)
    observe(noise, y[1])
    prior = normal(0, 1)
    a = sample(prior)
    if y[0] > 0:
        family = laplace
    else:
        family = normal
    observe(family(x, 1), y)
    return a


@case(y=Y, m=M)
def observations(y, m):
    mu = sample(normal(0, 1))
    b = sample(normal(0, 1), shape=2)
    observe(normal(mu, 1), y)
    observe(normal(mu, 1), m)
    observe(normal(b[:, None], 1), m)
    observe(normal(m @ y, 1 + mu**2), b)
    observe(normal(0, 1), mu - b[0])
    observe(normal(mu, 1), [0.1, 0.2])
    observe(poisson(np.exp(b)), np.array([1, 2]))
    for i, row in enumerate(m):
        observe(normal(b[i] * np.arange(3), 2), row)
        if b[i] > 0:
            observe(normal(b[i], 1), row[0])
    observe(normal(mu, np.array([1.0, 2.0, 3.0])), 0.5)


@case(y=Y)
def factors(y):
    x = sample(normal(0, 1), shape=3)
    factor(-((x - y) ** 2))
    factor(-np.abs(x).max())
    if x.sum() > 0:
        factor(-1)
    for i in range(3):
        factor(0 if x[i] < y[i] else -2)
    factor(np.where(x > 0, -0.5, 0.0).sum() + sum(x))


@case(y=Y)
def reassigned_data(y):
    centre = y.mean()
    y = (y - centre) / y.std()
    n = y.size
    x = sample(normal(0, 1), shape=n)
    observe(normal(x, 0.1), y)
    scale = np.log(np.abs(y) + 1).cumsum()
    observe(normal(x * scale, 1), y[::-1])
    return centre


def squared(v):
    return v * v


def summed(parts):
    return parts["a"] + parts["b"] * parts["a"]


@case(y=Y)
def samples_inside_expressions(y):
    total = 0.0
    for v in [sample(normal(0, 1)), sample(normal(1, 1))]:
        total += v * v
    observe(normal([0.0, 1.0, 5.0][sample(categorical([0.2, 0.3, 0.5]))], 1), y)
    return (
        total,
        squared(sample(normal(0, 1))),
        summed({"a": sample(normal(0, 1)), "b": sample(normal(0, 1))}),
        [v * v for v in (sample(normal(0, 1)), sample(normal(0, 1)))],
        max(sample(normal(0, 1)), sum([sample(normal(0, 1)), sample(normal(0, 2))])),
        (sample(normal(0, 1), shape=3) ** 2).std() + np.clip(sample(normal(0, 1)), -1, 1),
        np.where(sample(normal(0, 1), shape=3) > 0, sample(normal(0, 1)), 0),
        (
            0 < sample(normal(0, 1)) < 1,
            sample(poisson(1)) in (0, 2),
            np.mod(sample(gamma(2, 1)), 1),
        ),
        np.argmax(sample(normal(0, 1), shape=3)),
        np.repeat(sample(normal(0, 1), shape=2), 2),
        np.digitize(sample(normal(0, 1)), [0.0, 1.0]),
        (np.ptp(sample(normal(0, 1), shape=4)), np.cumprod(sample(normal(0, 1), shape=4))),
        np.average(sample(normal(0, 1), shape=3), weights=[1, 2, 3]),
    )
