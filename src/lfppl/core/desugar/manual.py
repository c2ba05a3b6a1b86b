"""What every form of the language means, with an example: for the reference and for editors.

A name that stands in no entry, or an entry for no name, fails a test. Distributions describe
themselves in their own table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Entry(NamedTuple):
    """What a form means, and an example; the reference shows the example's value, if it has one."""

    meaning: str
    example: str


SPECIAL: Mapping[str, tuple[str, Entry]] = {
    "let": (
        "(let [name value ...] e ...)",
        Entry(
            "bind names, each one visible to the next; the value of the last expression",
            "(let [a 1 [b & more] [2 3 4]] (+ a b (count more)))",
        ),
    ),
    "if": (
        "(if test then otherwise?)",
        Entry("one of two; the density may jump where the test changes", "(if (< 1 2) 10 20)"),
    ),
    "fn": ("(fn [name ...] e ...)", Entry("a function without a name", "((fn [a b] (- a b)) 5 3)")),
    "def": ("(def name value)", Entry("a name for the whole program", "(def sd 2) (* sd sd)")),
    "defn": (
        "(defn name [name ...] e ...)",
        Entry("a function; it may not call itself", "(defn twice [x] (* 2 x)) (twice 4)"),
    ),
    "for": (
        "(for [name vector ...] e ...)",
        Entry(
            "a vector of values, one for each element; the last name runs fastest",
            "(for [i (range 2) j [10 20]] (+ i j))",
        ),
    ),
    "doseq": (
        "(doseq [name vector ...] e ...)",
        Entry(
            "the same for what it observes; its value is `nil`",
            "(doseq [v [1 2]] (observe (normal 0 1) v))",
        ),
    ),
    "loop": (
        "(loop count initial step extra ...)",
        Entry(
            "call (step i value extra ...) for i = 0, 1, ... and hand the value on; "
            "the count must be known when compiling",
            "(loop 4 1 (fn [i value] (* value (+ i 1))))",
        ),
    ),
    "sample": (
        '(sample "name"? distribution)',
        Entry("a random variable, called after what it is bound to", "(sample (normal 0 1))"),
    ),
    "observe": (
        "(observe distribution value)",
        Entry("multiply the density by that of the value", "(observe (normal 0 1) 2)"),
    ),
}
"""The words of the reader: usage, meaning and example."""

CHOICES = {
    "if-not": Entry("`if` with its branches exchanged", "(if-not (< 1 2) 10 20)"),
    "when": Entry("the expressions if the test holds, else nothing", "(when (< 1 2) 10)"),
    "when-not": Entry("the expressions if the test fails", "(when-not (< 2 1) 10)"),
    "cond": Entry("the value after the first test that holds", "(cond (< 2 1) 10 :else 20)"),
    "case": Entry("the value after the constant that equals e", "(case 2 1 10 2 20 30)"),
    "do": Entry("one after another; the value of the last", "(do 1 2)"),
}

COMPARISONS = {
    "<": Entry("whether the values increase", "(< 1 2 3)"),
    ">": Entry("whether they decrease", "(> 1 2)"),
    "<=": Entry("whether none is greater than the next", "(<= 1 1 2)"),
    ">=": Entry("whether none is less than the next", "(>= 1 2)"),
    "=": Entry("whether all are equal", "(= 2 2)"),
    "==": Entry("the same as `=`", "(== 2 3)"),
    "not=": Entry("whether they are not all equal", "(not= 1 2)"),
    "and": Entry("whether all tests hold", "(and (< 1 2) (< 2 3))"),
    "or": Entry("whether one of them holds", "(or (< 2 1) (< 2 3))"),
    "not": Entry("whether the test fails", "(not (< 1 2))"),
    "zero?": Entry("whether x is 0", "(zero? 0)"),
    "pos?": Entry("whether x is greater than 0", "(pos? -1)"),
    "neg?": Entry("whether x is less than 0", "(neg? -1)"),
    "empty?": Entry("whether a vector has no elements", "(empty? [])"),
}

ARITHMETIC = {
    "+": Entry("sum; of vectors element by element, as all of these", "(+ 1 2 3)"),
    "-": Entry("difference; the negative of a single value", "(- 5 3)"),
    "*": Entry("product", "(* 2 3 4)"),
    "/": Entry("quotient; one over a single value", "(/ 6 4)"),
    "pow": Entry("power", "(pow 2 10)"),
    "expt": Entry("the same as `pow`", "(expt 2 3)"),
    "inc": Entry("one more", "(inc 4)"),
    "dec": Entry("one less", "(dec 4)"),
    "square": Entry("its square", "(square 3)"),
    "sqrt": Entry("square root", "(sqrt 16)"),
    "abs": Entry("its size; two branches", "(abs -3)"),
    "sign": Entry("-1, 0 or 1; jumps at 0", "(sign -3)"),
    "floor": Entry("the largest integer that is not greater; jumps", "(floor 2.7)"),
    "ceil": Entry("the smallest integer that is not less; jumps", "(ceil 2.2)"),
    "round": Entry("the nearest integer, halves upwards; jumps", "(round 2.5)"),
    "mod": Entry("what is left of a division, with the sign of y; jumps", "(mod -7 3)"),
    "rem": Entry("what is left of a division, with the sign of x; jumps", "(rem -7 3)"),
    "quot": Entry("the integer quotient, towards 0; jumps", "(quot -7 3)"),
    "max": Entry("the largest of several numbers, or of a vector", "(max 1 3 2)"),
    "min": Entry("the smallest", "(min [4 2 3])"),
}

