"""The quadruple's density and bits are the interpreter's, on small programs of every kind."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lfppl.core import ast
from lfppl.errors import ModelError
from lfppl.reference.evaluate import branch_bits, density, returned_value
from lfppl.reference.expand import expand
from lfppl.reference.interpreter import draw_prior, interpret, variables
from lfppl.reference.quadruple import quadruple

Core = Callable[[str], ast.Expression]

DATA: dict[str, Any] = {
    "q": 0.5,
    "y": np.array([0.3, -1.2, 2.0]),
    "n": 3.0,
    "A": np.array([[2.0, 0.5], [0.5, 1.0]]),
    "k": np.array([0.0, 1.0, 1.0]),
}

N01 = "(normal 0 1)"

PROGRAMS = {
    "figure 1": f"""(let [x (sample (uniform 0 1))]
      (let [_ (if (< (- q x) 0) (observe (normal 1 1) (get y 0)) (observe {N01} (get y 0)))]
        (< (- q x) 0)))""",
    "nested ifs": f"""(let [a (sample {N01})] (let [b (sample (normal a 1))]
      (if (< a 0) (if (< (- b a) 0) (observe (normal a 1) b) (observe {N01} (exp b)))
                  (let [c (if (< b 0) (- 0 b) b)] (observe (laplace 0 c) a)))))""",
    "a sample in a branch": f"""(let [a (sample {N01})]
      (let [v (if (< a 0) (sample (normal 5 1)) (let [w (sample (gamma 2 1))] (* w a)))]
        (observe (normal v 1) q)))""",
    "an if among parameters": f"""(let [a (sample {N01})]
      (let [s (if (< a 0) 1 2)] (let [z (sample (normal a s))] (observe (normal z s) q))))""",
    "an if as a test": f"""(let [a (sample {N01})]
      (if (< (if (< a 0) (+ a 0.5) (- a 0.5)) 0) (observe {N01} a) 0))""",
    "a plate": """(let [m (sample (normal 0 2))]
      (plate [i n] (if (< (- m i) 0)
        (observe (normal m 1) (get y i)) (observe (cauchy m 1) 0))))""",
    "a plate of latents": f"""(let [z (plate [i 2] (sample (normal i 1)))]
      (if (< (sum z) 0) (observe {N01} (dot z z)) (observe (normal z 1) (vector 1 2))))""",
    "a walk": f"""(fold [i 3] [x (sample {N01})]
      (let [z (sample (normal x 1))]
        (if (< z 0) (let [_ (observe {N01} (get y i))] z) (* z 0.5))))""",
    "a constant test": f"""(let [m (sample {N01})] (plate [i n]
      (if (< (- i 1) 0) (observe (normal m 1) (get y i)) (let [e (sample {N01})]
        (observe (normal (+ m e) 1) (get y i))))))""",
    "a mixture with labels": """(let [mu (plate [j 2] (sample (normal j 2)))] (plate [i n]
      (let [z (sample (categorical (vector 0.3 0.7)))]
        (observe (normal (get mu z) 1) (get y i)))))""",
    "a vector of distributions": """(let [z (sample (categorical (vector 1 2 3)))]
      (observe (get (vector (normal 0 1) (cauchy 1 1) (student-t 3 0 1)) z) 0.7))""",
    "a sample of a chosen family": f"""(let [a (sample {N01})]
      (let [d (if (< a 0) (normal 0 1) (laplace 1 2))]
        (let [x (sample d)] (let [_ (observe d q)] (observe {N01} (* x a))))))""",
    "a vector that an if chooses": f"""(let [a (sample {N01})]
      (let [v (if (< a 0) (vector a 1 (vector 2 a)) (vector 3 a (vector a a)))]
        (let [_ (observe (normal (get v 0) 1) (get v 1))] (observe (normal (get v 2) 1) 0))))""",
    "loops in statement position": f"""(let [a (sample {N01})]
      (let [_ (if (< a 0) (plate [i 2] (observe (normal a 1) (get y i))) nil)] a))""",
    "broadcasting": """(let [m (sample (normal (vector 0 1 2) 1))]
      (let [s (sample (gamma 2 1))] (observe (normal (* m 2) s) y)))""",
    "broadcast labels": "(let [p (sample (beta 1 1))] (observe (bernoulli p) k))",
    "an mvn and its elements": f"""(let [z (sample (mvn (vector 0 1) A))]
      (if (< (get z 0) 0) (observe {N01} (get z 1)) (observe (mvn z A) (vector 1 1))))""",
    "dirichlet weights": """(let [w (sample (dirichlet (vector 1 2 3)))]
      (let [z (sample (categorical w))] (observe (categorical w) z)))""",
    "counts": """(let [r (sample (gamma 2 1))] (let [c (sample (poisson r))]
      (if (< (- c 2) 0) (observe (poisson (+ c 1)) 2) (observe (binomial 9 0.3) c))))""",
    "edges": """(let [t (sample (normal 1 1))] (let [u (sample (uniform -1 t))]
      (observe (triangular -2 0 2) (* u t))))""",
    "every reduction": f"""(let [z (plate [i 3] (sample {N01}))]
      (let [_ (observe {N01} (largest z))] (let [_b (observe {N01} (smallest z))]
        (observe (normal (log-sum-exp z) 1) (sum (mat-mul A (subvec z 0 2)))))))""",
    "a factor": f"(let [x (sample {N01})] (if (< x 0) (observe (factor (* x x)) nil) 0))",
    "zero density on a path": f"""(let [x (sample {N01})]
      (if (< x 0) (observe (uniform 0 1) x) (observe (exponential 1) x)))""",
    "nan in the branch not taken": f"""(let [x (sample {N01})]
      (let [r (if (< x 0) 0 (sqrt x))] (if (< x 0) (observe {N01} r)
        (let [_ (observe (normal (log x) (sqrt x)) 1)] (log x)))))""",
    "a chain of lets": f"""(let [a (sample {N01})] (let [b (if (< a 0) (* a 2) a)]
      (let [c (if (< (+ b 1) 0) b (* b b))] (let [d (if (< (- c 1) 0) (+ c b) c)]
        (observe (normal d 1) q)))))""",
}


def path_bits(whole: Any, point: Any) -> dict[Any, bool]:
    """The quadruple's bits under the names of the source."""
    bits = branch_bits(quadruple(whole.program), point)
    return {whole.branching[site]: bit for site, bit in bits.items()} | dict(whole.decided)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_quadruple_is_the_interpreter(core: Core, name: str) -> None:
    program = core(PROGRAMS[name])
    whole = expand(program, DATA)
    result = quadruple(whole.program)
    generator = np.random.default_rng(11)
    for _ in range(8):
        point = draw_prior(program, DATA, generator)
        meaning = interpret(program, DATA, point)
        assert not math.isnan(meaning.log_density)
        assert density(result, point) == pytest.approx(meaning.log_density, rel=1e-12, abs=1e-12)
        if math.isfinite(meaning.log_density):
            assert returned_value(result, point) == pytest.approx(meaning.returned)
        bits = path_bits(whole, point)
        assert bits.items() <= meaning.bits.items()
        assert len(bits) > 0 or not meaning.bits


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_expansion_means_the_same_to_the_interpreter(core: Core, name: str) -> None:
    program = core(PROGRAMS[name])
    whole = expand(program, DATA)
    generator = np.random.default_rng(12)
    for _ in range(4):
        point = draw_prior(program, DATA, generator)
        meaning, expanded = interpret(program, DATA, point), interpret(whole.program, {}, point)
        assert expanded.log_density == pytest.approx(meaning.log_density, rel=1e-12, abs=1e-12)
        bits = {whole.branching[site]: bit for (site, _), bit in expanded.bits.items()}
        assert bits | dict(whole.decided) == meaning.bits


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_quadruple_knows_every_element_that_is_sampled(core: Core, name: str) -> None:
    program = core(PROGRAMS[name])
    result = quadruple(expand(program, DATA).program)
    count = sum(math.prod(shape) for shape in variables(program, DATA).values())
    assert len(result.sampled) == count


def test_a_large_program_is_refused_with_the_limit(core: Core) -> None:
    with pytest.raises(ModelError, match=r"more than 100 steps(.|\n)*--emit lir"):
        expand(core("(plate [i 1000] (* i 2))"), {}, limit=100)


def test_a_constant_test_leaves_no_branch(core: Core) -> None:
    whole = expand(core("(plate [i 3] (if (< (- i 1) 0) (* i 2) 7))"), {})
    assert whole.branching == ()
    assert whole.decided == {(0, (0,)): True, (0, (1,)): False, (0, (2,)): False}
    assert interpret(whole.program, {}, {}).returned == [0.0, 7.0, 7.0]


def test_no_loops_and_no_data_remain(core: Core) -> None:
    whole = expand(core(PROGRAMS["a mixture with labels"]), DATA)

    def check(e: ast.Expression) -> None:
        assert not isinstance(e, ast.Plate | ast.Fold)
        for name in ("test", "then", "otherwise", "value", "body", "distribution"):
            part = getattr(e, name, None)
            if isinstance(part, ast.Expression):
                check(part)
        for argument in getattr(e, "arguments", ()):
            check(argument)

    check(whole.program)
