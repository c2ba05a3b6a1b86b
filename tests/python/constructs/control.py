"""Assignments, branches and loops."""

from __future__ import annotations

import math

import numpy as np

from constructs.registry import case
from lfppl import factor, observe, sample
from lfppl.distributions import bernoulli, categorical, gamma, half_normal, normal, poisson, uniform

Y = np.array([0.5, -1.2, 2.0, 0.1])
X = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.0], [-2.0, 1.5]])


@case(y=Y)
def unpacking(y):
    a, b = sample(normal(0, 1)), sample(normal(1, 2))
    (c, d), e = (a + b, a - b), 3
    first, second, third, _ = y
    a, b = b, a
    [p, q] = [c * 2, d / 3]
    r = s = p + q
    u, v = X[0]
    return a, b, c, d, e, first, second, third, p, q, r, s, u, v


@case(y=Y)
def augmented(y):
    x = sample(normal(0, 1))
    total = 1.0
    total += x
    total *= 2
    total -= y[0]
    total /= 3
    total **= 2
    total //= 0.25
    total %= 3
    z = np.zeros(3)
    z[1] += x
    z[2] -= 2 * x
    z += 1
    xs = [x]
    xs += [2.0]
    xs.append(total)
    xs.extend([x, x * x])
    return total, z, xs, len(xs)


@case(y=Y)
def chained_branches(y):
    x = sample(normal(0, 1))
    k = sample(categorical([0.2, 0.3, 0.5]))
    if x < -0.5:
        level, scale = -1.0, 1.0
    elif x < 0.5 and k != 1:
        level, scale = 0.0, 2.0
        observe(normal(x, 1), y[0])
    elif k == 2 or not x > 1:
        level, scale = x, 3.0
        factor(-x)
    else:
        level, scale = 2.0, 4.0
    observe(normal(level, scale), y)
    return level, scale


@case(y=Y)
def nested_branches(y):
    x, w = sample(normal(0, 1)), sample(normal(0, 1))
    best = 0.0
    if x > 0:
        best = x
        if w > x:
            best = w
            factor(-1)
        else:
            observe(normal(w, 1), y[1])
    else:
        if w < 0:
            best = -1.0
    return best


@case(y=Y)
def conditional_expressions(y):
    x, w = sample(normal(0, 1)), sample(normal(0, 1))
    a = 1 if x < w else 2 if x < 0 else 3
    b = (x if x > 0 else -x) + (0 if y[0] > 0 else 100)
    observe(normal(0, 1) if x < 0 else normal(w, 2), y[2])
    return a, b, (y if x < 0 else -y)


@case(y=Y)
def chained_comparisons(y):
    x, w = sample(normal(0, 1)), sample(normal(0, 1))
    inside = -1 < x <= w < 2
    mixed = 0 < x > w
    equal = sample(poisson(1)) == sample(poisson(1)) != 3
    return inside, mixed, equal, 0 <= y[0] < 1, x != x, not inside


@case(y=Y)
def logic(y):
    x, w = sample(normal(0, 1)), sample(normal(0, 1))
    on = sample(bernoulli(0.4))
    a = 1.0 if x < 0 and w < 0 else 0.0
    b = 1.0 if x < 0 or w < 0 or on else 0.0
    c = 1.0 if not (x < 0 and not w < 0) else 0.0
    d = 1.0 if on and y[0] > 0 else 0.0
    e = 1.0 if (y[0] > 5 and x) or not on else 0.0
    f = (Y > 0) & (x < Y) | ~(w > Y)
    return a, b, c, d, e, np.where(f, 1, 0)


@case(y=Y)
def membership(y):
    k = sample(categorical([0.1, 0.2, 0.3, 0.4]))
    a = 1 if k in (0, 2) else 0
    b = 1 if k not in [1, 3] else 0
    c = 1 if 0.5 in y else 0
    n = None
    d = 1 if n is None else 2
    return a, b, c, d


@case(y=Y)
def loop_over_range(y):
    x = sample(normal(0, 1))
    total = 0.0
    for i in range(1, len(y), 2):
        total += x * i
    for i in range(3, 0, -1):
        total = total * 0.5 + i
    for _ in range(0):
        total = 1000.0
    for i in range(len(y)):
        observe(normal(x + i, 1), y[i])
    return total


@case(y=Y, x=X)
def loop_over_arrays(y, x):
    b = sample(normal(0, 1), shape=2)
    total = 0.0
    for v in y:
        observe(normal(b[0], 1), v)
    for row, v in zip(x, y, strict=True):
        observe(normal(row @ b, 2), v)
        total += row[0] * b[1]
    for i, v in enumerate(y):
        total += i * v * b[0]
    for i, (row, v) in enumerate(zip(x, y, strict=True), start=1):
        total += i * v * row[1] * b[0]
    for p, q in x:
        total += p * b[0] - q
    for each in b:
        total += each**2
    for each in [1.0, 2.0, 4.0]:
        total = total * 0.9 + each * b[1]
    for v in reversed(y):
        total = total / 2 + v
    return total


@case(y=Y)
def carried_states(y):
    x = sample(normal(0, 1))
    position, velocity = x, 1.0
    path = []
    for t in range(len(y)):
        velocity = velocity - 0.1 * position
        position = position + 0.5 * velocity
        if position > 1:
            velocity = -velocity
        observe(normal(position, 0.5), y[t])
        path.append(position)
    return position, velocity, path


@case(y=Y)
def random_walk(y):
    state = sample(normal(0, 1), name="start")
    sd = sample(half_normal(1))
    states = []
    for t in range(len(y)):
        state = sample(normal(state, sd))
        observe(normal(state, 1), y[t])
        states.append(state)
    return states, max(states)


