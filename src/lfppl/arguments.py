"""The command line as tables: every command with its options, and what `--help` says of them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lfppl import __version__
from lfppl.engines import DEFAULT, ENGINES

# Nothing heavy is imported here, so that `lfppl --help` is fast.

LEVELS = ("core", "quadruple", "latex", "lir", "lir-json", "dot", "llvm", "json")
"""What `compile` can print."""


class Option(NamedTuple):
    """A flag or an argument by its name, and what argparse is told of it."""

    name: str
    settings: Mapping[str, Any]


class Command(NamedTuple):
    """A command: a line for the list, what it does, and an example.

    Of the options in `one_of` exactly one must be given.
    """

    name: str
    summary: str
    description: str
    example: str
    options: tuple[Option, ...]
    one_of: tuple[Option, ...] = ()


def _option(name: str, help: str, **settings: Any) -> Option:
    return Option(name, {"help": help, **settings})


def _switch(name: str, help: str) -> Option:
    return _option(name, help, action="store_true")


def _number(name: str, help: str, default: int | None = None) -> Option:
    return _option(name, help, type=int, metavar="N", default=default)


def _file(name: str, help: str) -> Option:
    return _option(name, help, type=Path, metavar="FILE")


MODEL = _option(
    "model",
    "a .lfppl file, a tree as .json, or a Python file: model.py, model.py:name",
    metavar="MODEL",
    type=Path,
)
DATA = _option(
    "--data",
    "values of the model's free names, as .json, .csv or .npz; may be given several times",
    metavar="FILE",
    action="append",
    default=[],
)
OUT = _file("--out", "also write the fit as netCDF, for ArviZ and `lfppl summary`")
REPORT = _file("--report", "also write a page that shows everything (needs lfppl[plots])")
SHOW = _option(
    "--show",
    "draw this variable or element in the report; may be given several times",
    metavar="NAME",
    action="append",
)
SEED = _number("--seed", "the same seed gives the same draws; random if not given")
QUIET = _switch("--quiet", "show no progress")
WORKERS = _number("--workers", "threads to run chains in; as many as processors if not given")
JSON = _switch("--json", "print a JSON object instead")

CHECK = Command(
    "check",
    "show the variables of a model, and where it jumps",
    "Show the variables of a model, and in which of them the density\n"
    "jumps, with the place in the source. Nothing is sampled.",
    "lfppl check model.lfppl --data data.json",
    (MODEL, DATA, JSON),
)

COMPILE = Command(
    "compile",
    "print a model at a level of the compiler",
    "Print a model at a level of the compiler:\n"
    "  json       the program as it was written, as a tree\n"
    "  core       without its sugar\n"
    "  quadruple  of the paper's rules; latex: the same in LaTeX\n"
    "  lir        the tables that are compiled; lir-json: as JSON\n"
    "  dot        the dependence graph, for Graphviz\n"
    "  llvm       the text of the native code",
    "lfppl compile model.lfppl --data data.json --emit core",
    (MODEL, DATA, _option("--emit", "which level", choices=LEVELS, required=True, metavar="LEVEL")),
)

SAMPLE = Command(
    "sample",
    "draw from the posterior of a model",
    "Draw from the posterior of a model: print a row for every number,\n"
    "the time it took, and warnings where the draws look wrong.",
    "lfppl sample model.lfppl --data data.json --seed 1 --out fit.nc",
    (
        MODEL,
        DATA,
        _number("--draws", "draws of each chain after the warm-up (default: 1000)", 1000),
        _number("--warmup", "iterations in which a chain adapts (default: 1000)", 1000),
        _number("--chains", "independent chains (default: 4)", 4),
        SEED,
        _option(
            "--engine",
            f"{', '.join(ENGINES)} (default: {DEFAULT}); hmc and nuts do not see jumps",
            choices=ENGINES,
            default=DEFAULT,
            metavar="NAME",
        ),
        _option(
            "--set",
            "a setting of the engine, as target_acceptance=0.95; may be given several times",
            metavar="NAME=VALUE",
            action="append",
            default=[],
        ),
        _number("--thin", "keep every N-th draw only (default: 1)", 1),
        _option(
            "--keep",
            "keep this variable; may be given several times (default: all)",
            metavar="NAME",
            action="append",
        ),
        _option(
            "--checkpoint",
            "write the draws into this new folder as they come; `lfppl resume` goes on from there",
            metavar="DIR",
            type=Path,
        ),
        WORKERS,
        OUT,
        REPORT,
        SHOW,
        QUIET,
        JSON,
    ),
)

RESUME = Command(
    "resume",
    "continue a run that was stopped",
    "Continue the run of a --checkpoint folder to the draws that it\n"
    "would have given. The model and its data are in the folder.",
    "lfppl resume run --out fit.nc",
    (
        _option("checkpoint", "the folder of the run", metavar="DIR", type=Path),
        WORKERS,
        OUT,
        REPORT,
        SHOW,
        QUIET,
        JSON,
    ),
)

SUMMARY = Command(
    "summary",
    "show a saved fit",
    "Print the table and the warnings of a fit that --out wrote.",
    "lfppl summary fit.nc",
    (_option("fit", "what --out wrote", metavar="FILE", type=Path), JSON),
)

PREDICT = Command(
    "predict",
    "draw data from a model",
    "Draw data from a model: from its prior, or from a posterior.",
    "lfppl predict model.lfppl --data data.json --posterior fit.nc",
    (
        MODEL,
        DATA,
        _number("--draws", "draws from the prior (default: 1000)", 1000),
        SEED,
        _file("--out", "also write the draws as netCDF"),
        JSON,
    ),
    one_of=(
        _switch("--prior", "from the prior"),
        _file("--posterior", "from the draws of a fit that --out wrote"),
    ),
)

EXAMPLES = Command(
    "examples",
    "list the worked examples, or copy some",
    "List the worked examples; with names, copy their files here.",
    "lfppl examples change-point --to my-models",
    (
        _option("names", "an example to copy; list all if none", metavar="NAME", nargs="*"),
        _option("--to", "the folder to copy to", metavar="DIR", type=Path, default=Path()),
        _switch("--json", "print the list as JSON"),
    ),
)

COMMANDS = (CHECK, SAMPLE, RESUME, SUMMARY, PREDICT, COMPILE, EXAMPLES)
"""All commands in the order of the list."""

DESCRIPTION = """\
Bayesian models that are not differentiable everywhere: find out
where they jump, and sample them."""

START = """\
to start with:
  lfppl examples              list models that work
  lfppl examples change-point copy one: Lisp, Python and data
  lfppl check change-point.lfppl --data change-point.json
  lfppl sample change-point.lfppl --data change-point.json

`lfppl COMMAND --help` tells more of a command."""


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line.

    >>> parser().parse_args(["sample", "model.lfppl", "--seed", "1"]).draws
    1000
    """
    layout = argparse.RawDescriptionHelpFormatter
    whole = argparse.ArgumentParser(
        prog="lfppl", description=DESCRIPTION, epilog=START, formatter_class=layout
    )
    whole.add_argument("--version", action="version", version=f"lfppl {__version__}")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for command in COMMANDS:
        one = commands.add_parser(
            command.name,
            help=command.summary,
            description=command.description,
            epilog=f"example:\n  {command.example}",
            formatter_class=layout,
        )
        _add_options(one, command)
    return whole


def _add_options(one: argparse.ArgumentParser, command: Command) -> None:
    if command.one_of:
        group = one.add_mutually_exclusive_group(required=True)
        for option in command.one_of:
            group.add_argument(option.name, **option.settings)
    for option in command.options:
        one.add_argument(option.name, **option.settings)
