"""Random functions as people might write them: branches, loops, arrays and samples, nested."""

from __future__ import annotations

import linecache
import math
from random import Random
from types import FunctionType
from typing import Any

import numpy as np

from lfppl import factor, observe, sample
from lfppl.distributions import bernoulli, categorical, normal

LENGTH = 3
"""How many elements arrays have."""


class Writer:
    """Writes the body of a function; what is defined can be used afterwards."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.numbers = ["y[0]"]
        self.arrays = ["y"]
        self.whole = ["1"]
        self.made = 0

    def name(self, kind: str) -> str:
        self.made += 1
        return f"{kind}{self.made}"

    # --- expressions -----------------------------------------------------------------------------

    def number(self, depth: int = 2) -> str:
        choose = self.random.choice
        if depth == 0 or self.random.random() < 0.25:
            return choose([*self.numbers, "0.5", "-1.0", "2"])
        a, b = (lambda: self.number(depth - 1)), (lambda: self.array(depth - 1))
        forms = [
            lambda: f"({a()} + {a()})",
            lambda: f"({a()} - {a()})",
            lambda: f"np.tanh({a()} * {a()})",
            lambda: f"max({a()}, {a()})",
            lambda: f"abs({a()})",
            lambda: f"math.exp(-abs({a()}))",
            lambda: f"({a()} if {self.test(depth - 1)} else {a()})",
            lambda: f"{choose(self.arrays)}[{self.index()}]",
            lambda: f"({b()}).sum()",
            lambda: f"np.mean({b()})",
            lambda: f"({b()} @ {choose(self.arrays)})",
            lambda: f"sum(v * {choose(self.numbers)} for v in {choose(self.arrays)})",
            lambda: f"helper({a()}, by={a()})",
            lambda: f"np.max({b()})",
            lambda: f"[{a()}, {a()}, {a()}][{self.index()}]",
            lambda: f"{{'u': {a()}, 'v': {a()}}}['v']",
            lambda: f"staged({a()}, {b()})",
            lambda: f"np.array([{b()}, {b()}])[{choose(['0', '1', ':, 1', ':, 0'])}].min()",
            lambda: f"np.outer({b()}, {b()})[1].sum()",
            lambda: f"({b()})[1:].prod()",
        ]
        return str(choose(forms)())

    def array(self, depth: int = 2) -> str:
        choose = self.random.choice
        if depth == 0 or self.random.random() < 0.3:
            return choose(self.arrays)
        a, b = (lambda: self.number(depth - 1)), (lambda: self.array(depth - 1))
        forms = [
            lambda: f"({b()} + {a()})",
            lambda: f"({b()} * np.tanh({b()}))",
            lambda: f"np.where({b()} < {a()}, {b()}, {a()})",
            lambda: f"np.maximum({b()}, {a()})",
            lambda: f"np.cumsum({b()})",
            lambda: f"({b()})[::-1]",
            lambda: f"np.roll({b()}, 1)",
            lambda: f"np.array([{a()}, {a()}, {a()}])",
            lambda: f"np.array([v * {choose(self.numbers)} for v in {choose(self.arrays)}])",
            lambda: f"({b()})[np.array([2, 0, 0])]",
            lambda: f"(M @ ({b()}))",
            lambda: f"(({b()} > {a()}) * 1.0)",
            lambda: f"np.concatenate([({b()})[:2], [{a()}]])",
            lambda: f"np.array([{b()}, {b()}]).sum(axis=0)",
            lambda: f"(M * ({b()})[:, None]).max(axis=1)",
            lambda: f"np.clip({b()}, -1, {choose(['0.5', '1'])})",
            lambda: f"np.outer({b()}, {b()})[:, {self.index()}]",
            lambda: f"np.select([{b()} < 0, {b()} < {a()}], [{b()}, {a()}], {a()})",
        ]
        return str(choose(forms)())

    def test(self, depth: int = 1) -> str:
        choose = self.random.choice
        simple = f"{self.number(depth)} {choose(['<', '>', '<=', '>='])} {self.number(depth)}"
        if depth == 0 or self.random.random() < 0.6:
            return simple
        forms = [
            lambda: f"({simple} and {self.test(depth - 1)})",
            lambda: f"({simple} or {self.test(depth - 1)})",
            lambda: f"not ({simple})",
            lambda: f"-1 < {self.number(depth - 1)} < 1",
            lambda: f"{choose(self.whole)} == 1",
        ]
        return str(choose(forms)())

    def index(self) -> str:
        return self.random.choice(["0", "-1", *self.whole])

    # --- statements ------------------------------------------------------------------------------

    def block(self, count: int, indent: str, depth: int, sampling: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            lines += [indent + line for line in self.statement(depth, sampling)]
        return lines

    def statement(self, depth: int, sampling: bool) -> list[str]:
        forms = [self.assigned, self.changed, self.observed]
        forms += [self.sampled] * (2 if sampling else 0)
        forms += [self.branch, self.loop, self.filling] if depth else []
        forms += [self.growing, self.stored, self.counting, self.carried] if depth else []
        return self.random.choice(forms)(depth)

    def assigned(self, depth: int) -> list[str]:
        if self.random.random() < 0.5:
            value, name = self.number(), self.name("a")
            self.numbers.append(name)
        else:
            value, name = self.array(), self.name("b")
            self.arrays.append(name)
        return [f"{name} = {value}"]

    def changed(self, depth: int) -> list[str]:
        own = [name for name in self.numbers if name.isidentifier() and name[0] != "x"]
        if not own:
            return self.assigned(depth)
        return [f"{self.random.choice(own)} {self.random.choice(['+=', '-='])} {self.number()}"]

    def observed(self, depth: int) -> list[str]:
        return self.random.choice(
            [
                lambda: [f"observe(normal({self.number()}, 1), {self.number(1)})"],
                lambda: [f"observe(normal({self.array()}, 2), y)"],
                lambda: [f"factor(-abs({self.number()}))"],
            ]
        )()

    def sampled(self, depth: int) -> list[str]:
        kind = self.random.choice(["number", "array", "whole"])
        if kind == "number":
            line = f"{(name := self.name('x'))} = sample(normal({self.number()}, 1))"
            self.numbers.append(name)
        elif kind == "array":
            line = f"{(name := self.name('z'))} = sample(normal({self.number()}, 1), shape=3)"
            self.arrays.append(name)
        else:
            family = self.random.choice(["bernoulli(0.4)", "categorical([0.2, 0.3, 0.5])"])
            line = f"{(name := self.name('k'))} = sample({family})"
            self.whole.append(name)
        return [line]

    def scoped(self, count: int, depth: int, sampling: bool = False) -> list[str]:
        """Statements whose new names are not used behind them."""
        before = [list(each) for each in (self.numbers, self.arrays, self.whole)]
        lines = self.block(count, "    ", depth, sampling)
        self.numbers, self.arrays, self.whole = before
        return lines

    def branch(self, depth: int) -> list[str]:
        lines = [f"if {self.test()}:", *self.scoped(2, depth - 1)]
        if self.random.random() < 0.4:
            lines += [f"elif {self.test()}:", *self.scoped(1, depth - 1)]
        if self.random.random() < 0.7:
            lines += ["else:", *self.scoped(2, depth - 1)]
        return lines

    def loop(self, depth: int) -> list[str]:
        total, v = self.name("t"), self.name("v")
        before = [f"{total} = {self.number(1)}"]
        head = self.random.choice(
            [
                f"for {v} in {self.random.choice(self.arrays)}:",
                f"for i, {v} in enumerate({self.random.choice(self.arrays)}):",
                f"for {v}, _ in zip({self.random.choice(self.arrays)}, y):",
            ]
        )
        self.numbers += [v, total]
        body = [f"    {total} = np.tanh({total} * {self.number()})"] * self.random.choice([0, 1])
        if self.random.random() < 0.3:
            body += [f"    if {self.test()}:", "        continue"]
        body += self.scoped(2, depth - 1)
        self.numbers.remove(v)
        return [*before, head, *body]

    def filling(self, depth: int) -> list[str]:
        name = self.name("w")
        value = self.number()
        sampled = depth == 2 and self.random.random() < 0.5  # a branch might not reach it
        line = f"sample(normal({value}, 1))" if sampled else value
        lines = [f"{name} = np.zeros(3)", "for j in range(3):", f"    {name}[j] = {line}"]
        self.arrays.append(name)
        return lines

    def growing(self, depth: int) -> list[str]:
        """A list that grows, with what it has so far."""
        name = self.name("l")
        start = f"sample(normal({self.number(1)}, 1))" if depth == 2 else self.number(1)
        step = f"{name}[-1] * {self.number(1)}"
        value = f"sample(normal(np.tanh({step}), 1))" if depth == 2 else f"np.tanh({step})"
        lines = [f"{name} = [{start}]", "for _ in range(2):", f"    {name}.append({value})"]
        self.arrays.append(f"np.array({name})")
        return lines

    def stored(self, depth: int) -> list[str]:
        """A copy with other elements."""
        name, base = self.name("c"), self.array(1)
        lines = [f"{name} = np.array({base}) * 1.0", f"{name}[{self.random.choice('012')}] += 1"]
        place = self.random.choice(["1:", "[0, 2]", "::2", "-1"])
        lines.append(f"{name}[{place}] = {self.number(1)}")
        self.arrays.append(name)
        return lines

    def counting(self, depth: int) -> list[str]:
        """A loop whose end is known."""
        i, total = self.name("n"), self.name("s")
        return [
            f"{i}, {total} = 0, {self.number(1)}",
            f"while {i} < 2:",
            f"    {total} = np.tanh({total} + {self.number(1)} * {i})",
            f"    {i} += 1",
            *([f"factor(-abs({total}))"] if self.random.random() < 0.5 else []),
        ]

    def carried(self, depth: int) -> list[str]:
        """A loop that carries two values and an array."""
        a, b, c = self.name("p"), self.name("q"), self.name("r")
        lines = [f"{a}, {b}, {c} = {self.number(1)}, {self.number(1)}, {self.array(1)}"]
        lines += [f"for v in {self.random.choice(self.arrays)}:"]
        lines += [f"    if {self.test()}:", f"        {a} = np.tanh({a} - v)"]
        lines += ["    else:", f"        {a}, {b} = np.tanh({b}), np.tanh({a} * v)"]
        lines += [f"    {c} = np.tanh({c} + {b})"]
        self.numbers += [a, b]
        self.arrays.append(c)
        return lines


def staged(v: Any, b: Any) -> Any:
    for each in b:
        v = np.tanh(v + each)
    if v < 0:
        return b[0]
    if v < 0.5:  # noqa: SIM108
        w = v * b[1]
    else:
        w = b.sum()
    return np.tanh(w)


def helper(v: Any, by: Any = 1.0) -> Any:
    if v < 0:
        return by
    return v * np.tanh(by)


def written(seed: int) -> tuple[FunctionType, str]:
    """A random function of `y`, and its text."""
    writer = Writer(seed)
    body = writer.block(6, "    ", 2, True)
    result = ", ".join([*writer.numbers[-3:], *writer.arrays[-2:], *writer.whole[-1:]])
    text = "\n".join(["def random_model(y):", *body, f"    return {result}", ""])
    name = f"<random-{seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {
        "__name__": __name__,
        "M": np.array([[1.0, 0.5, 0.0], [0.0, 1.0, -1.0], [0.3, 0.0, 1.0]]),
        "bernoulli": bernoulli,
        "categorical": categorical,
        "factor": factor,
        "helper": helper,
        "staged": staged,
        "math": math,
        "normal": normal,
        "np": np,
        "observe": observe,
        "sample": sample,
    }
    exec(compile(text, name, "exec"), names)  # noqa: S102
    return names["random_model"], text
