"""Every wrong function is refused with exactly the message that lies beside it."""

from __future__ import annotations

import pytest
from refusing import BAD, message

WRONG = sorted(path.stem for path in BAD.glob("*.py"))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_function_is_refused_with_its_message(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BAD)
    assert message(name) == (BAD / f"{name}.txt").read_text()


def test_every_message_belongs_to_a_function_and_points_into_it() -> None:
    assert sorted(path.stem for path in BAD.glob("*.txt")) == WRONG
    for name in WRONG:
        lines = (BAD / f"{name}.txt").read_text().splitlines()
        assert lines[0].startswith(f"{name}.py:")
        assert any(line.lstrip().startswith("|") and "^" in line for line in lines)
        assert lines[-1].startswith("  help: ")
