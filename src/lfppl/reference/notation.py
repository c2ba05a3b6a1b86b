"""A quadruple in the paper's notation: as text, and as LaTeX (paper, sections 4.2 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lfppl.core import ast
from lfppl.errors import CompilerBug
from lfppl.recursion import deep_recursion
from lfppl.reference.quadruple import Quadruple
from lfppl.reference.terms import Density, Indicator, ObservedTerm, Term, Zero


@dataclass(frozen=True)
class Notation:
    """The signs in which a quadruple is written."""

    sampled: str
    discontinuous: str
    empty: str
    times: str
    at_least: str
    indicator: str
    brace: tuple[str, str]
    pair: tuple[str, str]
    separator: str
    semicolon: str
    families: dict[str, str]
    constants: dict[float, str]

    def name(self, name: str) -> str:
        """A variable."""
        return name

    def family(self, name: str) -> str:
        """The letter or name of a distribution."""
        return self.families.get(name, "".join(part.capitalize() for part in name.split("-")))

    def function(self, name: str, arguments: Sequence[str]) -> str:
        """An operation that has no sign of its own."""
        return f"{name}({', '.join(arguments)})"


class Text(Notation):
    """Plain text with the paper's Greek letters."""


class Latex(Notation):
    """Mathematics for LaTeX."""

    def name(self, name: str) -> str:
        """A variable: one letter as it is, longer names upright, indices below."""
        head, _, indices = name.partition("[")
        head = head if len(head) == 1 and head.isalpha() else rf"\mathit{{{_escaped(head)}}}"
        return f"{head}_{{{indices[:-1]}}}" if indices else head

    def family(self, name: str) -> str:
        """A calligraphic letter, or an upright name."""
        return self.families.get(name, rf"\mathrm{{{super().family(name)}}}")

    def function(self, name: str, arguments: Sequence[str]) -> str:
        """An upright name with its arguments."""
        return rf"\operatorname{{{_escaped(name)}}}({', '.join(arguments)})"


TEXT = Text(
    sampled="Δ",
    discontinuous="Γ",
    empty="∅",
    times="·",
    at_least=">=",
    indicator="1[{}]",
    brace=("{", "}"),
    pair=("(", ")"),
    separator=",\n     ",
    semicolon="; ",
    families={"normal": "N", "uniform": "U"},
    constants={float("inf"): "∞", float("-inf"): "-∞"},
)
LATEX = Latex(
    sampled=r"\Delta",
    discontinuous=r"\Gamma",
    empty=r"\emptyset",
    times=r" \cdot ",
    at_least=r"\geq",
    indicator=r"\mathbf{{1}}[{}]",
    brace=(r"\{", r"\}"),
    pair=(r"\left(", r"\right)"),
    separator=",\\\\\n &\\quad ",
    semicolon=r";\, ",
    families={"normal": r"\mathcal{N}", "uniform": r"\mathcal{U}"},
    constants={float("inf"): r"\infty", float("-inf"): r"-\infty"},
)


def text(quadruple: Quadruple) -> str:
    """The quadruple as text.

    >>> from lfppl.reference.quadruple import quadruple
    >>> uniform = ast.Distribution("uniform", (ast.Constant(0.0), ast.Constant(1.0)))
    >>> print(text(quadruple(ast.Sample(uniform, "z"))))
    Δ = {z}
    Γ = ∅
    D = {(1[z >= 0]·1[1 - z >= 0], U(z; 0, 1))}
    F = {(1, 1, z)}
    """
    with deep_recursion():
        return "\n".join(f"{name} = {members}" for name, members in _sets(TEXT, quadruple))


def latex(quadruple: Quadruple) -> str:
    """The quadruple as LaTeX: an `align*` environment, which needs the package amsmath.

    >>> from lfppl.reference.quadruple import quadruple
    >>> print(latex(quadruple(ast.Constant(2.0))))
    \\begin{align*}
    \\Delta &= \\emptyset \\\\
    \\Gamma &= \\emptyset \\\\
    D &= \\{\\left(1, 1\\right)\\} \\\\
    F &= \\{\\left(1, 1, 2\\right)\\}
    \\end{align*}
    """
    with deep_recursion():
        rows = [f"{name} &= {members}" for name, members in _sets(LATEX, quadruple)]
    return "\\begin{align*}\n" + " \\\\\n".join(rows) + "\n\\end{align*}"


