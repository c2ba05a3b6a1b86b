"""The command line: `lfppl check` and `lfppl compile`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from lfppl import __version__

# The phases of the compiler are imported by the commands, so that `lfppl --help` is fast.

LEVELS = ("core", "quadruple", "latex", "lir", "lir-json", "dot", "json")

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

    analysis = compile(options.model, load_all(options.data)).analysis
    if options.json:
        import json

        return json.dumps(explain.report(analysis), indent=2)
    return explain.explain(analysis, _width(), _paint if _in_colour() else explain.plain)


def emit(options: argparse.Namespace) -> str:
    """Print one of the compiler's representations of a model."""
    from lfppl import levels
    from lfppl.data import load_all

    return levels.show(options.emit, options.model, load_all(options.data))


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
    return parser


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


def _width() -> int:
    import shutil

    return min(max(shutil.get_terminal_size().columns, 40), 120)


def _in_colour() -> bool:
    return _is_terminal() and not os.environ.get("NO_COLOR")


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _paint(text: str, role: str) -> str:
    return f"\x1b[{COLOURS[role]}m{text}\x1b[0m"
