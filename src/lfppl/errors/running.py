"""What can go wrong before, during and after a run: options, starting points, checkpoints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike, fspath

from lfppl.errors.base import ModelError
from lfppl.source import Span

# --- options -------------------------------------------------------------------------------------


def wrong_count(name: str, value: object, least: int) -> ModelError:
    """A number of draws, chains, ... that makes no sense.

    >>> print(wrong_count("chains", 0, 1))
    error[wrong-option]: `chains` must be a whole number, at least 1; it is 0
    """
    return ModelError(
        "wrong-option", f"`{name}` must be a whole number, at least {least}; it is {value!r}"
    )


def unknown_setting(name: str, known: Sequence[str]) -> ModelError:
    """A setting that no engine has.

    >>> print(unknown_setting("step", ["steps", "step_size"]))
    error[unknown-setting]: no engine has a setting `step`
      help: the settings are steps, step_size
    """
    return ModelError(
        "unknown-setting",
        f"no engine has a setting `{name}`",
        help=f"the settings are {', '.join(known)}",
    )


def wrong_setting(text: str) -> ModelError:
    """A setting whose value is no number.

    >>> print(wrong_setting("steps=many"))
    error[wrong-setting]: `steps=many` does not give a number
      help: write NAME=NUMBER, or NAME=true or NAME=false
    """
    return ModelError(
        "wrong-setting",
        f"`{text}` does not give a number",
        help="write NAME=NUMBER, or NAME=true or NAME=false",
    )


def unknown_keep(name: str, known: Sequence[str]) -> ModelError:
    """`keep` names something that the model does not have.

    >>> print(unknown_keep("nu", ["mu", "return"]))
    error[unknown-variable]: `keep` names `nu`, which the model does not have
      help: it has mu, return
    """
    return ModelError(
        "unknown-variable",
        f"`keep` names `{name}`, which the model does not have",
        help=f"it has {', '.join(known)}",
    )


def too_much_memory(needed: float, available: float) -> ModelError:
    """The draws would not fit into memory.

    >>> too_much_memory(64e9, 8e9).message
    'the draws would take 64.0 GB of memory, 8.0 GB are available'
    """
    return ModelError(
        "too-many-draws",
        f"the draws would take {needed / 1e9:.1f} GB of memory,"
        f" {available / 1e9:.1f} GB are available",
        help="name the variables to keep with `keep`, keep every n-th draw with `thin`,"
        " or ask for fewer draws",
    )


# --- starting points -----------------------------------------------------------------------------


def unknown_initial(name: str, known: Iterable[str]) -> ModelError:
    """A starting value for a variable that the model does not have.

    >>> unknown_initial("nu", ["mu"]).message
    'a starting value is given for `nu`, which the model does not sample'
    """
    return ModelError(
        "unknown-variable",
        f"a starting value is given for `{name}`, which the model does not sample",
        help=f"it samples {', '.join(known)}",
    )


def wrong_initial_shape(name: str, given: tuple[int, ...], shape: tuple[int, ...]) -> ModelError:
    """A starting value of the wrong shape.

    >>> wrong_initial_shape("mu", (3,), (2,)).message
    'the starting value of `mu` has the shape (3,), the variable (2,)'
    """
    return ModelError(
        "wrong-initial",
        f"the starting value of `{name}` has the shape {given}, the variable {shape}",
    )


def wrong_initial_count(given: int, chains: int) -> ModelError:
    """A list of starting points that is not as long as there are chains.

    >>> wrong_initial_count(3, 4).message
    '3 starting points are given for 4 chains'
    """
    return ModelError("wrong-initial", f"{given} starting points are given for {chains} chains")


def initial_outside_support(name: str, span: Span) -> ModelError:
    """A starting value that its distribution does not allow.

    >>> from lfppl.source import NOWHERE
    >>> initial_outside_support("sd", NOWHERE).message
    'the starting value of `sd` lies outside the support of its distribution, or on its edge'
    """
    return ModelError(
        "wrong-initial",
        f"the starting value of `{name}` lies outside the support of its distribution,"
        " or on its edge",
        span,
        "it is sampled here",
    )


def no_starting_point(
    attempts: int, blamed: str, span: Span | None, times: int, problem: str = "zero"
) -> ModelError:
    """No point of positive density was found; `blamed` is the statement that was zero most often.

    >>> no_starting_point(100, "`x`", None, 93).message
    'no starting point was found in 100 attempts: the density of `x` was zero in 93 of them'
    """
    return ModelError(
        "no-starting-point",
        f"no starting point was found in {attempts} attempts: the density of {blamed} was {problem}"
        f" in {times} of them",
        span,
        "no density here" if problem == "zero" else f"it was {problem} here",
        "give starting values by name with `initial`, or check the prior and the data",
    )


def no_finite_gradient(attempts: int) -> ModelError:
    """Points of positive density were found, but none with a finite gradient.

    >>> no_finite_gradient(100).code
    'no-starting-point'
    """
    return ModelError(
        "no-starting-point",
        f"no starting point was found in {attempts} attempts: the gradient of the log density was"
        " not finite",
        help="give starting values by name with `initial`",
    )


def chain_failed(chain: int, iteration: int, reason: str) -> ModelError:
    """A chain that could not go on.

    >>> chain_failed(2, 30, "the log density is NaN").message
    'chain 2 stopped after 30 iterations: the log density is NaN'
    """
    return ModelError(
        "chain-failed", f"chain {chain} stopped after {iteration} iterations: {reason}"
    )


# --- checkpoints ---------------------------------------------------------------------------------


def checkpoint_exists(path: str | PathLike[str]) -> ModelError:
    """A new run was told to write where there is something already.

    >>> checkpoint_exists("run").message
    'there is something at run already; nothing was overwritten'
    """
    return ModelError(
        "checkpoint-exists",
        f"there is something at {fspath(path)} already; nothing was overwritten",
        help="continue it with `lfppl resume`, or choose another place",
    )


def checkpoint_missing(path: str | PathLike[str]) -> ModelError:
    """There is no checkpoint to resume from.

    >>> checkpoint_missing("run").message
    'there is no checkpoint at run'
    """
    return ModelError("no-checkpoint", f"there is no checkpoint at {fspath(path)}")


def not_a_checkpoint(path: str | PathLike[str], reason: str) -> ModelError:
    """A file or folder that lfppl did not write, or one that was damaged.

    >>> not_a_checkpoint("run", "run.json is missing").message
    'run is not a checkpoint of lfppl: run.json is missing'
    """
    return ModelError("not-a-checkpoint", f"{fspath(path)} is not a checkpoint of lfppl: {reason}")


def damaged_checkpoint(path: str | PathLike[str], reason: str) -> ModelError:
    """A part of a checkpoint that cannot be read.

    >>> damaged_checkpoint("run/chain-0-000.npz", "it is cut off").message
    'the checkpoint is damaged: run/chain-0-000.npz cannot be read (it is cut off)'
    """
    return ModelError(
        "damaged-checkpoint",
        f"the checkpoint is damaged: {fspath(path)} cannot be read ({reason})",
        help="move this file and the later ones of its chain away: what they held is drawn again",
    )


def model_changed(path: str | PathLike[str]) -> ModelError:
    """The model or its data are not those of the checkpoint.

    >>> model_changed("run").code
    'model-changed'
    """
    return ModelError(
        "model-changed",
        f"the model or its data have changed since the checkpoint at {fspath(path)} was begun",
        help="`lfppl resume` continues with the model stored in the checkpoint",
    )


def checkpoint_in_use(path: str | PathLike[str]) -> ModelError:
    """Another process writes to the checkpoint.

    >>> checkpoint_in_use("run").message
    'another process is writing to the checkpoint at run'
    """
    return ModelError(
        "checkpoint-in-use", f"another process is writing to the checkpoint at {fspath(path)}"
    )


def cannot_write(path: str | PathLike[str], reason: str) -> ModelError:
    """A place that cannot be written to.

    >>> cannot_write("fit.nc", "Permission denied").message
    'fit.nc cannot be written: Permission denied'
    """
    return ModelError("cannot-write", f"{fspath(path)} cannot be written: {reason}")


def saved_elsewhere(error: ModelError, rescue: str | PathLike[str]) -> ModelError:
    """The fit could not be written where it should be, and was written somewhere else.

    >>> saved_elsewhere(cannot_write("fit.nc", "No space left on device"), "/tmp/a/fit.nc").help
    'the fit was saved as /tmp/a/fit.nc instead'
    """
    return ModelError(
        error.code, error.message, help=f"the fit was saved as {fspath(rescue)} instead"
    )


def not_a_fit(path: str | PathLike[str], reason: str) -> ModelError:
    """A file that holds no fit.

    >>> not_a_fit("a.nc", "it has no group `posterior`").message
    'a.nc is not a saved fit: it has no group `posterior`'
    """
    return ModelError("not-a-fit", f"{fspath(path)} is not a saved fit: {reason}")


def fit_of_another_model(path: str | PathLike[str], name: str) -> ModelError:
    """A saved fit without the variables of the model, or with others of another shape.

    >>> fit_of_another_model("a.nc", "mu").message
    'a.nc has no draws of `mu` that fit the model'
    """
    return ModelError(
        "another-model",
        f"{fspath(path)} has no draws of `{name}` that fit the model",
        help="predictions need all variables of the model: sample it without `keep`",
    )


# --- results -------------------------------------------------------------------------------------


def not_for_crowds(option: str) -> ModelError:
    """An option that makes no sense where all chains advance together.

    >>> print(not_for_crowds("checkpoint"))
    error[not-for-crowds]: the engine `crowd` takes no `checkpoint`
      help: its chains advance together on one device; leave it out, or use another engine
    """
    return ModelError(
        "not-for-crowds",
        f"the engine `crowd` takes no `{option}`",
        help="its chains advance together on one device; leave it out, or use another engine",
    )


def no_draws() -> ModelError:
    """A run that was interrupted before its first draw.

    >>> no_draws().code
    'no-draws'
    """
    return ModelError("no-draws", "the run was interrupted before the first draw")
