"""Mistakes in the use of the language: names, arities, distributions, functions, destructuring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lfppl.errors.base import ModelError
from lfppl.errors.suggestions import suggestion
from lfppl.source import Span

OPERATORS = {"+", "-", "*", "/", "<", ">", "<=", ">=", "="}
"""What other languages write between its arguments."""


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _expected(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {_number(least, 'argument')}"
    if least == most:
        return _number(least, "argument")
    return f"{least} to {_number(most, 'argument')}"


def empty_program(span: Span) -> ModelError:
    """A file without an expression.

    >>> from lfppl.source import NOWHERE
    >>> empty_program(NOWHERE).code
    'empty-program'
    """
    return ModelError(
        "empty-program",
        "the program is empty",
        span,
        help="a model is an expression, such as (let [x (sample (normal 0 1))] x)",
    )


def unknown_name(span: Span, name: str, known: Iterable[str]) -> ModelError:
    """A symbol that is neither bound nor data."""
    return ModelError(
        "unknown-name",
        f"`{name}` is not bound",
        span,
        "neither a binding, nor data",
        suggestion(name, known) or "bind it with `let`, or pass it as data (--data FILE)",
    )


def unknown_function(span: Span, name: str, known: Iterable[str]) -> ModelError:
    """A call of a name that is no function, operation, form or distribution."""
    return ModelError(
        "unknown-function",
        f"there is no function or distribution `{name}`",
        span,
        "not known",
        suggestion(name, known) or f"define it with (defn {name} [parameter ...] body ...)",
    )


def wrong_arity(
    span: Span, name: str, given: int, least: int, most: int | None, usage: str
) -> ModelError:
    """A form, operation or distribution with too many or too few arguments."""
    return ModelError(
        "wrong-arity",
        f"`{name}` takes {_expected(least, most)}, not {given}",
        span,
        f"has {_number(given, 'argument')}",
        f"write {usage}",
    )


def wrong_parameters(span: Span, name: str, given: int, parameters: Sequence[str]) -> ModelError:
    """A user's function called with another number of arguments than it has parameters."""
    return ModelError(
        "wrong-arity",
        f"`{name}` takes {_expected(len(parameters), len(parameters))}, not {given}",
        span,
        f"called with {_number(given, 'argument')} here",
        f"its parameters are [{' '.join(parameters)}]",
    )


def text_as_value(span: Span, text: str) -> ModelError:
    """A string where a number belongs."""
    return ModelError(
        "text-as-value",
        f'the string "{text}" stands where a number belongs',
        span,
        "a string",
        "values are numbers, vectors and distributions; encode labels as 0, 1, 2, ...",
    )


def not_a_number(span: Span) -> ModelError:
    """NaN written in a program."""
    return ModelError(
        "not-a-number",
        "NaN is no value of a model",
        span,
        "not a number",
        "leave it out, or make the missing value a variable that is sampled",
    )


def nil_as_number(span: Span) -> ModelError:
    """A nil in arithmetic."""
    return ModelError(
        "nil-as-number",
        "nil stands where a number belongs",
        span,
        "no value",
        "`when`, `doseq` and an `if` without else give nil: add the missing value",
    )


def distribution_as_number(span: Span) -> ModelError:
    """A distribution in arithmetic."""
    return ModelError(
        "distribution-as-number",
        "a distribution stands where a number belongs",
        span,
        "a distribution, not a draw from it",
        "draw a value with (sample ...)",
    )


def function_as_value(span: Span, name: str) -> ModelError:
    """A function where a number or vector belongs."""
    advice = f"call it: ({name} ...); only functions, `map`, `reduce` and `loop` take functions"
    if name in OPERATORS:
        advice = f"operations come first: write ({name} a b)"
    return ModelError(
        "function-as-value",
        f"the function `{name}` stands where a value belongs",
        span,
        "a function",
        advice,
    )


def anonymous_function_as_value(span: Span) -> ModelError:
    """A function written in place where a number or vector belongs."""
    return ModelError(
        "function-as-value",
        "a function stands where a value belongs",
        span,
        "a function",
        "call it: ((fn [x] ...) value); only `map`, `reduce` and `loop` take functions",
    )


def not_a_function(span: Span, what: str) -> ModelError:
    """Something that is no function where a function belongs."""
    return ModelError(
        "not-a-function",
        f"{what} is not a function",
        span,
        "a function belongs here",
        "write (fn [x ...] ...), or the name of a function or operation",
    )


def value_in_parentheses(span: Span, name: str) -> ModelError:
    """A variable alone in parentheses."""
    return ModelError(
        "not-a-function",
        f"`{name}` is a value, and values cannot be called",
        span,
        "called without arguments",
        f"write {name} without parentheses, or [{name}] for a vector of it",
    )


def value_called(span: Span, name: str) -> ModelError:
    """A value at the head of a call."""
    return ModelError(
        "not-a-function",
        f"`{name}` is a value, and values cannot be called",
        span,
        "called here",
        f"take an element with (get {name} index)",
    )


def written_infix(span: Span, operator: str) -> ModelError:
    """An operation between its arguments, as in `(x + 1)`."""
    return ModelError(
        "infix",
        f"`{operator}` stands between its arguments",
        span,
        "the operation must come first",
        f"write ({operator} a b)",
    )


