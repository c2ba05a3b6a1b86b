"""The command line: check, compile, sample, resume, summary, predict and examples."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lfppl import __version__

if TYPE_CHECKING:
    from lfppl.results.fit import Fit

# The phases of the compiler are imported by the commands, so that `lfppl --help` is fast.

ENGINES = ("dnuts", "dhmc", "hmc", "nuts", "mwg")

LEVELS = ("core", "quadruple", "latex", "lir", "lir-json", "dot", "llvm", "json")

USER_MISTAKE, INTERNAL_ERROR, INTERRUPTED, BROKEN_PIPE = 1, 3, 130, 141
"""Exit statuses; argparse uses 2 for a wrong command line."""

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
    options = _parser().parse_args(arguments)
    from lfppl.errors import LfpplError

    try:
        _write(options.command(options))
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


def check(options: argparse.Namespace) -> str:
    """Print what the compiler finds out about a model."""
    from lfppl import explain
    from lfppl.compiler import compile
    from lfppl.data import load_all
    from lfppl.results.presentation import terminal_width

    analysis = compile(options.model, load_all(options.data)).analysis
    if options.json:
        import json

        return json.dumps(explain.report(analysis), indent=2)
    return explain.explain(analysis, terminal_width(), _paint if _in_colour() else explain.plain)


def emit(options: argparse.Namespace) -> str:
    """Print one of the compiler's representations of a model."""
    from lfppl import levels
    from lfppl.data import load_all

    return levels.show(options.emit, options.model, load_all(options.data))


def sample(options: argparse.Namespace) -> str:
    """Draw from the posterior of a model."""
    from lfppl.compiler import compile
    from lfppl.data import load_all
    from lfppl.runs.saving import check_place

    if options.out is not None:
        check_place(options.out)
    fit = compile(options.model, load_all(options.data)).sample(
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
    )
    return _show_fit(fit, options)


def resume(options: argparse.Namespace) -> str:
    """Continue the run of a checkpoint."""
    from lfppl import compiler
    from lfppl.runs.saving import check_place

    if options.out is not None:
        check_place(options.out)
    fit = compiler.resume(options.checkpoint, workers=options.workers, progress=not options.quiet)
    return _show_fit(fit, options)


def summarise(options: argparse.Namespace) -> str:
    """Print the summary of a saved fit."""
    from lfppl.results import files

    return files.summary_of(options.fit, as_json=options.json)


def predict(options: argparse.Namespace) -> str:
    """Draw data from a model: from its prior, or from a saved posterior."""
    from lfppl.compiler import compile
    from lfppl.data import load_all
    from lfppl.runs import predicting
    from lfppl.runs.saving import check_place

    if options.out is not None:
        check_place(options.out)
    model = compile(options.model, load_all(options.data))
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
    if fit.is_interrupted:
        _write(text)
        raise KeyboardInterrupt
    return text


# --- the command line ----------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lfppl", description="Bayesian models that are not differentiable everywhere."
    )
    parser.add_argument("--version", action="version", version=f"lfppl {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    checking = _command(commands, "check", "show the variables of a model, and where it jumps")
    checking.add_argument("--json", action="store_true", help="print a JSON object")
    checking.set_defaults(command=lambda options: check(options))
    emitting = _command(commands, "compile", "print a model at a level of the compiler")
    emitting.add_argument("--emit", choices=LEVELS, required=True, help="which level to print")
    emitting.set_defaults(command=lambda options: emit(options))
    _add_run_commands(commands)
    showing = commands.add_parser(
        "examples", help="list the worked examples, or copy some", description="Worked examples."
    )
    showing.add_argument("names", metavar="NAME", nargs="*", help="copy this one; list all if none")
    showing.add_argument("--to", metavar="DIR", type=Path, default=Path(), help="where to copy")
    showing.add_argument("--json", action="store_true", help="print the list as JSON")
    showing.set_defaults(command=lambda options: examples(options))
    return parser


def _add_run_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    sampling = _command(commands, "sample", "draw from the posterior of a model")
    sampling.add_argument("--engine", choices=ENGINES, default=ENGINES[0])
    sampling.add_argument("--draws", type=int, default=1000, help="iterations after the warm-up")
    sampling.add_argument("--warmup", type=int, default=1000, help="iterations to adapt in")
    sampling.add_argument("--chains", type=int, default=4)
    sampling.add_argument("--seed", type=int, help="the same seed gives the same draws")
    sampling.add_argument("--thin", type=int, default=1, help="keep every n-th draw")
    sampling.add_argument(
        "--keep", metavar="NAME", action="append", help="keep this variable; all if never given"
    )
    sampling.add_argument(
        "--checkpoint", metavar="DIR", type=Path, help="write draws there as they come"
    )
    _add_run_options(sampling)
    sampling.set_defaults(command=lambda options: sample(options))
    resuming = commands.add_parser("resume", help="continue a run", description="Continue a run.")
    resuming.add_argument("checkpoint", metavar="DIR", type=Path, help="what --checkpoint named")
    _add_run_options(resuming)
    resuming.set_defaults(command=lambda options: resume(options))
    summing = commands.add_parser("summary", help="show a saved fit", description="Show a fit.")
    summing.add_argument("fit", metavar="FILE", type=Path, help="what --out named")
    summing.add_argument("--json", action="store_true", help="print a JSON object")
    summing.set_defaults(command=lambda options: summarise(options))
    predicting = _command(commands, "predict", "draw data from a model")
    source = predicting.add_mutually_exclusive_group(required=True)
    source.add_argument("--prior", action="store_true", help="from the prior")
    source.add_argument("--posterior", metavar="FILE", type=Path, help="from a saved fit")
    predicting.add_argument("--draws", type=int, default=1000, help="draws from the prior")
    predicting.add_argument("--seed", type=int, help="the same seed gives the same draws")
    predicting.add_argument("--out", metavar="FILE", type=Path, help="write them as netCDF")
    predicting.add_argument("--json", action="store_true", help="print a JSON object")
    predicting.set_defaults(command=lambda options: predict(options))


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workers", type=int, help="threads; as many as processors if not given")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the fit as netCDF")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=summary, description=summary.capitalize() + ".")
    parser.add_argument(
        "model", metavar="MODEL", type=Path, help="a .lfppl file, or a tree as .json"
    )
    parser.add_argument(
        "--data",
        metavar="FILE",
        action="append",
        default=[],
        help="data as .json, .csv or .npz; may be given several times",
    )
    return parser


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
