"""`lfppl examples`: what it lists, what it copies, and that it never overwrites."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lfppl import cli, gallery

ROOT = Path(__file__).parents[1]
NAMES = sorted(path.stem for path in (ROOT / "examples").glob("*.lfppl"))


@pytest.fixture
def lfppl(capsys):
    """Run a command in this process: status, standard output, standard error."""

    def run(*arguments):
        status = cli.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_every_example_is_there_as_lisp_as_python_and_with_data():
    present = {path.name for path in (ROOT / "examples").iterdir() if path.is_file()}
    assert present == {name + suffix for name in NAMES for suffix in gallery.SUFFIXES}


def test_all_examples_are_listed_with_what_they_jump_in(lfppl):
    status, out, err = lfppl("examples")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == NAMES
    lines = out.splitlines()
    assert lines[lines.index(next(s for s in lines if s.startswith("figure-1 "))) + 2].split() == [
        "jumps",
        "in",
        "x",
    ]


def test_the_list_fits_into_60_columns(lfppl, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, lfppl("examples")[1].splitlines())) <= 60


def test_the_list_as_json_has_the_documented_keys(lfppl):
    listed = json.loads(lfppl("examples", "--json")[1])
    assert [entry["name"] for entry in listed] == NAMES
    assert {key for entry in listed for key in entry} == {"name", "summary", "discontinuous"}
    assert all(entry["summary"].endswith(".") for entry in listed)
    assert next(e for e in listed if e["name"] == "mixture")["discontinuous"] == ["z"]


def test_a_copy_is_the_same_and_can_be_checked(lfppl, tmp_path):
    folder = tmp_path / "new" / "models"
    status, out, err = lfppl("examples", "mixture", "ising", "mixture", "--to", folder)
    assert (status, err) == (0, "")
    assert f"try: lfppl sample {folder}/mixture.lfppl --data {folder}/mixture.json" in out
    assert f"or:  python {folder}/mixture.py" in out
    assert {path.name for path in folder.iterdir()} == {
        f"{name}{suffix}" for name in ("mixture", "ising") for suffix in gallery.SUFFIXES
    }
    for copied in folder.iterdir():
        assert copied.read_bytes() == (ROOT / "examples" / copied.name).read_bytes()
    assert lfppl("check", folder / "ising.lfppl", "--data", folder / "ising.json")[0] == 0


def test_without_a_folder_it_copies_to_the_current_one(lfppl, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert lfppl("examples", "figure-1")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "figure-1.json",
        "figure-1.lfppl",
        "figure-1.py",
    ]


def test_nothing_is_overwritten_and_nothing_half_copied(lfppl, tmp_path):
    mine = tmp_path / "mixture.json"
    mine.write_text("mine")
    status, out, err = lfppl("examples", "ising", "mixture", "--to", tmp_path)
    assert (status, out) == (1, "")
    assert err.startswith(f"error[already-there]: {mine} exists already, and nothing was copied")
    assert [path.name for path in tmp_path.iterdir()] == ["mixture.json"]
    assert mine.read_text() == "mine"


def test_an_unknown_name_gets_a_suggestion(lfppl, tmp_path):
    status, _, err = lfppl("examples", "mixtur", "--to", tmp_path)
    assert status == 1
    assert "error[unknown-example]: there is no example `mixtur`" in err
    assert "did you mean `mixture`?" in err


def test_a_file_is_no_place_for_copies(lfppl, tmp_path):
    (tmp_path / "notes").write_text("")
    for place in (tmp_path / "notes", tmp_path / "notes" / "deeper"):
        status, _, err = lfppl("examples", "ising", "--to", place)
        assert status == 1
        assert "error[not-a-folder]" in err


def test_a_lost_folder_of_examples_is_a_message(lfppl, monkeypatch, tmp_path):
    monkeypatch.setattr(gallery, "HOMES", (tmp_path / "none",))
    status, _, err = lfppl("examples")
    assert status == 1
    assert "error[no-examples]" in err


@pytest.mark.parametrize("name", ["figure-1", "mixture"])
def test_a_copied_python_file_is_a_script_that_prints_the_posterior(lfppl, tmp_path, name):
    lfppl("examples", name, "--to", tmp_path)
    command = [sys.executable, str(tmp_path / f"{name}.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.split()[:2] == ["mean", "sd"]
    assert "4,000 draws in 4 chains" in done.stdout


def test_a_built_package_carries_the_examples(tmp_path):
    command = [sys.executable, "setup.py", "--quiet", "build", "--build-base", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    built = tmp_path / "lib" / "lfppl" / "examples"
    assert {path.name for path in built.iterdir()} == {
        name + suffix for name in NAMES for suffix in gallery.SUFFIXES
    }
