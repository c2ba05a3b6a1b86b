"""The table of commands: complete, documented, and told to a new user."""

import re
from pathlib import Path

import pytest

from lfppl import arguments, cli

ROOT = Path(__file__).parents[1]


def help_of(capsys, *command):
    with pytest.raises(SystemExit):
        cli.main([*command, "--help"])
    return capsys.readouterr().out


def test_help_names_every_option_of_the_documentation():
    page = (ROOT / "docs/cli.md").read_text("utf-8")
    known = {o.name for command in arguments.COMMANDS for o in (*command.options, *command.one_of)}
    named = set(re.findall(r"--[a-z]+", page))
    assert named - {"--version", "--help"} == {name for name in known if name.startswith("--")}


def test_every_command_does_something_and_is_documented():
    page = (ROOT / "docs/cli.md").read_text("utf-8")
    names = [command.name for command in arguments.COMMANDS]
    assert set(names) == cli.ACTIONS.keys()
    assert [name for name in names if f"## `lfppl {name}`" not in page] == []


def test_examples_of_commands_are_right():
    for command in arguments.COMMANDS:
        parsed = arguments.parser().parse_args(command.example.split()[1:])
        assert parsed.command == command.name


def test_help_fits_a_narrow_window(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "66")
    shown = [help_of(capsys)] + [help_of(capsys, c.name) for c in arguments.COMMANDS]
    assert max(len(line) for text in shown for line in text.splitlines()) <= 66


def test_without_a_command_help_is_shown(capsys):
    assert cli.main([]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "to start with:" in shown.err