def _sets(notation: Notation, quadruple: Quadruple) -> list[tuple[str, str]]:
    """The four sets with their names."""
    return [
        (notation.sampled, _names(notation, quadruple.sampled)),
        (notation.discontinuous, _names(notation, quadruple.discontinuous)),
        ("D", _set(notation, [_term(notation, t) for t in quadruple.prior_terms], True)),
        ("F", _set(notation, [_term(notation, t) for t in quadruple.observed_terms], True)),
    ]


def _names(notation: Notation, variables: Iterable[ast.Variable]) -> str:
    return _set(notation, [notation.name(v.name) for v in variables], False)


def _set(notation: Notation, members: Sequence[str], lines: bool) -> str:
    if not members:
        return notation.empty
    opening, closing = notation.brace
    return opening + (notation.separator if lines else ", ").join(members) + closing


def _term(notation: Notation, term: Term) -> str:
    """A pair of D, or a triple of F."""
    parts = [
        _product(notation, [indicator(notation, i) for i in term.indicators]),
        _product(notation, [density(notation, d) for d in term.densities]),
    ]
    if isinstance(term, ObservedTerm):
        parts.append(expression(notation, term.value))
    opening, closing = notation.pair
    return opening + ", ".join(parts) + closing


def _product(notation: Notation, factors: Sequence[str]) -> str:
    return notation.times.join(factors) if factors else "1"


def indicator(notation: Notation, one: Indicator) -> str:
    """An indicator: `1[q - x < 0]`."""
    relation = "<" if one.negative else notation.at_least
    formula = expression(notation, one.formula, _SUM)
    return notation.indicator.format(f"{formula} {relation} 0")


def density(notation: Notation, one: Density | Zero) -> str:
    """A density: `N(y; 1, 1)`; `exp(v)` for a factor."""
    if isinstance(one, Zero):
        return "0"
    arguments = [expression(notation, a) for a in one.distribution.arguments]
    if one.distribution.name == "factor":
        return notation.function("exp", arguments)
    value = expression(notation, one.value)
    family = notation.family(one.distribution.name)
    return f"{family}({value}{notation.semicolon}{', '.join(arguments)})"


# --- expressions ---------------------------------------------------------------------------------

_RELATION, _SUM, _PRODUCT, _ATOM = 1, 2, 3, 4
_SIGNS = {"<": _RELATION, "+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT}


def expression(notation: Notation, e: ast.Expression, around: int = 0) -> str:
    """A value with as few parentheses as its operators need.

    >>> x = ast.Variable("x")
    >>> expression(TEXT, ast.Operation("*", (ast.Operation("+", (x, ast.Constant(1.0))), x)))
    '(x + 1)·x'
    """
    match e:
        case ast.Constant():
            return _constant(notation, e, around)
        case ast.Variable():
            return notation.name(e.name)
        case ast.Distribution():
            arguments = [expression(notation, a) for a in e.arguments]
            return f"{notation.family(e.name)}({', '.join(arguments)})"
        case ast.Operation() if e.name in _SIGNS:
            return _infix(notation, e, around)
        case ast.Operation(name="vector"):
            return f"[{', '.join(expression(notation, a) for a in e.arguments)}]"
        case ast.Operation():
            return notation.function(e.name, [expression(notation, a) for a in e.arguments])
    raise CompilerBug(f"not a symbolic value: {type(e).__name__}")


def _constant(notation: Notation, e: ast.Constant, around: int) -> str:
    """A number as short as it reads back the same; negative ones in parentheses inside sums."""
    if e.value is None:
        return notation.function("nil", []).removesuffix("()")
    value = float(e.value)
    written = notation.constants.get(value) or _number(value)
    return f"({written})" if value < 0 and around > _RELATION else written


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _infix(notation: Notation, e: ast.Operation, around: int) -> str:
    """An operation with a sign; what binds less tightly than its surroundings gets parentheses."""
    level = _SIGNS[e.name]
    *left, right = (
        expression(notation, a, level + (i == len(e.arguments) - 1))
        for i, a in enumerate(e.arguments)
    )
    sign = notation.times if e.name == "*" else f" {e.name} "
    written = f"{left[0]}{sign}{right}" if left else f"-{right}"
    return f"({written})" if level < around else written


def _escaped(name: str) -> str:
    """A name with the characters that mean something to LaTeX made plain."""
    special = {"\\": r"\backslash ", "^": r"\hat{}", "~": r"\tilde{}", "-": r"\text{-}"}
    return "".join(special.get(c, f"\\{c}" if c in "_#$%&{}" else c) for c in name)