@case(y=Y)
def walk_in_an_array(y):
    z = np.zeros(len(y))
    z[0] = sample(normal(0, 1))
    for t in range(1, len(y)):
        z[t] = sample(normal(0.5 * z[t - 1], 1))
    observe(normal(z, 1), y)
    return z


@case(y=Y)
def filled_arrays(y):
    z = np.zeros(len(y))
    m = np.zeros((2, 3))
    for i in range(len(y)):
        z[i] = sample(normal(0, 1))
    for i in range(2):
        for j in range(3):
            m[i, j] = sample(normal(i, j + 1))
    e = np.empty(3)
    for i in range(3):
        e[i] = m[0, i] * i
    return z, m.sum(), m[1], e


@case(y=Y)
def nested_loops(y):
    a = sample(normal(0, 1), shape=(3, 2))
    total = 0.0
    for i in range(3):
        inner = 0.0
        for j in range(2):
            inner += a[i, j] * (j + 1)
            for k in range(j):
                inner += k
        total += inner**2
    for i in range(4):
        for j in range(i):
            factor(-0.1 * (y[i] - y[j]) ** 2 * a[0, 0])
    return total


@case(y=Y)
def comprehensions(y):
    x = sample(normal(0, 1))
    a = [x * v for v in y]
    b = [i * v for i, v in enumerate(y)]
    c = sum(v * x for v in y if v > 0)
    d = [[i + j * x for j in range(2)] for i in range(3)]
    e = [u * v for u, v in zip(a, b, strict=True)]
    f = max([x, -x, 0.5])
    g = sum([x for _ in range(5)])
    h = [i for i in range(6) if i % 2 == 0]
    return a, b, c, d, e, f, g, h, len(h)


@case(y=Y)
def while_with_a_bound(y):
    x = sample(normal(0, 1))
    i, total = 0, 0.0
    while i < len(y):
        total += x * y[i]
        i += 1
    n = 100
    while n > 1:
        n //= 2
        total += 1
    while True:
        total *= 2
        if i > 2:
            break
    return i, n, total


@case(y=Y)
def continue_and_break(y):
    x = sample(normal(0, 1))
    total = 0.0
    for i in range(10):
        if i % 2:
            continue
        if i > 6:
            break
        total += i * x
    for v in y:
        if v < x:
            continue
        total += v
    return total


@case(y=Y)
def early_returns(y):
    x = sample(normal(0, 1))
    if len(y) == 0:
        return 0.0
    if x < -0.3:
        return x
    observe(normal(x, 1), y)
    if x > 0.7:
        factor(1)
        return 2 * x
    return x**2


@case(y=Y, n=3)
def known_branches(y, n):
    assert n == 3, "three"
    assert len(y) > 2 and y.min() > -5
    if n == 3:
        k = sample(gamma(2, 1))
    else:
        raise ValueError("never")
    if y.shape[0] > 100:
        k = k / 0
    text = "a" if n > 2 else "b"
    if text == "a":
        k = k + 1
    return k


@case(y=Y)
def pass_and_docstring(y):
    """A docstring.

    Of several lines.
    """
    x: float = sample(uniform(0, 1))
    if x > 0.5:
        pass
    else:
        ...
    z: float
    z = x
    "a string in between"
    return z, math.pi


@case(y=Y)
def list_that_grows_by_its_last_element(y):
    zs = [sample(normal(0, 1))]
    for v in y:
        zs.append(sample(normal(0.5 * zs[-1], 1)))
        observe(normal(zs[-1], 1), v)
    return zs, zs[-2]


@case(y=Y)
def lists_of_samples(y):
    pair = [sample(normal(0, 1)), sample(normal(2, 1))]
    table = [[sample(normal(i, 1)) for i in range(2)], [0.0, sample(normal(5, 1))]]
    table[1][0] = pair[0]
    pair[1] += 1
    return pair, table, len(pair)


@case(y=Y)
def stretches_replaced(y):
    a = sample(normal(0, 1), shape=6)
    b = a * 2
    b[1:3] = 0.0
    b[::3] = [1.0, a[1]]
    b[np.array([False, False, False, False, True, True])] = a[:2]
    b[[1, 2]] += 1
    m = np.zeros((3, 2))
    m[0] = a[:2]
    m[1:, 1] = a[4:]
    m[:, 0] -= 1
    w = np.ones((3, 2)) * a[0]
    w[0] = 5.0
    w[1:] = a[:2]
    w[:, 1] += a[3:]
    return b, m, w


@case(y=Y)
def lower_triangle(y):
    chol = np.zeros((3, 3))
    for i in range(3):
        for j in range(i + 1):
            chol[i, j] = sample(gamma(2, 1)) if i == j else sample(normal(0, 1))
    z = sample(normal(0, 1), shape=(3, 5))
    return (chol @ z).T, (chol @ chol.T).trace()


def filled(z, value):
    z[0] = value
    return z


@case(y=Y)
def copies(y):
    a = [1.0, sample(normal(0, 1))]
    b, c, d = a.copy(), list(a), a[:]
    b[0], d[1] = 5.0, 7.0
    c.append(1.0)
    x = sample(normal(0, 1), shape=3)
    v, w, u = x.copy(), np.array(x), np.asarray(x) + 0
    v[0] = 1.0
    w += 2
    u[1:] = 0.0
    data = y.copy()
    data[0] = 9.0
    y = y - 1
    new = filled(np.zeros(2), x[0])
    return a, b, c, d, x, v, w, u, data, y, new
