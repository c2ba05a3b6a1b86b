"""The distributions for models that are Python functions: names, parameters and summaries.

The functions are read, not run: a model's source is translated, and what a distribution is stands
in `lfppl.core.distributions`. They are here so that editors know them.

>>> normal(0, 1)
Traceback (most recent call last):
lfppl.errors.base.ModelError: error[outside-model]: `normal` was called outside a model
  help: call it in a function under `@lfppl.model`; the function is translated, not run
"""

from __future__ import annotations

from typing import Any, TypeAlias

import lfppl.errors.python as errors

Number: TypeAlias = Any
"""A number, or an array of numbers: one variable for each."""

Vector: TypeAlias = Any
"""A list or array of numbers, or a matrix whose rows are such vectors."""

Matrix: TypeAlias = Any
"""A list of lists, or a two-dimensional array."""


class Distribution:
    """What these functions stand for: `sample` draws from it, `observe` compares with it."""


__all__ = [
    "Distribution",
    "bernoulli",
    "bernoulli_logit",
    "beta",
    "beta_binomial",
    "binomial",
    "binomial_logit",
    "categorical",
    "categorical_logit",
    "cauchy",
    "chi_squared",
    "dirichlet",
    "discrete_uniform",
    "exponential",
    "gamma",
    "geometric",
    "half_cauchy",
    "half_normal",
    "hypergeometric",
    "inverse_gamma",
    "laplace",
    "logistic",
    "lognormal",
    "mvn",
    "negative_binomial",
    "normal",
    "pareto",
    "poisson",
    "poisson_log",
    "student_t",
    "triangular",
    "truncated_normal",
    "uniform",
    "von_mises",
    "weibull",
]


def normal(mean: Number, sd: Number) -> Distribution:
    """Normal, by its standard deviation.

    `sd` is greater than 0.
    Values: all real numbers.
    """
    raise errors.outside_model("normal")


def student_t(df: Number, location: Number, scale: Number) -> Distribution:
    """Student's t with df degrees of freedom, moved and stretched.

    `df` is greater than 0; `scale` is greater than 0.
    Values: all real numbers.
    """
    raise errors.outside_model("student_t")


def cauchy(location: Number, scale: Number) -> Distribution:
    """Cauchy: very heavy tails.

    `scale` is greater than 0.
    Values: all real numbers.
    """
    raise errors.outside_model("cauchy")


def laplace(location: Number, scale: Number) -> Distribution:
    """Laplace: an exponential to both sides, with a kink at its location.

    `scale` is greater than 0.
    Values: all real numbers.
    """
    raise errors.outside_model("laplace")


def logistic(location: Number, scale: Number) -> Distribution:
    """Logistic: its cumulative distribution is the sigmoid.

    `scale` is greater than 0.
    Values: all real numbers.
    """
    raise errors.outside_model("logistic")


def lognormal(mean: Number, sd: Number) -> Distribution:
    """Its logarithm is normal with this mean and standard deviation.

    `sd` is greater than 0.
    Values: 0 or greater.
    """
    raise errors.outside_model("lognormal")


def half_normal(scale: Number) -> Distribution:
    """The size of a normal around 0.

    `scale` is greater than 0.
    Values: 0 or greater.
    """
    raise errors.outside_model("half_normal")


def half_cauchy(scale: Number) -> Distribution:
    """The size of a Cauchy around 0.

    `scale` is greater than 0.
    Values: 0 or greater.
    """
    raise errors.outside_model("half_cauchy")


def exponential(rate: Number) -> Distribution:
    """Waiting time at this rate.

    `rate` is greater than 0.
    Values: 0 or greater.
    """
    raise errors.outside_model("exponential")


def gamma(shape: Number, rate: Number) -> Distribution:
    """Gamma, by shape and rate: mean shape / rate.

    `shape` is greater than 0; `rate` is greater than 0.
    Values: 0 or greater.
    """
    raise errors.outside_model("gamma")


def inverse_gamma(shape: Number, scale: Number) -> Distribution:
    """One over a gamma with this shape and rate = scale.

    `shape` is greater than 0; `scale` is greater than 0.
    Values: 0 or greater.
    """
    raise errors.outside_model("inverse_gamma")


def chi_squared(df: Number) -> Distribution:
    """Chi-squared with df degrees of freedom.

    `df` is greater than 0.
    Values: 0 or greater.
    """
    raise errors.outside_model("chi_squared")


def weibull(shape: Number, scale: Number) -> Distribution:
    """Weibull, by shape and scale.

    `shape` is greater than 0; `scale` is greater than 0.
    Values: 0 or greater.
    """
    raise errors.outside_model("weibull")


def pareto(scale: Number, shape: Number) -> Distribution:
    """Power law from scale on.

    `scale` is greater than 0; `shape` is greater than 0.
    Values: from scale on.
    """
    raise errors.outside_model("pareto")


