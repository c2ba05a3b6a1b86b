"""Mistakes in special forms: `let`, `if`, `fn`, `for`, `loop`, `sample`, `observe`, ..."""

from __future__ import annotations

from lfppl.errors.base import ModelError
from lfppl.source import Span

USAGE = {
    "let": "(let [name value ...] body ...)",
    "if": "(if test then else)",
    "fn": "(fn [parameter ...] body ...)",
    "def": "(def name value)",
    "defn": "(defn name [parameter ...] body ...)",
    "for": "(for [name vector ...] body)",
    "doseq": "(doseq [name vector ...] body ...)",
    "loop": "(loop n initial step)",
    "sample": "(sample distribution)",
    "observe": "(observe distribution value)",
}
"""How every special form is written."""


_EXAMPLE = {"sample": "(sample (normal 0 1))", "observe": "(observe (normal 0 1) value)"}


def _write(form: str) -> str:
    example = f", for example {_EXAMPLE[form]}" if form in _EXAMPLE else ""
    return f"write {USAGE[form]}{example}"


def empty_call(span: Span) -> ModelError:
    """`()`."""
    return ModelError(
        "empty-call",
        "`()` calls nothing",
        span,
        "nothing between these brackets",
        "write [] for an empty vector, nil for no value",
    )


def not_callable(span: Span, what: str) -> ModelError:
    """A literal at the head of a call."""
    return ModelError(
        "not-callable",
        f"{what} cannot be called",
        span,
        "a function or an operation must stand here",
        "vectors are written [a b c]; an element is taken by (get vector index)",
    )


def let_without_vector(span: Span) -> ModelError:
    """A `let` that does not begin with a vector of bindings."""
    return ModelError(
        "let-without-vector",
        "`let` needs a vector of bindings",
        span,
        "a vector [name value ...] must follow `let`",
        _write("let"),
    )


def odd_bindings(span: Span, form: str, count: int) -> ModelError:
    """A binding without its value."""
    return ModelError(
        "odd-bindings",
        f"the bindings of `{form}` come in pairs, but here {_are(count)}",
        span,
        "this one has no value",
        _write(form),
    )


def missing_body(span: Span, form: str) -> ModelError:
    """A form that ends after its bindings."""
    return ModelError(
        "missing-body",
        f"`{form}` has no body",
        span,
        "ends without an expression for its value",
        _write(form),
    )


def not_a_pattern(span: Span, what: str) -> ModelError:
    """Something other than a name or a vector of names where a name is bound."""
    return ModelError(
        "not-a-name",
        f"{what} cannot be bound",
        span,
        "a name must stand here",
        "bind a name, or a vector of names such as [a b & rest]",
    )


def reserved_name(span: Span, name: str) -> ModelError:
    """A special form's name where a name is bound."""
    return ModelError(
        "reserved-name",
        f"`{name}` is a word of the language and cannot be bound",
        span,
        "choose another name",
    )


def misplaced_ampersand(span: Span) -> ModelError:
    """`&` that is not followed by exactly one name at the end of a pattern."""
    return ModelError(
        "misplaced-ampersand",
        "`&` must be followed by one name, at the end of the pattern",
        span,
        "binds what is left of the vector",
        "write [first second & rest]",
    )


def variadic_function(span: Span) -> ModelError:
    """`& rest` among the parameters of a function."""
    return ModelError(
        "variadic-function",
        "a function takes a fixed number of arguments",
        span,
        "stands for any number of arguments",
        "take a vector instead, and destructure it with let",
    )


def if_arguments(span: Span, count: int) -> ModelError:
    """An `if` with too few or too many parts."""
    return ModelError(
        "if-arguments",
        f"`if` has a test and one or two branches, not {_parts(count)}",
        span,
        "a branch is missing" if count < 2 else "this is one too many",
        _write("if") if count < 2 else "put several expressions into one branch with (do ...)",
    )


def function_without_parameters(span: Span, form: str) -> ModelError:
    """`fn` or `defn` without a vector of parameters."""
    return ModelError(
        "function-without-parameters",
        f"`{form}` needs a vector of parameters",
        span,
        "a vector [parameter ...] is expected, [] for none",
        _write(form),
    )


def overloaded_function(span: Span, form: str) -> ModelError:
    """A Clojure function with several bodies by number of arguments."""
    return ModelError(
        "overloaded-function",
        "a function has one list of parameters and one body",
        span,
        "a vector [parameter ...] is expected here",
        f"{_write(form)}; give each number of arguments its own function",
    )


def unusable_name(span: Span, name: str) -> ModelError:
    """A variable whose name results could not be stored or looked up under."""
    return ModelError(
        "unusable-name",
        f"a sampled variable cannot be called {name!r}",
        span,
        "results are stored under its name",
        "leave out `/`, square brackets, line breaks and other control characters",
    )


def definition_without_name(span: Span, form: str) -> ModelError:
    """`def` or `defn` of something that is not a name."""
    return ModelError(
        "definition-without-name",
        f"`{form}` must be followed by a name",
        span,
        "a name must stand here",
        _write(form),
    )


def def_arguments(span: Span, count: int) -> ModelError:
    """`def` without a value or with several."""
    return ModelError(
        "def-arguments",
        f"`def` gives a name one value, not {count}",
        span,
        "the value is missing" if count == 0 else "this is one too many",
        _write("def"),
    )


def for_without_bindings(span: Span, form: str) -> ModelError:
    """`for` or `doseq` without what it runs over."""
    return ModelError(
        "for-without-bindings",
        f"`{form}` needs a vector that says what it runs over",
        span,
        "a vector [name vector ...] is expected",
        _write(form),
    )


def loop_arguments(span: Span, count: int) -> ModelError:
    """A `loop` without its count, initial value or step."""
    return ModelError(
        "loop-arguments",
        f"`loop` has a count, an initial value and a step, but here {_are(count)}",
        span,
        "something is missing",
        f"{_write('loop')}, where step is a function of i and the value so far",
    )


def clojure_loop(span: Span) -> ModelError:
    """Clojure's `(loop [i 0] ... (recur ...))`."""
    return ModelError(
        "clojure-loop",
        "`loop` is not Clojure's loop with `recur`: its count must be known when compiling",
        span,
        "the count must stand here, not bindings",
        f"{_write('loop')}: step is called n times as (step i value), "
        "first with i = 0 and the initial value",
    )


def recur(span: Span) -> ModelError:
    """Clojure's `recur`."""
    return ModelError(
        "recur",
        "there is no `recur`: loops have a count known when compiling",
        span,
        "jumps back in Clojure",
        _write("loop"),
    )


def sample_arguments(span: Span, count: int) -> ModelError:
    """`sample` without a distribution, or with more than one."""
    return ModelError(
        "sample-arguments",
        f"`sample` takes one distribution, not {_parts(count)}",
        span,
        "the distribution is missing" if count == 0 else "this is one too many",
        _write("sample"),
    )


def observe_arguments(span: Span, count: int) -> ModelError:
    """`observe` without distribution or value."""
    return ModelError(
        "observe-arguments",
        f"`observe` takes a distribution and a value, not {_parts(count)}",
        span,
        "something is missing" if count < 2 else "this is one too many",
        _write("observe"),
    )


def _parts(count: int) -> str:
    return {0: "nothing", 1: "1 form"}.get(count, f"{count} forms")


def _are(count: int) -> str:
    return f"{'is' if count < 2 else 'are'} {_parts(count)}"
