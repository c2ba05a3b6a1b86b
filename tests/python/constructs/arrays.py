"""Arrays as NumPy has them: broadcasting, products, indices and slices, and its functions."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from constructs.registry import case
from lfppl import observe, sample
from lfppl.distributions import bernoulli, categorical, gamma, normal

Y = np.array([0.5, -1.2, 2.0])
M = np.array([[1.0, 2.0, -1.0], [0.5, -1.0, 4.0]])
K = np.array([2, 0, 1, 1])


@case(m=M, y=Y)
def broadcasting(m, y):
    row = sample(normal(0, 1), shape=3)
    column = sample(normal(0, 1), shape=(2, 1))
    x = sample(normal(0, 1))
    total = m * row + column - x
    observe(normal(total, 1 + row**2), m)
    observe(normal(row, 1), y)
    return total, row[None, :] + column, column[:, 0] * 2, m / (1 + column**2), 2 - total


@case(m=M, y=Y)
def products(m, y):
    b = sample(normal(0, 1), shape=3)
    w = sample(normal(0, 1), shape=(3, 2))
    return (
        m @ b,
        b @ y,
        w.T @ b,
        m @ w,
        np.dot(b, y),
        np.dot(m, b),
        b.dot(y),
        np.matmul(w, m),
        np.outer(b, y),
        (m @ w).trace(),
        w.T[1],
        np.transpose(w)[0],
    )


@case(m=M, y=Y, k=K)
def indices(m, y, k):
    b = sample(normal(0, 1), shape=3)
    w = sample(normal(0, 1), shape=(3, 4))
    z = sample(categorical([0.2, 0.3, 0.5]))
    zs = sample(categorical([0.2, 0.3, 0.5]), shape=4)
    picked = (b[0], b[-1], b[z], y[z], b[k], b[zs], w[1], w[1, 2], w[-1][-2], w[z], w[z, 1])
    more = (w[:, z], w[k], w[zs], w[k, k], b[np.array([True, False, True])], b[y > 0], w[:, K == 1])
    assert math.isfinite(m[0, 0])
    return picked, more, m[:, z], b[zs[2]], [5.0, 6.0, 7.0][z]


@case(m=M, y=Y)
def slices(m, y):
    b = sample(normal(0, 1), shape=6)
    w = sample(normal(0, 1), shape=(3, 4))
    parts = (b[1:], b[:-1], b[1:3], b[::2], b[::-1], b[-2:], b[:], b[5:1:-2], b[1:] - b[:-1])
    blocks = (w[1:], w[:, 1:3], w[1:, :2], w[::2, -1], w[..., 0], w[0, ...], w[:, None, 1])
    total = 0.0
    for i in range(1, 6):
        total += b[:i].sum() * b[i:].mean()
    return parts, blocks, total


@case(y=Y)
def elementwise(y):
    x = sample(normal(0, 1), shape=3)
    p = sample(gamma(2, 1), shape=3)
    return (
        (np.exp(x), np.log(p), np.sqrt(p), np.square(x), np.log1p(p), np.expm1(x), np.abs(x)),
        (np.sin(x), np.cos(x), np.tan(x), np.tanh(x), np.arctan(x), np.sinh(x), np.cosh(x)),
        (np.floor(p * 3), np.ceil(p * 3), np.sign(x), np.maximum(x, y), np.minimum(x, 0.2)),
        (np.power(p, 1.5), np.divide(x, p), np.add(x, y), np.multiply(x, y), np.subtract(x, y)),
        (np.log2(p), np.log10(p), np.exp2(x), np.hypot(x, y), np.logaddexp(x, y), np.negative(x)),
        (np.clip(x, -0.5, 0.5), x.clip(0, None), np.where(x < y, x, y), np.reciprocal(p)),
        (np.round(3 * x), np.rint(3 * x), np.mod(x, 0.7), np.floor_divide(x, 0.7), np.fmax(x, y)),
        (np.logical_and(x < y, p > 1), np.logical_not(x < y), np.greater(x, y), np.isclose(1, y)),
        (special.expit(x), special.logit(p / (1 + p)), special.gammaln(p), special.erf(x)),
        (special.log_ndtr(x), special.ndtr(x), special.digamma(p), special.logsumexp(x)),
        (special.softmax(x), special.log_softmax(x), special.log_expit(x), special.betaln(p, 2)),
        (-x, +x, abs(x), x**3, x // 0.3, x % 0.3, 2**x),
    )


@case(y=Y)
def reductions(y):
    x = sample(normal(0, 1), shape=4)
    w = sample(normal(0, 1), shape=(3, 4))
    return (
        (x.sum(), x.mean(), x.max(), x.min(), x.prod(), x.std(), x.var()),
        (np.sum(x), np.mean(x), np.max(x), np.min(x), np.prod(x), np.std(x), np.var(x)),
        (w.sum(axis=0), w.sum(axis=1), w.mean(axis=0), w.max(axis=1), np.min(w, axis=0), w.sum()),
        (np.cumsum(x), x.cumsum(), np.cumprod(x), np.diff(x), w.mean(), w.sum(axis=-1)),
        (np.argmax(x), np.argmin(x), np.ptp(x)),
        ((x > 0).sum(), np.mean(x > 0), (x > 0).any(), np.all(x > -1), np.count_nonzero(x > 0)),
        (np.linalg.norm(x), np.average(x, weights=[1, 2, 3, 4]), np.var(x, ddof=1), x.std(ddof=1)),
    )


@case(y=Y)
def builders(y):
    x = sample(normal(0, 1))
    b = sample(normal(0, 1), shape=3)
    return (
        (np.array([x, 2.0, -x]), np.array([[x, 0.0], [1.0, b[0]]]), np.stack([b, 2 * b])),
        (
            np.concatenate([b, y]),
            np.append(b, x),
            np.repeat(b, 2),
            np.tile(b, 2),
            np.hstack([b, x]),
        ),
        (np.full(3, x), np.zeros(2), np.ones(2) * x, np.zeros_like(b), np.ones_like(b) + b),
        (np.arange(3) * b, np.linspace(0, 1, 3) + b, np.eye(3) @ b, np.diag(b), np.vstack([b, y])),
        (b.reshape(3, 1), np.column_stack([b, y]), b[:, None], np.flip(b), np.roll(b, 1), b.copy()),
        (np.column_stack((np.ones(3), y)) @ np.array([x, 2 * x]), b.ravel(), b.tolist()),
        (np.expand_dims(b, 0), np.squeeze(b[None]), b.reshape(-1), b.flatten(), np.asarray([x, x])),
        (np.broadcast_to(x, 3), np.full((2, 2), 0.5) * x, np.tril(np.eye(2))),
    )


@case(y=Y)
def builtins_of_python(y):
    x = sample(normal(0, 1))
    b = sample(normal(0, 1), shape=3)
    k = sample(categorical([0.2, 0.3, 0.5]))
    return (
        (len(b), sum(b), min(b), max(b), abs(x), round(3 * x), max(x, 0.0), min(x, b[0], 0.5)),
        (math.exp(x), math.sin(x), math.floor(x), math.ceil(x), math.fabs(x), math.atan(x)),
        (
            math.log1p(x * x),
            math.sqrt(x * x),
            math.pow(2, x),
            math.hypot(x, b[0]),
            math.lgamma(1.5),
        ),
        (
            float(x),
            int(3 * x),
            bool(x),
            pow(x, 2),
            any([x > 0, b[0] > 0]),
            all(b > -1),
            round(x, 1),
        ),
        (sorted([3, 1, 2]), len(range(4)), list(range(3)), tuple(b), list(zip(b, y, strict=True))),
        (
            math.tanh(x),
            math.erf(x),
            math.log(1 + x * x, 2),
            math.trunc(4 * x),
            math.log2(1 + x * x),
        ),
        (int(k), k + 1, k == 1, [10, 20, 30][k], math.comb(4, 2), math.prod([x, 2]), divmod(7, 2)),
        (sum([x, 1.0], 2.0), max([b[0], x]), min((x, 0))),
    )


@case(y=Y)
def truth_values(y):
    on = sample(bernoulli(0.5), shape=3)
    x = sample(normal(0, 1), shape=3)
    masked = x * (x > 0) + on * y
    return (
        masked,
        on.sum(),
        np.where(on, x, y),
        1 - on,
        on & (x > 0),
        np.where((x > 0) | (y > 0), 1, 2),
    )
