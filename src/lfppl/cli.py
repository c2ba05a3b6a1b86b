"""The command line: check, compile, sample, resume, summary, predict and examples."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from lfppl.arguments import parser

if TYPE_CHECKING:
    from lfppl.compiler import Model
    from lfppl.errors import ModelError
    from lfppl.results.fit import Fit

# The phases of the compiler are imported by the commands, so that `lfppl --help` is fast.

USER_MISTAKE, WRONG_COMMAND_LINE, INTERNAL_ERROR, INTERRUPTED, BROKEN_PIPE = 1, 2, 3, 130, 141
"""Exit statuses; argparse too uses 2 for a wrong command line."""

COLOURS = {
    "heading": "1",
    "continuous": "32",
    "discontinuous": "33",
    "warning": "1;33",
    "place": "2",
}
"""Terminal codes by role."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status says how it went."""
    options = parser().parse_args(arguments)
    if options.command is None:
        parser().print_help(sys.stderr)
        return WRONG_COMMAND_LINE
    from lfppl.errors import LfpplError, ModelError

    try:
        _write(ACTIONS[options.command](options))
    except ModelError as error:
        return _fail(_told(error), USER_MISTAKE)
    except LfpplError as error:
        return _fail(str(error), USER_MISTAKE)
    except BrokenPipeError:
        return _close_output()
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except OSError as error:
        return _fail(f"lfppl: cannot write the output: {error.strerror}", USER_MISTAKE)
    except Exception as error:
        return _report_bug(error)
    return 0


def _model(options: argparse.Namespace) -> Model:
    """The model of a file with its data; a Python file is imported."""
    from lfppl.compiler import compile
    from lfppl.data import load_all
    from lfppl.python_files import arguments_of, is_python, load

    data = load_all(options.data)
    if is_python(options.model):
        return load(options.model)(**arguments_of(data))
    return compile(options.model, data)


def check(options: argparse.Namespace) -> str:
    """Print what the compiler finds out about a model."""
    from lfppl import explain
    from lfppl.results.presentation import terminal_width

    analysis = _model(options).analysis
    if options.json:
        import json

        return json.dumps(explain.report(analysis), indent=2)
    return explain.explain(analysis, terminal_width(), _paint if _in_colour() else explain.plain)


def emit(options: argparse.Namespace) -> str:
    """Print one of the compiler's representations of a model."""
    from lfppl import levels
    from lfppl.data import load_all
    from lfppl.python_files import is_python

    if is_python(options.model):
        model = _model(options)
        return levels.show(options.emit, model.program, model.data)
    return levels.show(options.emit, options.model, load_all(options.data))


def sample(options: argparse.Namespace) -> str:
    """Draw from the posterior of a model."""
    from lfppl.results.choice import check_names
    from lfppl.runs.sampling import written_settings

    settings = written_settings(options.set)
    _check_places(options)
    model = _model(options)
    check_names(options.show or (), model.sampled)
    fit = model.sample(
        draws=options.draws,
        warmup=options.warmup,
        chains=options.chains,
        engine=options.engine,
        seed=options.seed,
        thin=options.thin,
        keep=options.keep or None,
        workers=options.workers,
        checkpoint=options.checkpoint,
        progress=not options.quiet,
        **settings,
    )
    return _show_fit(fit, options)


def resume(options: argparse.Namespace) -> str:
    """Continue the run of a checkpoint."""
    from lfppl import compiler

    _check_places(options)
    fit = compiler.resume(options.checkpoint, workers=options.workers, progress=not options.quiet)
    return _show_fit(fit, options)


def summarise(options: argparse.Namespace) -> str:
    """Print the summary of a saved fit."""
    from lfppl.results import files

    return files.summary_of(options.fit, as_json=options.json)


def predict(options: argparse.Namespace) -> str:
    """Draw data from a model: from its prior, or from a saved posterior."""
    from lfppl.runs import predicting
    from lfppl.runs.saving import check_place

    if options.out is not None:
        check_place(options.out)
    model = _model(options)
    return predicting.predict(
        model, options.posterior, options.draws, options.seed, options.out, as_json=options.json
    )


def examples(options: argparse.Namespace) -> str:
    """List the worked examples, or copy some of them out."""
    from lfppl import explain, gallery
    from lfppl.results.presentation import terminal_width

    if options.names:
        return gallery.told(gallery.copy(options.names, options.to))
    if options.json:
        import json

        return json.dumps(gallery.report(), indent=2)
    return gallery.listing(terminal_width(), _paint if _in_colour() else explain.plain)


def _check_places(options: argparse.Namespace) -> None:
    """Refuse to draw what could not be written, or not be shown in a report."""
    from lfppl.results.report import check
    from lfppl.runs.saving import check_place

    for path in (options.out, options.report):
        if path is not None:
            check_place(path)
    if options.report is not None:
        check()


def _show_fit(fit: Fit, options: argparse.Namespace) -> str:
    """Save a fit if asked to, and say what is in it."""
    from lfppl.runs.saving import save

    if options.out is not None:
        save(fit, options.out)
    if options.json:
        import json

        text = json.dumps(fit.as_json(), indent=2)
    else:
        text = str(fit)
    if options.report is not None:
        _report(fit, options, text)
    if fit.is_interrupted:
        _write(text)
        raise KeyboardInterrupt
    return text


def _report(fit: Fit, options: argparse.Namespace, text: str) -> None:
    """Write the report; where that fails, the text is not lost."""
    from lfppl.errors import LfpplError

    try:
        fit.report(options.report, options.show)
    except LfpplError:
        _write(text)
        raise


ACTIONS: Mapping[str, Callable[[argparse.Namespace], str]] = {
    "check": check,
    "compile": emit,
    "sample": sample,
    "resume": resume,
    "summary": summarise,
    "predict": predict,
    "examples": examples,
}
"""What every command does."""


# --- the terminal --------------------------------------------------------------------------------


def _write(text: str) -> None:
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without Greek letters
    print(text.removesuffix("\n"))
    sys.stdout.flush()


def _fail(message: str, status: int) -> int:
    if hasattr(sys.stderr, "reconfigure"):
        sys.stderr.reconfigure(errors="replace")
    print(message, file=sys.stderr)
    return status


def _told(error: ModelError) -> str:
    """A mistake as it fits the terminal; as it is where others read it."""
    if not sys.stderr.isatty():
        return str(error)
    from lfppl.results.presentation import terminal_width

    return error.fitted(terminal_width())


def _close_output() -> int:
    """Nobody reads any more: drop what is left, so that Python does not complain on its way out."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    return BROKEN_PIPE


def _report_bug(error: Exception) -> int:
    if os.environ.get("LFPPL_TRACEBACK"):
        raise error
    summary = f"{type(error).__name__}: {error}"
    return _fail(
        f"lfppl: internal error: {summary}\n"
        "  This is a bug in lfppl and not in your model. Please report it, with what\n"
        "  LFPPL_TRACEBACK=1 before the same command prints.",
        INTERNAL_ERROR,
    )


def _in_colour() -> bool:
    return _is_terminal() and not os.environ.get("NO_COLOR")


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _paint(text: str, role: str) -> str:
    return f"\x1b[{COLOURS[role]}m{text}\x1b[0m"
