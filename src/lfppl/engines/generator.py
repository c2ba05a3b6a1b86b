"""Random numbers of one chain: xoshiro256++ (Blackman and Vigna, 2021), alone and eight abreast.

A chain's generator is 36 words: eight generators side by side, which fill arrays by SIMD, and one
more for single draws. Law and state are the same on every machine.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from lfppl.engines.native import Intrinsic, address, contraction, kernel

LANES = 8
SINGLE = 4 * LANES
GENERATOR_WORDS = SINGLE + 4
CHUNK = 256
"""Words drawn at a time when an array is filled: they stay in the first-level cache."""

_WORD = ir.IntType(64)
_BLOCK = ir.VectorType(_WORD, LANES)
_HALF_SQRT2 = math.sqrt(0.5)
_LOG2 = math.log(2.0)
_ONE_BITS = 0x3FF0000000000000
_HALF_BITS = 0x3FE0000000000000
_MANTISSA = 0x000FFFFFFFFFFFFF
_MAGIC_BITS = 0x4330000000000000
"""The bits of 2**52: a small integer put into its mantissa is the double 2**52 + integer."""
_MAGIC_SHIFT = 2.0**52 + 1022.0


def new_generator(seeds: np.random.SeedSequence) -> NDArray[np.uint64]:
    """The generator state of one chain.

    >>> new_generator(np.random.SeedSequence(1)).shape
    (36,)
    """
    return np.asarray(seeds.generate_state(GENERATOR_WORDS, np.uint64), np.uint64)


def _broadcast(number: int) -> Any:
    return ir.Constant(_BLOCK, [number] * LANES)


def _rotate(builder: Any, word: Any, count: int) -> Any:
    left = builder.shl(word, _broadcast(count))
    return builder.or_(left, builder.lshr(word, _broadcast(64 - count)))


def _next_block(builder: Any, s: list[Any]) -> tuple[Any, list[Any]]:
    """One step of eight generators: their output and new state."""
    output = builder.add(_rotate(builder, builder.add(s[0], s[3]), 23), s[0])
    shifted = builder.shl(s[1], _broadcast(17))
    second, third = builder.xor(s[2], s[0]), builder.xor(s[3], s[1])
    state = [
        builder.xor(s[0], third),
        builder.xor(s[1], second),
        builder.xor(second, shifted),
        _rotate(builder, third, 45),
    ]
    return output, state


def _typed_fill_words(context: Any, state: Any, out: Any, blocks: Any) -> Any:
    """Write `blocks` times eight random words at the address `out`."""
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        state, out = (builder.inttoptr(value, _BLOCK.as_pointer()) for value in values[:2])
        places = [builder.gep(state, [ir.Constant(_WORD, k)]) for k in range(4)]
        begin = builder.block
        body, end = builder.append_basic_block(), builder.append_basic_block()
        first = [builder.load(place, align=8) for place in places]
        some = builder.icmp_signed(">", values[2], ir.Constant(_WORD, 0))
        builder.cbranch(some, body, end)
        builder.position_at_end(body)
        count = builder.phi(_WORD)
        words = [builder.phi(_BLOCK) for _ in range(4)]
        output, state = _next_block(builder, words)
        builder.store(output, builder.gep(out, [count]), align=8)
        following = builder.add(count, ir.Constant(_WORD, 1))
        count.add_incoming(ir.Constant(_WORD, 0), begin)
        count.add_incoming(following, body)
        for phi, old, new, place in zip(words, first, state, places, strict=True):
            phi.add_incoming(old, begin)
            phi.add_incoming(new, body)
            builder.store(new, place, align=8)
        builder.cbranch(builder.icmp_signed("<", following, values[2]), body, end)
        builder.position_at_end(end)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def _typed_as_double(context: Any, bits: Any) -> Any:
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], ir.DoubleType())

    return types.float64(types.uint64), generate


def _typed_as_bits(context: Any, number: Any) -> Any:
    from numba import types

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], _WORD)

    return types.uint64(types.float64), generate


_fill_words: Any = Intrinsic(_typed_fill_words)
_as_double: Any = Intrinsic(_typed_as_double)
_as_bits: Any = Intrinsic(_typed_as_bits)


@kernel
def next_word(state: NDArray[np.uint64]) -> int:
    """One random word."""
    s0, s1 = state[SINGLE], state[SINGLE + 1]
    s2, s3 = state[SINGLE + 2], state[SINGLE + 3]
    total = s0 + s3
    output = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    second, third = s2 ^ s0, s3 ^ s1
    state[SINGLE] = s0 ^ third
    state[SINGLE + 1] = s1 ^ second
    state[SINGLE + 2] = second ^ (s1 << np.uint64(17))
    state[SINGLE + 3] = (third << np.uint64(45)) | (third >> np.uint64(19))
    return output  # type: ignore[no-any-return]


@kernel
def _open_unit(word: int) -> float:
    """A number strictly between 0 and 1 from the upper 52 bits of a word."""
    return _as_double((np.uint64(word) >> np.uint64(12)) | np.uint64(_ONE_BITS)) - (1.0 - 2.0**-53)  # type: ignore[no-any-return]


@kernel
def draw_uniform(state: NDArray[np.uint64]) -> float:
    """A draw strictly between 0 and 1."""
    return _open_unit(next_word(state))


@kernel
def draw_below(state: NDArray[np.uint64], count: int) -> int:
    """A draw from 0 .. count - 1 (the bias is below count / 2**52)."""
    return min(int(draw_uniform(state) * count), count - 1)


@contraction
def _minus_log(unit: float) -> float:
    """-log of a number in (0, 1), without branches, so that loops over it become SIMD.

    log m = 2 artanh((m - 1) / (m + 1)) for the mantissa m in [sqrt(1/2), sqrt(2)).
    """
    bits = _as_bits(unit)
    exponent = _as_double((bits >> np.uint64(52)) | np.uint64(_MAGIC_BITS)) - _MAGIC_SHIFT
    mantissa = _as_double((bits & np.uint64(_MANTISSA)) | np.uint64(_HALF_BITS))
    low = mantissa < _HALF_SQRT2
    mantissa = mantissa * 2.0 if low else mantissa
    exponent = exponent - 1.0 if low else exponent
    ratio = (mantissa - 1.0) / (mantissa + 1.0)
    q = ratio * ratio
    series = 1 / 17 + q * (1 / 19 + q * (1 / 21))
    series = 1 / 9 + q * (1 / 11 + q * (1 / 13 + q * (1 / 15 + q * series)))
    series = 1 + q * (1 / 3 + q * (1 / 5 + q * (1 / 7 + q * series)))
    return -(exponent * _LOG2 + 2.0 * ratio * series)  # type: ignore[no-any-return]


@contraction
def fill_laplace(
    state: NDArray[np.uint64], words: NDArray[np.uint64], out: Any, scale: Any, begin: int, end: int
) -> None:
    """Fill out[begin:end] with Laplace draws of scale `scale[i]`; `words` is scratch of CHUNK."""
    for start in range(begin, end, CHUNK):
        count = min(CHUNK, end - start)
        _fill_words(address(state), address(words), (count + LANES - 1) // LANES)
        for i in range(count):
            size = scale[start + i] * _minus_log(_open_unit(words[i]))
            out[start + i] = _as_double(_as_bits(size) ^ (words[i] << np.uint64(63)))


@kernel
def draw_normal_pair(state: NDArray[np.uint64]) -> tuple[float, float]:
    """Two independent standard normal draws (Box and Muller, 1958)."""
    radius = math.sqrt(2.0 * _minus_log(draw_uniform(state)))
    angle = 2.0 * math.pi * draw_uniform(state)
    return radius * math.cos(angle), radius * math.sin(angle)


@kernel
def shuffle(state: NDArray[np.uint64], order: NDArray[np.int64], count: int) -> None:
    """Write a uniformly random permutation of 0 .. count - 1 (Fisher and Yates)."""
    for i in range(count):
        j = draw_below(state, i + 1)
        order[i] = order[j]
        order[j] = i