def recursive_function(span: Span, cycle: Sequence[str]) -> ModelError:
    """A function that calls itself, directly or through others."""
    return ModelError(
        "recursion",
        f"the function `{cycle[0]}` calls itself: {' -> '.join(cycle)}",
        span,
        "calls are expanded when compiling, and this one never ends",
        "the number of samples must be fixed: use (loop count initial step) or `for`",
    )


def expansion_too_deep(span: Span, limit: int) -> ModelError:
    """Functions nested beyond the limit."""
    return ModelError(
        "expansion-too-deep",
        f"function calls are nested more than {limit} deep",
        span,
        "called here",
        "functions are expanded where they are called; use `loop` or `for` to repeat",
    )


def expansion_too_large(span: Span, limit: int) -> ModelError:
    """Function bodies that expand to too large a program."""
    return ModelError(
        "expansion-too-large",
        f"the functions of this program expand to more than {limit:,} expressions",
        span,
        "the limit is reached here",
        "functions are expanded where they are called; use `for`, `map` or `loop` to repeat",
    )


def nested_too_deep(span: Span) -> ModelError:
    """Expressions nested beyond what can be handled."""
    return ModelError(
        "nested-too-deep",
        "the expressions of this program are nested too deep",
        span,
        help="bind inner expressions with `let`, or use `for`, `reduce` or `loop`",
    )


def no_distribution(span: Span, form: str) -> ModelError:
    """Sample or observe of something that is visibly no distribution."""
    return ModelError(
        "no-distribution",
        f"{form} without a distribution",
        span,
        "a value, not a distribution",
        "the distribution comes first: (observe (normal 0 1) value)"
        if form == "observe"
        else "write (sample (normal 0 1)), for example",
    )


def factor_outside_observe(span: Span) -> ModelError:
    """`factor` sampled, or without its argument."""
    return ModelError(
        "factor-outside-observe",
        "`factor` adds to the log density: it is no distribution that has draws",
        span,
        "cannot be drawn from",
        "write (factor log-density) as a statement, or (observe (factor log-density) 0)",
    )


def unused_distribution(span: Span) -> ModelError:
    """A distribution as a statement."""
    return ModelError(
        "unused-distribution",
        "this distribution is neither sampled nor observed",
        span,
        "has no effect here",
        "write (sample ...) for a draw from it, (observe ... value) for data",
    )


def distribution_as_function(span: Span, name: str, parameters: Sequence[str]) -> ModelError:
    """The name of a distribution without its parameters."""
    return ModelError(
        "function-as-value",
        f"the distribution `{name}` needs its parameters",
        span,
        "a distribution's name alone",
        f"write ({' '.join((name, *parameters))})",
    )


def clauses_in_pairs(span: Span, form: str) -> ModelError:
    """A cond with a test that has no value."""
    return ModelError(
        "clauses-in-pairs",
        f"the clauses of `{form}` come in pairs",
        span,
        "this one has no value",
        "write (cond test value ... :else value)",
    )


def case_without_default(span: Span) -> ModelError:
    """A case that has no value for other numbers."""
    return ModelError(
        "case-without-default",
        "`case` needs a last expression, taken where nothing matches",
        span,
        "no default",
        "write (case e 0 a 1 b default)",
    )


def case_of_expression(span: Span) -> ModelError:
    """A case clause that is no number."""
    return ModelError(
        "case-of-expression",
        "`case` compares with numbers only",
        span,
        "not a number",
        "use `cond` for tests",
    )


def cannot_thread(span: Span, form: str) -> ModelError:
    """A step of an arrow that is no call."""
    return ModelError(
        "cannot-thread",
        f"`{form}` can pass a value only to a function",
        span,
        "neither a name nor a call",
        f"write ({form} x f (g y) ...)",
    )


def wrong_pattern_length(span: Span, names: int, values: int) -> ModelError:
    """Destructuring of a vector of another length."""
    return ModelError(
        "wrong-pattern-length",
        f"{_number(names, 'name')} for {_number(values, 'value')}",
        span,
        "the lengths differ",
        "name every element, or gather the others with `& rest`",
    )


def function_destructured(span: Span) -> ModelError:
    """A pattern for a function."""
    return ModelError(
        "function-destructured",
        "a function has no elements to name",
        span,
        "a vector pattern for a function",
    )


def step_not_constant(span: Span) -> ModelError:
    """A range whose step is unknown or zero."""
    return ModelError(
        "step-not-constant",
        "the step of `range` must be a constant other than 0",
        span,
        "not a number",
        "write (range 0 10 2), or multiply: (map (fn [i] (* i step)) (range n))",
    )


def bad_loop_head(span: Span, usage: str) -> ModelError:
    """A plate or fold whose vector is not a name and a value."""
    return ModelError(
        "bad-binding",
        "a name and a value belong in this vector",
        span,
        "not [name value]",
        f"write {usage}",
    )


def cannot_apply(span: Span) -> ModelError:
    """`apply` of a function that takes a fixed number of arguments."""
    return ModelError(
        "cannot-apply",
        "`apply` works for `+`, `max`, `min` and `concat` only",
        span,
        "the vector's length is not known here",
        "use `reduce`, or name the elements: (let [[a b] v] (f a b))",
    )