FUNCTIONS = {
    "exp": Entry("exponential", "(exp 1)"),
    "expm1": Entry("exp(x) - 1, exact near 0", "(expm1 1e-9)"),
    "log": Entry("natural logarithm", "(log 2)"),
    "log1p": Entry("log(1 + x), exact near 0", "(log1p 1e-9)"),
    "sin": Entry("sine", "(sin 1)"),
    "cos": Entry("cosine", "(cos 1)"),
    "tan": Entry("tangent", "(tan 1)"),
    "atan": Entry("inverse tangent", "(atan 1)"),
    "sinh": Entry("hyperbolic sine", "(sinh 1)"),
    "cosh": Entry("hyperbolic cosine", "(cosh 1)"),
    "tanh": Entry("hyperbolic tangent", "(tanh 1)"),
    "sigmoid": Entry("1 / (1 + exp(-x))", "(sigmoid 0)"),
    "softplus": Entry("log(1 + exp(x)), without overflow", "(softplus 0)"),
    "log-gamma": Entry("log of the gamma function's size", "(log-gamma 5)"),
    "digamma": Entry("its derivative", "(digamma 1)"),
    "erf": Entry("error function", "(erf 1)"),
    "ndtr": Entry("cumulative normal", "(ndtr 0)"),
    "log-ndtr": Entry("its logarithm, exact far in the tail", "(log-ndtr -40)"),
    "log-i0": Entry("log of the Bessel function I0", "(log-i0 1)"),
    "i1-over-i0": Entry("ratio of the Bessel functions I1 and I0", "(i1-over-i0 1)"),
}

VECTORS = {
    "vector": Entry("a vector; `[e ...]` is the same", "(vector 1 2 3)"),
    "list": Entry("the same as `vector`", "(list 1 2)"),
    "vec": Entry("the vector itself", "(vec [1 2])"),
    "range": Entry("numbers from start (0) up to, not including, stop", "(range 2 10 3)"),
    "repeat": Entry("a vector of n times the same", "(repeat 3 7)"),
    "get": Entry(
        "the element at an index, counted from 0; the index may be random", "(get [5 6 7] 1)"
    ),
    "nth": Entry("the same as `get`", "(nth [5 6 7] 2)"),
    "first": Entry("the element at 0", "(first [5 6 7])"),
    "second": Entry("the element at 1", "(second [5 6 7])"),
    "last": Entry("the last element", "(last [5 6 7])"),
    "rest": Entry("all but the first", "(rest [5 6 7])"),
    "next": Entry("the same as `rest`", "(next [5 6 7])"),
    "butlast": Entry("all but the last", "(butlast [5 6 7])"),
    "take": Entry("the first n", "(take 2 [5 6 7])"),
    "drop": Entry("all but the first n", "(drop 2 [5 6 7])"),
    "subvec": Entry("from start up to, not including, stop", "(subvec [5 6 7 8] 1 3)"),
    "conj": Entry("with elements added at the end", "(conj [1 2] 3)"),
    "cons": Entry("with an element added at the beginning", "(cons 0 [1 2])"),
    "concat": Entry("one vector after another", "(concat [1 2] [3])"),
    "flatten": Entry("the rows of a matrix one after another", "(flatten [[1 2] [3 4]])"),
    "put": Entry("with another value at an index", "(put [5 6 7] 1 0)"),
    "assoc": Entry("the same as `put`", "(assoc [5 6] 0 1)"),
    "count": Entry("how many elements", "(count [5 6 7])"),
    "sum": Entry("the sum of the elements", "(sum [1 2 3])"),
    "mean": Entry("their mean", "(mean [1 2 6])"),
    "largest": Entry("the largest element", "(largest [1 3 2])"),
    "smallest": Entry("the smallest element", "(smallest [3 1 2])"),
    "log-sum-exp": Entry("log of the sum of exponentials, without overflow", "(log-sum-exp [0 0])"),
    "dot": Entry("sum of products", "(dot [1 2] [3 4])"),
    "mat-mul": Entry(
        "product of matrices, or of a matrix and a vector", "(mat-mul [[1 2] [3 4]] [1 1])"
    ),
    "transpose": Entry("rows become columns", "(transpose [[1 2] [3 4]])"),
}

LOOPS = {
    "map": Entry(
        "a function of each element, of several vectors side by side", "(map + [1 2] [10 20])"
    ),
    "mapv": Entry("the same as `map`", "(mapv inc [1 2])"),
    "repeatedly": Entry("n calls of a function, which may sample", "(repeatedly 3 (fn [] 1))"),
    "reduce": Entry("combine all elements, from the left", "(reduce + 0 [1 2 3])"),
    "apply": Entry("`+`, `max`, `min` or `concat` of the elements", "(apply max [1 3 2])"),
    "->": Entry("hand a value on as the first argument", "(-> 9 sqrt (- 1))"),
    "->>": Entry("hand a value on as the last argument", "(->> [1 2] (map inc) sum)"),
    "plate": Entry("Core's loop without carried state", "(plate [i 3] (* i i))"),
    "fold": Entry("Core's loop with an accumulator", "(fold [i 4] [a 0] (+ a i))"),
}

RANDOM = {
    "factor": Entry("add to the log density", "(factor -1.5)"),
}

GROUPS: Mapping[str, Mapping[str, Entry]] = {
    "choices": CHOICES,
    "comparisons": COMPARISONS,
    "arithmetic": ARITHMETIC,
    "functions": FUNCTIONS,
    "vectors": VECTORS,
    "loops": LOOPS,
    "random": RANDOM,
}
"""All forms that look like calls, in the order of the reference."""
