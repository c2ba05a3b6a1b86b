"""Functions: nested, from outside, with defaults, closures, lambdas, f-strings in names."""

from __future__ import annotations

import math

import numpy as np

from constructs.registry import case
from lfppl import factor, observe, sample
from lfppl.distributions import half_normal, normal, poisson

SCALE = 1.5
TABLE = np.array([[1.0, 2.0], [3.0, 4.0]])
SETTINGS = {"sd": 2.0, "levels": [0.0, 1.0, 5.0]}
Y = np.array([0.5, -1.2, 2.0])


def softplus(x, sharpness=1.0):
    """Smooth maximum of x and 0."""
    return np.log1p(np.exp(sharpness * x)) / sharpness


def standardised(v):
    return (v - v.mean()) / v.std()


def piecewise(x, knots=(0.0, 1.0), *, slope=2.0):
    if x < knots[0]:
        return 0.0
    if x < knots[1]:
        return slope * (x - knots[0])
    return slope * (knots[1] - knots[0])


def effect(name, sd):
    return sample(normal(0, sd), name=name)


def pair(sd):
    left = sample(normal(0, sd))
    right = sample(normal(left, sd))
    return left, right


def likelihood(mu, y):
    for v in y:
        observe(normal(mu, SCALE), v)


def twice(function, x):
    return function(function(x))


@case(y=Y)
def plain_functions(y):
    x = sample(normal(0, 1))
    likelihood(softplus(x), y)
    z = standardised(y) * x
    return softplus(x, sharpness=2.0), piecewise(x), piecewise(x, slope=1.0), z


@case(y=Y)
def nested_functions(y):
    x = sample(normal(0, 1))

    def shifted(v, by=1.0):
        return v + by * x

    def summed(vs):
        total = 0.0
        for v in vs:
            total += shifted(v)
        return total

    square = lambda v: v * v  # noqa: E731
    return summed(y), shifted(2.0, by=3), square(x), twice(square, x), (lambda a, b=2: a * b)(x)


@case(y=Y)
def closures_over_constants(y):
    x = sample(normal(0, SETTINGS["sd"]))
    k = sample(poisson(1))
    levels = SETTINGS["levels"]
    total = TABLE @ y[:2] * x
    return total, levels[1] + x, TABLE[1, 0] * k, math.e, math.inf > x, len(levels)


@case(y=Y)
def names_from_texts(y):
    a = effect("a", 1)
    effects = [effect(f"effect_{i}", i + 1) for i in range(3)]
    b = sample(normal(a, 1), name="b_" + "c".upper())
    for region in ("north", "south"):
        c = sample(normal(0, 1), name=f"{region}_{2:02d}")
        factor(-c * c)
    return a, effects, b


@case(y=Y)
def samples_in_functions(y):
    first, second = pair(2.0)
    sd = sample(half_normal(1))
    observe(normal(first + second, sd), y)
    return first, second


@case(y=Y, scale=None, kind="flat")
def options_as_data(y, scale=None, kind="flat"):
    x = sample(normal(0, 1))
    if scale is None:
        scale = sample(half_normal(1))
    if kind == "flat":
        observe(normal(x, scale), y)
    else:
        observe(normal(x * np.arange(len(y)), scale), y)
    return scale


@case(y=Y)
def functions_chosen_now(y):
    x = sample(normal(0, 1))
    links = {"log": np.exp, "identity": softplus}
    chosen = links["log"]
    results = [f(x) for f in (np.sin, math.cos, softplus)]
    return chosen(x), results


@case(y=Y, table={"u": [1.0, 2.0, 3.0], "v": np.array([0.1, 0.2, 0.3])})
def tables(y, table):
    b = sample(normal(0, 1))
    mu = b * np.asarray(table["u"]) + table["v"]
    observe(normal(mu, 1), y)
    total = 0.0
    for name in ("u", "v"):
        total += np.sum(table[name]) * b
    for key, column in table.items():
        total += column[0] * (2 if key == "u" else 3)
    options = {"a": b, "b": 2 * b}
    return mu, total, options["b"]


class Settings:
    """Constants in one place."""

    sd = 0.5

    def __init__(self, level):
        self.level = level


settings = Settings(1.5)


@case(y=Y)
def dictionaries(y):
    params = {"sd": sample(half_normal(1))}
    params["mu"] = sample(normal(settings.level, settings.sd))
    params["total"] = 0.0
    for v in y:
        params["total"] += v * params["mu"]
    if params["mu"] > 0:
        params["sign"] = 1.0
        params["total"] *= 2
    else:
        params["sign"] = -1.0
    observe(normal(params["mu"], params["sd"]), y)
    return params


@case(y=Y)
def starred(y):
    x = sample(normal(0, 1), shape=3)
    first, *rest = x
    *others, last = y
    a, *middle, b = [1.0, x[0], 3.0, 4.0]
    return first, rest, others, last, a, middle, b, [*rest, 0.0], max(*rest)
