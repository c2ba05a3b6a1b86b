"""Every bad program is refused with exactly the message that lies beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

import lfppl
from corpus import PROGRAMS
from lfppl.data import load_all

BAD = PROGRAMS / "bad"
DEPTH = 100_000


def message(name: str) -> str:
    """What a person sees who compiles the file `name.lfppl` of the current folder."""
    data = [str(path) for path in sorted(Path().glob(f"{name}.data.*"))]
    with pytest.raises(lfppl.LfpplError) as caught:
        lfppl.compile(Path(f"{name}.lfppl"), load_all(data))
    return str(caught.value) + "\n"


def expected(name: str) -> str:
    """The message that lies beside a bad program."""
    return (BAD / f"{name}.expected").read_text()


@pytest.mark.parametrize("name", sorted(path.stem for path in BAD.glob("*.lfppl")))
def test_a_bad_program_is_refused_with_its_message(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BAD)
    assert message(name) == expected(name)


@pytest.mark.parametrize("name", sorted(path.stem for path in BAD.glob("*.lfppl")))
def test_messages_fit_a_narrow_terminal(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    data = [str(path) for path in sorted(Path().glob(f"{name}.data.*"))]
    with pytest.raises(lfppl.ModelError) as caught:
        lfppl.compile(Path(f"{name}.lfppl"), load_all(data))
    lines = caught.value.fitted(60).splitlines()
    too_long = [line for line in lines if len(line) > 60 and len(line.split()) > 1]
    assert too_long == []
    words = " ".join(" ".join(lines).split())
    for part in (caught.value.message, caught.value.label, caught.value.help):
        assert " ".join(part.split()) in words


def test_every_message_belongs_to_a_program() -> None:
    made_here = {"a-directory", "no-such-file", "nested-too-deeply"}
    programs = {path.stem for path in BAD.glob("*.lfppl")} | made_here
    assert {path.stem for path in BAD.glob("*.expected")} == programs


def test_a_directory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a-directory.lfppl").mkdir()
    assert message("a-directory") == expected("a-directory")


def test_a_missing_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert message("no-such-file") == expected("no-such-file")


def test_a_hundred_thousand_brackets_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nested-too-deeply.lfppl").write_text("\n".join("(" * DEPTH))
    assert message("nested-too-deeply") == expected("nested-too-deeply")
