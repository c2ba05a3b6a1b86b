"""Models that are Python functions: the decorator, and a model with its data."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import lfppl.errors.python as errors
from lfppl.analysis import Reason
from lfppl.compiler import Model, compile
from lfppl.display.drawn import Drawn
from lfppl.syntax.python import Definition, Translation, definition_of, place_of, translate
from lfppl.syntax.surface import Program


class PythonModel:
    """A function under `@lfppl.model`; a call binds its parameters to data."""

    def __init__(self, definition: Definition, bound: Mapping[str, Any] | None = None) -> None:
        self.definition = definition
        self.bound = dict(bound or {})
        self.__name__ = definition.name

    @property
    def source(self) -> str:
        """The text of the function."""
        return self.definition.places.span(self.definition.node).text

    def __call__(self, *arguments: Any, **keywords: Any) -> BoundModel:
        """The model with its data; what is wrong with it is said when it is compiled."""
        return BoundModel(self, self._arguments(arguments, keywords))

    def _arguments(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
        spec = self.definition.node.args
        names = [each.arg for each in (*spec.posonlyargs, *spec.args) if each.arg not in self.bound]
        span = self.definition.span
        if len(arguments) > len(names):
            count = len(arguments)
            usage = f"{self.__name__}({', '.join(names)})"
            raise errors.wrong_argument_count(span, self.__name__, count, 0, len(names), usage)
        given = {**self.bound, **dict(zip(names, arguments, strict=False))}
        for name, value in keywords.items():
            known = [*names, *(each.arg for each in spec.kwonlyargs), *self.bound]
            if name not in known or name in names[: len(arguments)]:
                raise errors.unknown_keyword(span, self.__name__, name, known)
            given[name] = value
        return given

    def __repr__(self) -> str:
        return f"<lfppl model {self.__name__}: call it with its data>"


class BoundModel(Drawn):
    """A Python model with its data: compile it, ask for Γ, sample from it."""

    def __init__(self, model: PythonModel, arguments: Mapping[str, Any]) -> None:
        self.model = model
        self.arguments = dict(arguments)

    @cached_property
    def translation(self) -> Translation:
        """The program and its data."""
        return translate(self.model.definition, self.arguments)

    @property
    def program(self) -> Program:
        """The surface program."""
        return self.translation.program

    @property
    def dims(self) -> dict[str, tuple[str, ...]]:
        """Named dimensions, by variable."""
        return self.translation.dims

    @property
    def coords(self) -> dict[str, list[Any]]:
        """Labels along named dimensions."""
        return self.translation.coords

    @cached_property
    def compiled(self) -> Model:
        """The compiled model."""
        translation = self.translation
        return compile(translation.program, translation.data)

    @property
    def sampled(self) -> dict[str, tuple[int, ...]]:
        """Δ: the shape of every sampled variable by name; () is a number."""
        return self.compiled.sampled

    @property
    def discontinuous(self) -> dict[str, tuple[Reason, ...]]:
        """Γ: why the density jumps, for every variable it jumps in."""
        return self.compiled.discontinuous

    def explain(self, width: int = 80) -> str:
        """What `lfppl check` prints."""
        return self.compiled.explain(width)

    def sample(self, *arguments: Any, **keywords: Any) -> Any:
        """Draws from the posterior; the arguments are those of `Model.sample`."""
        return self.compiled.sample(*arguments, **keywords)

    def _model(self) -> Model:
        return self.compiled

    def __getstate__(self) -> dict[str, Any]:
        return {"model": self.model, "arguments": self.arguments}

    def __repr__(self) -> str:
        return f"<lfppl model {self.model.__name__} with data>"


def model(function: Callable[..., Any]) -> PythonModel:
    """Make a model of a plain Python function: its source is translated, and it is never run.

    >>> from lfppl.distributions import bernoulli, beta
    >>> from lfppl import observe, sample
    >>> @model
    ... def coin(flips):
    ...     p = sample(beta(1, 1))
    ...     observe(bernoulli(p), flips)
    ...     return p
    >>> coin([1, 0, 1]).sampled
    {'p': ()}
    """
    if isinstance(function, PythonModel):
        return function
    if isinstance(function, functools.partial):
        return _partial(function)
    kind = next((kind for kind, is_kind in _SPECIAL_KINDS.items() if is_kind(function)), None)
    if kind is not None:
        raise errors.changed_model(function.__name__, kind, place_of(function))
    made = PythonModel(definition_of(function))
    made.__doc__ = function.__doc__
    return made


_SPECIAL_KINDS: dict[str, Callable[[Any], bool]] = {
    "coroutine": lambda f: inspect.iscoroutinefunction(f) or inspect.isasyncgenfunction(f),
    "generator": inspect.isgeneratorfunction,
    "method": inspect.ismethod,
}
"""What has a source but cannot be a model."""


def _partial(function: functools.partial[Any]) -> PythonModel:
    """`functools.partial(f, x=3)`: the same function with some parameters bound."""
    inner = model(function.func)
    bound = inner._arguments(function.args, function.keywords)
    return PythonModel(inner.definition, bound)
