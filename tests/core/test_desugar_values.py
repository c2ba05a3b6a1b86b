"""Every sugar has the value it should: desugared programs under the reference interpreter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from lfppl.core.desugar import desugar
from lfppl.reference.interpreter import interpret
from lfppl.source import Source
from lfppl.syntax import read_program

DATA: dict[str, Any] = {
    "p": 1.0,
    "q": -2.5,
    "v": np.array([3.0, 1.0, 2.0]),
    "w": np.array([10.0, 20.0]),
    "m": np.array([[1.0, 2.0], [3.0, 4.0]]),
}


def value(text: str) -> Any:
    """What a program returns, with the data above."""
    return interpret(desugar(read_program(Source("test", text)), DATA), DATA, {}).returned


ARITHMETIC = {
    "(- (+ p 3) 2)": 2,
    "(- (- p 3) 2)": -4,
    "(/ (* p 4) 2)": 2,
    "(* p -1)": -1,
    "(/ q)": -0.4,
    "(- q)": 2.5,
    "(+ 1 (if (< p 0) 1 2))": 3,
    "(+)": 0,
    "(*)": 1,
    "(+ p)": 1,
    "(- 10 1 2 3)": 4,
    "(/ 24 2 3)": 4,
    "(* 1 2 3 4)": 24,
    "(inc p)": 2,
    "(dec p)": 0,
    "(square (+ p 2))": 9,
    "(pow 2 3)": 8,
    "(expt 2 3)": 8,
    "(abs q)": 2.5,
    "(abs (- q))": 2.5,
    "(max q p)": 1,
    "(min q p 0)": -2.5,
    "(max 1 (+ 1 2) 2 q)": 3,
    "(max v)": 3,
    "(min v)": 1,
    "(max p)": 1,
    "(ceil q)": -2,
    "(floor q)": -3,
    "(round 2.5)": 3,
    "(round -2.6)": -3,
    "[(sign q) (sign 0) (sign p)]": [-1, 0, 1],
    "[(mod -7 3) (mod 7 3) (mod 7 -3)]": [2, 1, -2],
    "[(quot -7 3) (quot 7 3)]": [-2, 2],
    "[(rem -7 3) (rem 7 3)]": [-1, 1],
    "(exp 0)": 1,
    "(sqrt 9)": 3,
    "(abs [p q])": [1, 2.5],
    "(sign (vector p q))": [1, -1],
}

TRUTH = {
    "[(< 1 2) (< 2 1) (< 1 1)]": [1, 0, 0],
    "[(> 1 2) (> 2 1) (> 1 1)]": [0, 1, 0],
    "[(<= 1 2) (<= 2 1) (<= 1 1)]": [1, 0, 1],
    "[(>= 1 2) (>= 2 1) (>= 1 1)]": [0, 1, 1],
    "[(= 1 2) (= 2 1) (= 1 1) (= 1 1 2) (= 1 1 1)]": [0, 0, 1, 0, 1],
    "[(not= 1 2) (not= 1 1) (not= 1 1 2)]": [1, 0, 1],
    "[(< 1 2 3) (< 1 3 2) (> 3 2 1) (>= 3 3 1)]": [1, 0, 1, 1],
    "[(and) (or) (and (< p 2)) (or (< p 0))]": [1, 0, 1, 0],
    "[(not true) (not false) (not (and true false))]": [0, 1, 1],
    "[(zero? 0) (zero? p) (pos? p) (pos? q) (neg? q)]": [1, 0, 1, 0, 1],
    "[(empty? []) (empty? v)]": [1, 0],
    "(if true 1 2)": 1,
    "(if false 1 2)": 2,
    "(if nil 1 2)": 2,
    "(if p 1 2)": 1,
    "(if (- p 1) 1 2)": 2,
    "(if (> p 0) 1 2)": 1,
    "(if (<= p 1) 1 2)": 1,
    "(if (>= q 0) 1 2)": 2,
    "(if (= p 1) 1 2)": 1,
    "(if (not= p 1) 1 2)": 2,
    "(if (let [d (- p q)] (< d 0)) 1 2)": 2,
    "(if (if (< p 0) (< q 0) (> q 0)) 1 2)": 2,
    "(if (< q p 2) 1 2)": 1,
    "(if-not (< p 0) 1 2)": 1,
    "(if (< p 0) 1)": None,
    "(when (> p 0) 1 2)": 2,
    "(when-not (> p 0) 1)": None,
    "(cond (< p 0) 1 (< p 2) 2 :else 3)": 2,
    "(cond (< p 0) 1 else 3)": 3,
    "(cond (< p 0) 1 true 3)": 3,
    "(case p 0 10 1 11 12)": 11,
    "(case (+ p 7) 0 10 1 11 12)": 12,
}

VECTORS = {
    "(nth v 2)": 2,
    "(get v p)": 1,
    "(first v)": 3,
    "(second v)": 1,
    "(last v)": 2,
    "(rest v)": [1, 2],
    "(next v)": [1, 2],
    "(butlast v)": [3, 1],
    "(take 2 v)": [3, 1],
    "(drop 2 v)": [2],
    "(subvec v 1)": [1, 2],
    "(subvec v 1 2)": [1],
    "(conj v 7 8)": [3, 1, 2, 7, 8],
    "(conj nil 7)": [7],
    "(cons 7 v)": [7, 3, 1, 2],
    "(concat v nil w [5])": [3, 1, 2, 10, 20, 5],
    "(count (concat v w))": 5,
    "(put v 1 9)": [3, 9, 2],
    "(assoc v 0 9)": [9, 1, 2],
    "(range 3)": [0, 1, 2],
    "(range 2 5)": [2, 3, 4],
    "(range 0 10 3)": [0, 3, 6, 9],
    "(range 5 0 -2)": [5, 3, 1],
    "(range 1 p 2)": [],
    "(range p (+ p 4) 2)": [1, 3],
    "(repeat 2 p)": [1, 1],
    "(repeatedly 2 (fn [] p))": [1, 1],
    "(vec v)": [3, 1, 2],
    "(list 1 2)": [1, 2],
    "(sum v)": 6,
    "(mean v)": 2,
    "(dot v v)": 14,
    "(mat-mul m w)": [50, 110],
    "(transpose m)": [[1, 3], [2, 4]],
    "(w p p)": [[10, 20], 1, 1],
}

LOOPS = {
    "(for [i (range 3)] (* i i))": [0, 1, 4],
    "(for [i (range 1 3)] i)": [1, 2],
    "(for [x v] (+ x 1))": [4, 2, 3],
    "(for [[a b] m] (+ a b))": [3, 7],
    "(for [i (range 2) j (range 3)] (+ (* 10 i) j))": [0, 1, 2, 10, 11, 12],
    "(for [row m x row] x)": [1, 2, 3, 4],
    "(for [i (range 2) j (range 2) k (range 2)] (+ (* 4 i) (* 2 j) k))": [*range(8)],
    "(doseq [x v] x)": None,
    "(map (fn [x] (* 2 x)) v)": [6, 2, 4],
    "(map - v)": [-3, -1, -2],
    "(mapv + v w)": [13, 21],
    "(map (fn [i x] (* i x)) (range 3) v)": [0, 1, 4],
    "(map (fn [[a b]] (- a b)) m)": [-1, -1],
    "(map inc (range 2 4))": [3, 4],
    "(map max v [2 2 2])": [3, 2, 2],
    "(reduce + v)": 6,
    "(reduce + 10 v)": 16,
    "(reduce max v)": 3,
    "(reduce max 7 v)": 7,
    "(reduce min v)": 1,
    "(reduce * v)": 6,
    "(reduce * 2 v)": 12,
    "(reduce - v)": 0,
    "(reduce (fn [a x] (+ (* 10 a) x)) v)": 312,
    "(reduce (fn [a x] (+ (* 10 a) x)) 0 v)": 312,
    "(reduce (fn [a x] (conj a (* 2 x))) [] v)": [6, 2, 4],
    "(reduce concat m)": [1, 2, 3, 4],
    "(reduce concat [0] m)": [0, 1, 2, 3, 4],
    "(apply + v)": 6,
    "(loop 3 1 (fn [i a] (* a 2)))": 8,
    "(loop 3 [] (fn [i a] (conj a (* i i))))": [0, 1, 4],
    "(loop 3 nil (fn [i a] (conj a i)))": [0, 1, 2],
    "(loop 2 [7] (fn [i a] (conj a i)))": [7, 0, 1],
    "(loop 2 [] (fn [i a] (conj a i (- i))))": [0, 0, 1, -1],
    "(loop 3 [] (fn [i a] (if (< i 1) (conj a 5) (conj a 6))))": [5, 6, 6],
    "(loop 3 [] (fn [i a] (conj a (count a))))": [0, 1, 2],
    "(loop 3 7 (fn [i a] a))": 7,
    "(loop 3 7 (fn [i a] i))": 2,
    "(loop 0 7 (fn [i a] i))": 7,
    "(loop 3 nil (fn [i a] i))": 2,
    "(loop 3 10 (fn [i a] (+ a (get v i))))": 16,
    "(loop 3 0 (fn [i a] (if (< i 1) (+ i a 5) a)))": 5,
    "(loop 3 1 (fn [i a k d] (+ (* a k) d)) 2 (+ p p))": 22,
    "(defn step [i a] (+ (* 2 a) i)) (loop 3 0 step)": 4,
}

BINDING = {
    "(let [a 1 b (+ a 1)] a (* a b 10))": 20,
    "(let [[a [b c] & r] [1 [2 3] 4 5]] [a b c r])": [1, 2, 3, [4, 5]],
    "(let [[a b] [p 2] [a b] [b a]] [a b])": [2, 1],
    "(let [[a & r] v] [a r])": [3, [1, 2]],
    "(let [x 1] (let [x (+ x 1)] (let [x (+ x 1)] x)))": 3,
    "(let [x 1 y (let [x 10] x)] [x y])": [1, 10],
    "(do 1 2 3)": 3,
    "(do)": None,
    "(-> p (- 3) (* 2))": -4,
    "(->> p (- 3) (* 2))": 4,
    "(-> v first inc)": 4,
    "(->> v (map inc) (reduce +))": 9,
    "(def k 3) (def j (+ k 1)) (* k j)": 12,
    "(def k 3)": 3,
    "(let [sum 4] (+ sum (sum v)))": 10,
    "(let [f (fn [x] (* x 2))] (f (f 3)))": 12,
    "((fn [x y] (- x y)) 5 3)": 2,
}

FUNCTIONS = {
    "(defn f [x] (let [y (* x 2)] (+ y x))) (let [y 5] (+ (f y) (f (f 1)) y))": 29,
    "(defn twice [f x] (f (f x))) (twice (fn [y] (* y 3)) 2)": 18,
    "(defn twice [f x] (f (f x))) (twice (fn [y] (twice inc y)) 2)": 6,
    "(defn at [f] (f 4)) (at -)": -4,
    "(defn f [a [b c]] (+ a (* b c))) (f 1 [2 3])": 7,
    "(defn k [] 4) (+ (k) (k))": 8,
    "(let [a 1 f (fn [x] (+ x a)) a 10] (f a))": 11,
    "(let [f (fn [x] (+ x 1))] (let [f (fn [x] (* 2 (f x)))] (f 3)))": 8,
    "(defn f [x] (+ (h x) 1)) (defn h [x] (* x 10)) (f 2)": 21,
    "(defn f [y] (let [x 1] (+ x y))) (let [x 100] (f x))": 101,
    "(defn f [x] x) (map f v)": [3, 1, 2],
    "(defn f [a x] (+ a x)) (reduce f 0 v)": 6,
}

PROGRAMS = ARITHMETIC | TRUTH | VECTORS | LOOPS | BINDING | FUNCTIONS


@pytest.mark.parametrize("text", PROGRAMS)
def test_sugar_has_its_value(text: str) -> None:
    assert _plain(value(text)) == PROGRAMS[text]


def _plain(found: Any) -> Any:
    if isinstance(found, np.ndarray | list | tuple):
        return [_plain(each) for each in found]
    return None if found is None else float(found)


@pytest.mark.parametrize("p", [-1.0, 1.0])
@pytest.mark.parametrize("q", [-1.0, 1.0])
@pytest.mark.parametrize(
    ("test", "meaning"),
    [
        ("(and (< p 0) (< q 0))", lambda p, q: p < 0 and q < 0),
        ("(or (< p 0) (< q 0))", lambda p, q: p < 0 or q < 0),
        ("(not (and (< p 0) (< q 0)))", lambda p, q: not (p < 0 and q < 0)),
        ("(and (not (< p 0)) (or (< q 0) (= p q)))", lambda p, q: p >= 0 and (q < 0 or p == q)),
        ("(or (and (< p 0) (> q 0)) (and (> p 0) (< q 0)))", lambda p, q: p * q < 0),
        ("(not= p q)", lambda p, q: p != q),
        ("(or (<= p q -1) (>= p 0 q))", lambda p, q: p <= q <= -1 or p >= 0 >= q),
    ],
)
def test_compound_tests_choose_as_logic_says(p: float, q: float, test: str, meaning: Any) -> None:
    text = f"[(if {test} 1 0) {test} (if-not {test} 0 1)]"
    core = desugar(read_program(Source("test", text)), {"p", "q"})
    found = interpret(core, {"p": p, "q": q}, {}).returned
    assert _plain(found) == [float(meaning(p, q))] * 3


def test_observes_of_a_branch_not_taken_do_not_count() -> None:
    text = "(if (and (< p 0) (< q 0)) (observe (factor 1) 0) (observe (factor 2) _))"
    core = desugar(read_program(Source("test", text)), {"p", "q"})
    densities = [
        interpret(core, {"p": p, "q": q}, {}).log_density for p in (-1.0, 1.0) for q in (-1.0, 1.0)
    ]
    assert densities == [1, 2, 2, 2]


def test_the_first_iteration_of_a_loop_of_two_observes_counts() -> None:
    text = """(loop 3 0 (fn [i acc] (if (< (get v i) 2)
                (observe (normal 0 1) (get v i)) (observe (normal 5 1) (get v i)))))"""
    found = interpret(desugar(read_program(Source("test", text)), DATA), DATA, {})
    exponent = sum(-((x - (0 if x < 2 else 5)) ** 2) / 2 for x in DATA["v"])
    assert found.log_density == pytest.approx(exponent - 1.5 * math.log(2 * math.pi))
    assert list(found.bits.values()) == [False, True, False]
