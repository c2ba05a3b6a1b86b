"""The example in `docs/lir.md` is what the program prints."""

from __future__ import annotations

import re
from pathlib import Path

from lfppl.compiler import compile
from lfppl.lir.printer import text
from lfppl.source import Source
from lfppl.syntax import read_program

PAGE = Path(__file__).parents[2] / "docs" / "lir.md"


def test_the_printed_example_is_up_to_date() -> None:
    blocks = dict(re.findall(r"```(lfppl|text)\n(.*?)```", PAGE.read_text(), re.DOTALL))
    program = read_program(Source("mixture.lfppl", blocks["lfppl"]))
    printed = text(compile(program, {"ys": [-1.2, 0.3, 2.5]}).lir)
    assert blocks["text"].rstrip() == printed.rstrip()
