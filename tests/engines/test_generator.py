"""The generator's draws have the laws they should, and its lanes are xoshiro256++."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit
from scipy import stats

from lfppl.engines.generator import (
    CHUNK,
    SINGLE,
    draw_below,
    draw_normal_pair,
    draw_uniform,
    fill_laplace,
    new_generator,
    next_word,
    shuffle,
)

FALSE_ALARM = 1e-5


def generator(seed: int = 5):
    return new_generator(np.random.SeedSequence(seed))


def reference_words(state: list[int], count: int) -> list[int]:
    """xoshiro256++ in Python integers."""
    mask = 2**64 - 1

    def rotate(x, k):
        return ((x << k) | (x >> (64 - k))) & mask

    words = []
    for _ in range(count):
        words.append((rotate((state[0] + state[3]) & mask, 23) + state[0]) & mask)
        shifted = (state[1] << 17) & mask
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotate(state[3], 45)
    return words


def test_single_words_are_those_of_the_published_generator():
    state = generator()
    expected = reference_words([int(w) for w in state[SINGLE:]], 50)
    assert [int(next_word(state)) for _ in range(50)] == expected


def test_lanes_are_eight_published_generators():
    state = generator()
    lanes = [[int(state[8 * k + lane]) for k in range(4)] for lane in range(8)]
    expected = np.array([reference_words(lane, 3) for lane in lanes], np.uint64).T.ravel()
    words, out = np.zeros(CHUNK, np.uint64), np.zeros(24)
    fill_laplace(state, words, out, np.ones(24), 0, 24)
    assert words[:24].tolist() == expected.tolist()


def test_laplace_draws_follow_their_law():
    n = 200_000
    out, scale = np.zeros(n), np.linspace(0.5, 2.0, n)
    fill_laplace(generator(), np.zeros(CHUNK, np.uint64), out, scale, 0, n)
    assert stats.kstest(out / scale, "laplace").pvalue > FALSE_ALARM


def test_only_the_range_asked_for_is_filled():
    out = np.zeros(100)
    fill_laplace(generator(), np.zeros(CHUNK, np.uint64), out, np.ones(100), 10, 50)
    assert np.all(out[10:50] != 0.0)
    assert not out[:10].any()
    assert not out[50:].any()


@njit
def many_normals(state, out):
    for i in range(0, out.size, 2):
        out[i], out[i + 1] = draw_normal_pair(state)


def test_normal_draws_follow_their_law():
    out = np.zeros(200_000)
    many_normals(generator(), out)
    assert stats.kstest(out, "norm").pvalue > FALSE_ALARM
    assert abs(np.corrcoef(out[::2], out[1::2])[0, 1]) * 100_000**0.5 < 4.5


def test_uniform_draws_stay_inside_the_unit_interval():
    state = generator()
    draws = np.array([draw_uniform(state) for _ in range(20_000)])
    assert draws.min() > 0.0
    assert draws.max() < 1.0
    assert stats.kstest(draws, "uniform").pvalue > FALSE_ALARM


@pytest.mark.parametrize("count", [1, 3, 7])
def test_draws_below_a_number_are_uniform(count):
    state = generator(count)
    draws = [draw_below(state, count) for _ in range(10_000)]
    observed = np.bincount(draws, minlength=count)
    assert len(observed) == count
    assert stats.chisquare(observed).pvalue > FALSE_ALARM or count == 1


def test_all_orders_are_equally_likely():
    state, order = generator(), np.zeros(3, np.int64)
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(6_000):
        shuffle(state, order, 3)
        seen[tuple(order)] = seen.get(tuple(order), 0) + 1
    assert len(seen) == 6
    assert stats.chisquare(list(seen.values())).pvalue > FALSE_ALARM


def test_seeds_spawn_different_generators():
    first, second = np.random.SeedSequence(1).spawn(2)
    assert not np.array_equal(new_generator(first), new_generator(second))