def uniform(low: Number, high: Number) -> Distribution:
    """Uniform between low and high.

    Values: from low to high.
    """
    raise errors.outside_model("uniform")


def beta(a: Number, b: Number) -> Distribution:
    """Beta on (0, 1): mean a / (a + b).

    `a` is greater than 0; `b` is greater than 0.
    Values: from 0 to 1.
    """
    raise errors.outside_model("beta")


def triangular(low: Number, mode: Number, high: Number) -> Distribution:
    """Triangle between low and high with its peak at mode.

    Values: from low to high.
    """
    raise errors.outside_model("triangular")


def truncated_normal(mean: Number, sd: Number, low: Number, high: Number) -> Distribution:
    """Normal with this mean and sd, given that it falls between low and high.

    `sd` is greater than 0.
    Values: from low to high.
    """
    raise errors.outside_model("truncated_normal")


def von_mises(mean: Number, concentration: Number) -> Distribution:
    """Von Mises: an angle between -pi and pi.

    `concentration` is 0 or greater.
    Values: from -pi to pi.
    """
    raise errors.outside_model("von_mises")


def mvn(mean: Vector, covariance: Matrix) -> Distribution:
    """Multivariate normal, by mean and covariance matrix.

    `mean` is a vector of real numbers; `covariance` is a symmetric positive definite matrix.
    Values: all vectors.
    """
    raise errors.outside_model("mvn")


def dirichlet(concentration: Vector) -> Distribution:
    """A vector of probabilities that sum to 1.

    `concentration` is a vector of numbers greater than 0.
    Values: vectors of probabilities that sum to 1.
    """
    raise errors.outside_model("dirichlet")


def bernoulli(p: Number) -> Distribution:
    """1 with probability p, else 0.

    `p` is between 0 and 1.
    Values: 0 and 1.
    """
    raise errors.outside_model("bernoulli")


def bernoulli_logit(logit: Number) -> Distribution:
    """1 with probability 1 / (1 + exp(-logit)), else 0.

    Values: 0 and 1.
    """
    raise errors.outside_model("bernoulli_logit")


def binomial(n: Number, p: Number) -> Distribution:
    """Successes in n trials of probability p.

    `n` is an integer, 0 or greater; `p` is between 0 and 1.
    Values: integers from 0 to n.
    """
    raise errors.outside_model("binomial")


def binomial_logit(n: Number, logit: Number) -> Distribution:
    """Successes in n trials of probability 1 / (1 + exp(-logit)).

    `n` is an integer, 0 or greater.
    Values: integers from 0 to n.
    """
    raise errors.outside_model("binomial_logit")


def negative_binomial(r: Number, p: Number) -> Distribution:
    """Failures before the r-th success of probability p.

    `r` is greater than 0; `p` is between 0 and 1.
    Values: integers from 0 on.
    """
    raise errors.outside_model("negative_binomial")


def poisson(rate: Number) -> Distribution:
    """Events in a unit of time at this rate.

    `rate` is 0 or greater.
    Values: integers from 0 on.
    """
    raise errors.outside_model("poisson")


def poisson_log(log_rate: Number) -> Distribution:
    """Events in a unit of time at the rate exp(log-rate).

    Values: integers from 0 on.
    """
    raise errors.outside_model("poisson_log")


def geometric(p: Number) -> Distribution:
    """Failures before the first success of probability p.

    `p` is between 0 and 1.
    Values: integers from 0 on.
    """
    raise errors.outside_model("geometric")


def discrete_uniform(low: Number, high: Number) -> Distribution:
    """One of the integers from low to high, both included.

    `low` is an integer; `high` is an integer.
    Values: integers from low to high.
    """
    raise errors.outside_model("discrete_uniform")


def beta_binomial(n: Number, a: Number, b: Number) -> Distribution:
    """Successes in n trials whose probability is beta(a, b).

    `n` is an integer, 0 or greater; `a` is greater than 0; `b` is greater than 0.
    Values: integers from 0 to n.
    """
    raise errors.outside_model("beta_binomial")


def hypergeometric(population: Number, successes: Number, draws: Number) -> Distribution:
    """Successes among draws without replacement.

    `population` is an integer, 0 or greater; `successes` is an integer, 0 or greater; `draws`
    is an integer, 0 or greater.
    Values: integers from max(0, draws + successes - population) to min(successes, draws).
    """
    raise errors.outside_model("hypergeometric")


def categorical(weights: Vector) -> Distribution:
    """K with probability weights[k], the weights being divided by their sum.

    `weights` is a vector of numbers 0 or greater, not all 0.
    Values: integers from 0, one per element.
    """
    raise errors.outside_model("categorical")


def categorical_logit(logits: Vector) -> Distribution:
    """K with probability proportional to exp(logits[k]).

    `logits` is a vector of real numbers.
    Values: integers from 0, one per element.
    """
    raise errors.outside_model("categorical_logit")
