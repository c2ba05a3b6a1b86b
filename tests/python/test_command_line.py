"""Python files at the command line: `lfppl check model.py --data data.json`."""

from __future__ import annotations

from pathlib import Path

import pytest
from models import EXAMPLES

import lfppl
from lfppl.cli import main

HEAD = "import lfppl\nfrom lfppl import observe, sample\nfrom lfppl.distributions import normal\n"
ONE = "@lfppl.model\ndef {name}(first_value, n):\n    x = sample(normal(0, 1), shape=n)\n"
BODY = "    observe(normal(x.sum(), 1), first_value)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("data.json").write_text('{"first-value": 2.5, "n": 3}')
    return tmp_path


def written(*names: str) -> str:
    models = "".join(ONE.format(name=name) + BODY for name in names)
    Path("m.py").write_text("import beside\n" + HEAD + models + "other = beside.value\n")
    Path("beside.py").write_text("value = 3\n")
    return "m.py"


def test_check_reads_data_by_the_names_of_the_parameters(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", written("only"), "--data", "data.json"]) == 0
    assert "x  [3]  normal  continuous" in capsys.readouterr().out


def test_one_of_several_models_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written("first", "second")
    assert main(["check", file, "--data", "data.json"]) == 1
    assert "several models in m.py: first, second" in capsys.readouterr().err
    assert main(["check", f"{file}:second", "--data", "data.json"]) == 0
    assert main(["check", f"{file}:secnd", "--data", "data.json"]) == 1
    assert "did you mean `second`?" in capsys.readouterr().err


def test_every_level_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(EXAMPLES / "figure-1.py"), "--data", str(EXAMPLES / "figure-1.json")]
    assert main(["compile", *arguments, "--emit", "quadruple"]) == 0
    python = capsys.readouterr().out
    arguments[0] = str(EXAMPLES / "figure-1.lfppl")
    assert main(["compile", *arguments, "--emit", "quadruple"]) == 0
    assert python == capsys.readouterr().out


def test_sample_and_resume(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = ["--draws", "20", "--warmup", "20", "--chains", "1", "--seed", "1", "--quiet"]
    command = ["sample", written("only"), "--data", "data.json", "--checkpoint", "run", *run]
    assert main(command) == 0
    assert main(["resume", "run", "--quiet"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("x[")]
    assert len(rows) == 6
    assert rows[:3] == rows[3:]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 3\n", "there is no model in m.py"),
        ("x = (\n", "m.py:1 cannot be imported: SyntaxError"),
        ("\n\nimport no_such_module\n", "m.py:3 cannot be imported: ModuleNotFoundError"),
        ("raise SystemExit(4)\n", "m.py:1 cannot be imported: SystemExit: 4"),
    ],
)
def test_a_file_without_a_model_is_refused(
    text: str, says: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("m.py").write_text(text)
    assert main(["check", "m.py"]) == 1
    assert says in capsys.readouterr().err


def test_a_missing_file_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "m.py:model"]) == 1
    assert "there is no file m.py" in capsys.readouterr().err


def test_a_missing_parameter_is_shown_in_the_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", written("only")]) == 1
    assert "m.py:6:1: error[missing-argument]" in capsys.readouterr().err


def test_compile_says_that_a_python_file_is_imported_instead() -> None:
    with pytest.raises(lfppl.ModelError, match="import the function from it"):
        lfppl.compile(EXAMPLES / "mixture.py")
