"""A formula written as a Python expression: as LaTeX, and as a number."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy import special

OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}

CONSTANTS = {"pi": (r"\pi", np.pi)}

FUNCTIONS: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "exp": (r"\exp\left({0}\right)", np.exp),
    "log": (r"\log {0}", np.log),
    "cos": (r"\cos({0})", np.cos),
    "sqrt": (r"\sqrt{{{0}}}", np.sqrt),
    "abs": (r"\lvert {0} \rvert", np.abs),
    "gamma": (r"\Gamma({0})", special.gamma),
    "B": (r"B({0}, {1})", special.beta),
    "I0": (r"I_0({0})", special.i0),
    "Phi": (r"\Phi\left({0}\right)", special.ndtr),
    "choose": (r"\binom{{{0}}}{{{1}}}", special.binom),
    "factorial": (r"{0}!", special.factorial),
    "det": (r"\det({0})", np.linalg.det),
    "distance": (
        r"({0} - {1})^T {2}^{{-1}} ({0} - {1})",
        lambda x, mean, matrix: (x - mean) @ np.linalg.solve(matrix, x - mean),
    ),
    "total": (r"\sum_k {0}_k", np.sum),
    "total_exp": (r"\sum_k e^{{{0}_k}}", lambda a: np.exp(a).sum()),
    "powers": (
        r"\prod_k \frac{{{0}_k^{{{1}_k - 1}}}}{{\Gamma({1}_k)}}",
        lambda x, a: np.prod(x ** (a - 1) / special.gamma(a)),
    ),
    "element": (r"{0}_{1}", lambda a, k: a[int(k)]),
}
"""Functions of formulas: a template of LaTeX, and what computes them."""

SUM, PRODUCT, NEGATIVE, POWER, ATOM = range(5)


def latex(formula: str) -> str:
    """A formula as LaTeX.

    >>> latex("exp(-x**2 / 2) / sqrt(2 * pi)")
    '\\\\frac{\\\\exp\\\\left(-\\\\frac{x^{2}}{2}\\\\right)}{\\\\sqrt{2\\\\,\\\\pi}}'
    """
    return _written(ast.parse(formula, mode="eval").body)[0]


def value(formula: str, names: Mapping[str, Any]) -> float:
    """The value of a formula.

    >>> value("rate * exp(-rate * x)", {"rate": 2.0, "x": 0.0})
    2.0
    """
    return float(_computed(ast.parse(formula, mode="eval").body, names))


# --- as a number ---------------------------------------------------------------------------------


def _computed(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=number):
            return number
        case ast.Name(id=name):
            return CONSTANTS[name][1] if name in CONSTANTS else np.asarray(names[name], float)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_computed(operand, names)
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](_computed(left, names), _computed(right, names))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name][1](*(_computed(a, names) for a in arguments))
        case ast.IfExp(test=ast.Compare(left=left, comparators=[right]), body=body, orelse=other):
            holds = _computed(left, names) < _computed(right, names)
            return _computed(body if holds else other, names)
    raise ValueError(f"a formula has no {type(node).__name__}")


# --- as LaTeX ------------------------------------------------------------------------------------


def _written(node: ast.expr) -> tuple[str, int]:
    """The text of a node, and how tightly it holds together."""
    match node:
        case ast.Constant(value=number):
            return str(number), ATOM
        case ast.Name(id=name):
            return _name(name), ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_inside(operand, PRODUCT)}", NEGATIVE
        case ast.BinOp(left=left, op=op, right=right):
            return _operation(left, op, right)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            texts = [_written(argument)[0] for argument in arguments]
            return FUNCTIONS[name][0].format(*texts), ATOM
        case ast.IfExp(test=ast.Compare(left=left, comparators=[right]), body=body, orelse=other):
            test = f"{_written(left)[0]} < {_written(right)[0]}"
            return _cases(test, _written(body)[0], _written(other)[0]), ATOM
    raise ValueError(f"a formula has no {type(node).__name__}")


def _cases(test: str, then: str, otherwise: str) -> str:
    rows = rf"{then} & \text{{if }} {test} \\ {otherwise} & \text{{else}}"
    return rf"\begin{{cases}} {rows} \end{{cases}}"


def _name(name: str) -> str:
    if name in CONSTANTS:
        return CONSTANTS[name][0]
    return name if len(name) == 1 else rf"\text{{{name.replace('_', '-')}}}"


def _operation(left: ast.expr, op: ast.operator, right: ast.expr) -> tuple[str, int]:
    match op:
        case ast.Add():
            return f"{_inside(left, SUM)} + {_inside(right, SUM)}", SUM
        case ast.Sub():
            return f"{_inside(left, SUM)} - {_inside(right, PRODUCT)}", SUM
        case ast.Mult():
            return rf"{_inside(left, PRODUCT)}\,{_inside(right, PRODUCT)}", PRODUCT
        case ast.Div():
            return _quotient(left, right), PRODUCT
        case ast.Pow():
            return f"{_inside(left, ATOM)}^{{{_written(right)[0]}}}", POWER
    raise ValueError(f"a formula has no {type(op).__name__}")


def _quotient(left: ast.expr, right: ast.expr) -> str:
    """A fraction, its sign before it."""
    if isinstance(left, ast.UnaryOp):
        return f"-{_quotient(left.operand, right)}"
    return rf"\frac{{{_written(left)[0]}}}{{{_written(right)[0]}}}"


def _inside(node: ast.expr, least: int) -> str:
    """The text of an operand, in brackets where it would fall apart."""
    text, strength = _written(node)
    return text if strength >= least else rf"\left({text}\right)"
