"""Models as people who know NumPy write them."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import expit, log_ndtr, logsumexp

from constructs.registry import case
from lfppl import factor, observe, sample
from lfppl.distributions import (
    bernoulli,
    bernoulli_logit,
    beta,
    binomial,
    categorical,
    dirichlet,
    exponential,
    gamma,
    half_normal,
    negative_binomial,
    normal,
    poisson,
    student_t,
    uniform,
)

SEED = np.random.default_rng(11)
X = SEED.normal(size=(8, 3)).round(2)
Y = SEED.normal(size=8).round(2)
COUNTS = np.array([0, 0, 3, 1, 0, 7, 2, 0])
GROUP = np.array([0, 1, 2, 0, 1, 2, 2, 0])
RATINGS = np.array([0, 1, 2, 3, 1, 2, 0, 3])
TIMES = np.array([1.2, 0.4, 3.1, 2.2, 5.0, 5.0, 0.7, 5.0])
SEEN = np.array([1, 1, 1, 1, 0, 0, 1, 0])
EDGES = np.array([[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0]])


@case(y=Y, group=GROUP, x=X)
def hierarchical_slopes(y, group, x):
    n_groups = len(np.unique(group))
    mu = sample(normal(0, 2), shape=2)
    tau = sample(half_normal(1), shape=2)
    offset = sample(normal(0, 1), shape=(n_groups, 2), dims=("group", "effect"))
    effects = mu + tau * offset
    sigma = sample(exponential(1))
    observe(normal(effects[group, 0] + effects[group, 1] * x[:, 0], sigma), y)
    return effects


@case(ratings=RATINGS, x=X)
def ordinal_regression(ratings, x):
    b = sample(normal(0, 1), shape=x.shape[1])
    first = sample(normal(-1, 1))
    gaps = sample(exponential(1), shape=2)
    cuts = np.concatenate([[first], first + np.cumsum(gaps)])
    eta = x @ b
    for i in range(len(ratings)):
        below = expit(cuts - eta[i])
        upper = np.concatenate([below, [1.0]])
        lower = np.concatenate([[0.0], below])
        observe(categorical(upper - lower), ratings[i])
    return cuts


@case(counts=COUNTS)
def several_change_points(counts):
    n = len(counts)
    first = sample(uniform(0, n))
    second = sample(uniform(first, n))
    rates = sample(gamma(2, 0.5), shape=3)
    t = np.arange(n)
    segment = (t >= first).astype(int) + (t >= second)
    observe(poisson(rates[segment]), counts)
    return segment


@case(counts=COUNTS)
def change_points_by_count(counts, n_segments=3):
    cuts = [sample(uniform(0, len(counts))) for _ in range(n_segments - 1)]
    rates = sample(gamma(2, 0.5), shape=n_segments)
    for t, count in enumerate(counts):
        k = 0
        for cut in cuts:
            if t > cut:
                k += 1
        observe(poisson(rates[k]), count)
    return cuts


@case(y=Y)
def autoregression_with_a_threshold(y):
    phi = sample(normal(0, 0.5), shape=2)
    threshold = sample(normal(0, 1))
    sigma = sample(half_normal(1))
    for t in range(1, len(y)):
        if y[t - 1] < threshold:
            mean = phi[0] * y[t - 1]
        else:
            mean = phi[1] * y[t - 1]
        observe(normal(mean, sigma), y[t])
    return phi


@case(y=Y)
def autoregression_in_arrays(y):
    phi = sample(normal(0, 0.5), shape=2)
    threshold = sample(normal(0, 1))
    previous, current = y[:-1], y[1:]
    observe(normal(np.where(previous < threshold, phi[0], phi[1]) * previous, 1), current)


@case(times=TIMES, seen=SEEN, x=X)
def survival(times, seen, x):
    b = sample(normal(0, 1), shape=3)
    shape = sample(gamma(2, 1))
    rate = np.exp(x @ b)
    log_survival = -((rate * times) ** shape)
    log_hazard = np.log(shape) + shape * np.log(rate) + (shape - 1) * np.log(times)
    factor(np.sum(seen * log_hazard + log_survival))
    return np.median(times), rate.mean()


@case(times=TIMES, seen=SEEN)
def cure_model(times, seen):
    cured = sample(beta(1, 1))
    rate = sample(gamma(2, 1))
    for t, d in zip(times, seen):  # noqa: B905
        if d:
            factor(math.log(1) + np.log(1 - cured) + np.log(rate) - rate * t)
        else:
            factor(np.log(cured + (1 - cured) * np.exp(-rate * t)))


@case(counts=COUNTS)
def zero_inflated(counts):
    psi = sample(beta(1, 1))
    rate = sample(gamma(2, 1))
    active = sample(bernoulli(psi), shape=len(counts))
    for i, count in enumerate(counts):
        if active[i]:
            observe(poisson(rate), count)
        else:
            factor(0.0 if count == 0 else -math.inf)
    return active.sum()


@case(counts=COUNTS, x=X)
def zero_inflated_regression(counts, x):
    b = sample(normal(0, 1), shape=3)
    psi = sample(beta(1, 1))
    log_rate = x @ b
    zero = np.logaddexp(np.log(psi), np.log1p(-psi) - np.exp(log_rate))
    rest = np.log1p(-psi) + counts * log_rate - np.exp(log_rate)
    factor(np.where(counts == 0, zero, rest).sum())


@case(y=Y, x=X)
def mixture_of_regressions(y, x):
    n, k = len(y), 2
    weights = sample(dirichlet(np.ones(k)))
    b = sample(normal(0, 2), shape=(k, x.shape[1]), dims=("component", "covariate"))
    sd = sample(half_normal(1), shape=k)
    z = sample(categorical(weights), shape=n)
    for i in range(n):
        observe(normal(np.dot(x[i], b[z[i]]), sd[z[i]]), y[i])
    return np.array([(z == j).sum() for j in range(k)])


@case(y=Y)
def mixture_by_hand(y):
    weights = sample(dirichlet([2.0, 1.0, 1.0]))
    mu = sample(normal(0, 3), shape=3)
    for v in y:
        terms = [np.log(weights[k]) - 0.5 * (v - mu[k]) ** 2 for k in range(3)]
        factor(logsumexp(terms))
    return np.argmax(weights)


@case(edges=EDGES)
def stochastic_block(edges):
    n = edges.shape[0]
    p = sample(beta(1, 1), shape=(2, 2))
    z = sample(bernoulli(0.5), shape=n)
    for i in range(n):
        for j in range(i + 1, n):
            observe(bernoulli(p[z[i], z[j]]), edges[i, j])
    return z


@case(y=Y)
def hidden_states(y):
    stay = sample(beta(8, 2), shape=2)
    mu = sample(normal(0, 2), shape=2)
    state = sample(bernoulli(0.5), name="first")
    states = [state]
    for t in range(1, len(y)):
        p = 1 - stay[0] if state == 0 else stay[1]
        state = sample(bernoulli(p))
        states.append(state)
    observe(normal(mu[np.array(states)], 1), y)
    return states


@case(y=Y)
def hidden_states_in_an_array(y):
    transition = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
    mu = sample(normal(0, 2), shape=3)
    z = np.zeros(len(y), dtype=int)
    z[0] = sample(categorical([1.0, 1.0, 1.0]))
    for t in range(1, len(y)):
        z[t] = sample(categorical(transition[z[t - 1]]))
    observe(normal(mu[z], 0.5), y)
    return z


@case(y=Y)
def local_level_with_jumps(y):
    level = sample(normal(0, 1), name="level_0")
    sd = sample(half_normal(0.5))
    for v in y:
        jump = sample(bernoulli(0.1))
        step = sample(normal(0, 1))
        level = level + (5 if jump else sd) * step
        observe(student_t(4, level, 0.5), v)
    return level


@case(successes=np.array([3, 5, 0, 9]), trials=np.array([10, 10, 8, 12]))
def beta_binomial_groups(successes, trials):
    mean = sample(beta(2, 2))
    strength = sample(gamma(2, 0.1))
    theta = sample(beta(mean * strength, (1 - mean) * strength), shape=len(trials))
    observe(binomial(trials, theta), successes)
    return theta.max() - theta.min(), np.argmax(theta)


@case(x=X, y=Y)
def spike_and_slab(x, y):
    p = x.shape[1]
    inclusion = sample(beta(1, 1))
    on = sample(bernoulli(inclusion), shape=p)
    slab = sample(normal(0, 3), shape=p)
    beta_ = np.where(on == 1, slab, 0.0)
    sigma = sample(half_normal(1))
    observe(normal(x @ beta_, sigma), y)
    return on.sum(), beta_


@case(x=X, y=Y)
def probit_with_errors_in_labels(x, y):
    b = sample(normal(0, 1), shape=3)
    flip = sample(beta(1, 9))
    eta = x @ b
    seen = y > 0
    log_p = log_ndtr(eta)
    for i in range(len(y)):
        wrong = sample(bernoulli(flip))
        answer = seen[i] != wrong
        factor(log_p[i] if answer else np.log1p(-np.exp(log_p[i])))


@case(x=X, y=Y)
def small_network(x, y):
    w1 = sample(normal(0, 1), shape=(3, 4))
    b1 = sample(normal(0, 1), shape=4)
    w2 = sample(normal(0, 1), shape=4)
    hidden = np.maximum(x @ w1 + b1, 0)
    observe(normal(hidden @ w2, 1), y)


@case(counts=COUNTS, group=GROUP)
def overdispersed_counts(counts, group):
    effect = sample(normal(0, 1), shape=group.max() + 1)
    size = sample(gamma(2, 1))
    mu = np.exp(effect[group])
    observe(negative_binomial(size, size / (size + mu)), counts)
    predicted = [mu[i] for i in range(len(mu)) if counts[i] > 0]
    return np.mean(predicted)


@case(y=Y)
def sorted_by_selection(y):
    age = sample(uniform(0, 100))
    band = np.digitize(age, [18, 40, 65])
    effects = sample(normal(0, 1), shape=4)
    price = np.select([age < 18, age < 65], [0.5, 1.0], 0.7)
    observe(normal(effects[band] * price, 1), y)
    return band, np.searchsorted([18, 40, 65], age), np.heaviside(age - 50, 0.5)


@case(x=X, y=Y)
def gaussian_process(x, y):
    scale = sample(gamma(2, 1))
    t = x[:, 0]
    distance = (t[:, None] - t[None, :]) ** 2
    kernel = np.exp(-distance / (2 * scale**2)) + 0.1 * np.eye(len(t))
    f = kernel @ y
    observe(normal(f, 1), y)
    return kernel[0, 1], kernel.sum(axis=0)


@case(y=Y, x=X)
def matching_of_logits(y, x):
    b = sample(normal(0, 1), shape=3)
    logits = x @ b
    observe(bernoulli_logit(logits), (y > 0).astype(int))
    p = 1 / (1 + np.exp(-logits))
    accuracy = np.mean((p > 0.5) == (y > 0))
    return accuracy, p
