"""Models that are Python functions: the decorator, and the model that data make of them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, Generic, ParamSpec

import lfppl.errors.python as errors
from lfppl.compiler import Model, compile
from lfppl.syntax.python import Definition, definition_of, place_of, translate

Parameters = ParamSpec("Parameters")


class PythonModel(Generic[Parameters]):
    """A function under `@lfppl.model`; a call binds its parameters to data and compiles it."""

    def __init__(self, definition: Definition, bound: Mapping[str, Any] | None = None) -> None:
        self.definition = definition
        self.bound = dict(bound or {})
        self.__name__ = definition.name

    @property
    def source(self) -> str:
        """The text of the function."""
        return self.definition.places.span(self.definition.node).text

    def __call__(self, *arguments: Parameters.args, **keywords: Parameters.kwargs) -> Model:
        """The compiled model of these data."""
        started = perf_counter()
        translation = translate(self.definition, self.arguments(arguments, keywords))
        compiled = compile(translation.program, translation.data)
        labels = translation.labels
        labels.check(compiled.sampled)
        seconds = perf_counter() - started
        return replace(compiled, dims=labels.dims, coords=labels.coords, front_s=seconds)

    def arguments(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters that a call binds, by name."""
        spec, span = self.definition.node.args, self.definition.span
        if spec.vararg or spec.kwarg:
            raise errors.variable_arguments(span, self.__name__)
        names = [name for name in self.definition.parameters if name not in self.bound]
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

    @property
    def __signature__(self) -> inspect.Signature:
        """The parameters that are not bound yet, for `help` and editors."""
        spec = self.definition.node.args
        kinds = inspect.Parameter
        named = [
            *((each, kinds.POSITIONAL_OR_KEYWORD) for each in (*spec.posonlyargs, *spec.args)),
            *((each, kinds.KEYWORD_ONLY) for each in spec.kwonlyargs),
        ]
        free = [(each.arg, kind) for each, kind in named if each.arg not in self.bound]
        return inspect.Signature([inspect.Parameter(name, kind) for name, kind in free])

    def _repr_html_(self) -> str:
        from lfppl.display import card

        return card.of_function(f"{self.__name__}{self.__signature__}", self.source)

    def __getattr__(self, name: str) -> Any:
        """What is missing; whoever asks for what a model with data has is told how to get it."""
        own = f"`{type(self).__name__}` has no attribute `{name}`"
        if name.startswith("_") or not hasattr(Model, name):
            raise AttributeError(own)
        call = f"{self.__name__}{self.__signature__}"
        raise AttributeError(f"{own}: call the model with its data first, {call}.{name}")

    def __get__(self, instance: object, owner: type | None = None) -> PythonModel[Parameters]:
        """A model in a class; it cannot be a method."""
        if self.definition.parameters[:1] in (["self"], ["cls"]):
            raise errors.changed_model(self.__name__, "method", self.definition.span)
        return self

    def __repr__(self) -> str:
        return f"<lfppl model {self.__name__}{self.__signature__}: call it with its data>"


def model(function: Callable[Parameters, Any]) -> PythonModel[Parameters]:
    """Make a model of a plain Python function: its source is translated, and it is never run.

    >>> from lfppl.distributions import bernoulli, beta
    >>> from lfppl import observe, sample
    >>> @model
    ... def coin(flips):
    ...     p = sample(beta(1, 1))
    ...     observe(bernoulli(p), flips)
    ...     return p
    >>> coin
    <lfppl model coin(flips): call it with its data>
    >>> coin([1, 0, 1]).sampled
    {'p': ()}
    """
    if isinstance(function, PythonModel):
        return function
    if isinstance(function, functools.partial):
        return _partial(function)
    kind = next((kind for kind, is_kind in _SPECIAL_KINDS.items() if is_kind(function)), None)
    if hasattr(function, "__wrapped__"):
        raise errors.wrapped_function(function.__name__, place_of(function))
    if kind is not None:
        raise errors.changed_model(function.__name__, kind, place_of(function))
    made: PythonModel[Parameters] = PythonModel(definition_of(function))
    made.__doc__ = function.__doc__
    return made


_SPECIAL_KINDS: dict[str, Callable[[Any], bool]] = {
    "coroutine": lambda f: inspect.iscoroutinefunction(f) or inspect.isasyncgenfunction(f),
    "generator": inspect.isgeneratorfunction,
    "method": inspect.ismethod,
}
"""What has a source but cannot be a model."""


def _partial(function: functools.partial[Any]) -> PythonModel[Any]:
    """`functools.partial(f, x=3)`: the same function with some parameters bound."""
    inner = model(function.func)
    bound = inner.arguments(function.args, function.keywords)
    return PythonModel(inner.definition, bound)
