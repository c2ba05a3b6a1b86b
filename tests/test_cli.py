"""The command line: what it prints, its exit status, and how it bears what goes wrong."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lfppl import __version__, arguments, cli, levels

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
MODELS = sorted(EXAMPLES.glob("*.lfppl"))


@pytest.fixture
def lfppl(capsys):
    """Run a command in this process: status, standard output, standard error."""

    def run(*arguments):
        try:
            status = cli.main([str(argument) for argument in arguments])
        except SystemExit as exit_:  # argparse leaves this way
            status = exit_.code
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture
def model(tmp_path):
    """Write a model file and give its path."""

    def write(text, name="model.lfppl"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def with_data(path):
    """The arguments for a model and the data file beside it."""
    data = path.with_suffix(".json")
    return (path, "--data", data) if data.exists() else (path,)


def process(*arguments, **options):
    command = [sys.executable, "-m", "lfppl", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


# --- check ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_check_accepts_every_example(lfppl, path):
    status, out, err = lfppl("check", *with_data(path))
    assert (status, err) == (0, "")
    assert out.startswith("Δ: ")


def test_check_shows_the_reason_under_the_source_line(lfppl, model):
    path = model("(let [x (sample (normal 0 1))]\n  (if (< x 0) 1 2))\n")
    status, out, _ = lfppl("check", path)
    assert status == 0
    assert "Γ: 1 discontinuous variable\n" in out
    assert "x (predicate): " in out
    assert f"{path}:2:" in out
    assert "2 |   (if (< x 0) 1 2))" in out
    assert re.search(r"^ +\| +\^", out, re.MULTILINE)


def test_check_says_when_nothing_jumps(lfppl, model):
    _, out, _ = lfppl("check", model("(sample (normal 0 1))"))
    assert "The density jumps in no variable." in out
    assert "1 sample, 0 observes, 0 predicates" in out
    assert "The jumps have measure zero" in out


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_check_fits_into_60_columns(lfppl, monkeypatch, path):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.chdir(EXAMPLES)
    _, out, _ = lfppl("check", *(Path(str(a)).name for a in with_data(path)[:1]), *data_of(path))
    assert max(map(len, out.splitlines())) <= 60


def data_of(path):
    data = path.with_suffix(".json")
    return ("--data", data.name) if data.exists() else ()


def test_a_long_line_is_cut_around_the_caret(lfppl, monkeypatch, model):
    monkeypatch.setenv("COLUMNS", "60")
    lets = " ".join(f"a{i} {i}" for i in range(100))
    _, out, _ = lfppl("check", model(f"(let [x (sample (normal 0 1)) {lets}] (if (< x 0) 1 2))"))
    shown = [line for line in out.splitlines() if "…" in line]
    assert shown
    assert all(len(line) <= 60 for line in shown)
    assert "(< x 0)" in shown[0]


def test_check_as_json_has_the_documented_keys(lfppl):
    path = EXAMPLES / "figure-1.lfppl"
    status, out, _ = lfppl("check", *with_data(path), "--json")
    report = json.loads(out)
    assert status == 0
    assert report["sampled"] == [{"name": "x", "shape": []}]
    assert [entry["name"] for entry in report["discontinuous"]] == ["x"]
    assert report["discontinuous"][0]["line"] == 4
    assert report["discontinuous"][0]["reason"].startswith("predicate: ")
    assert report["continuous"] == []
    assert (report["n_sample"], report["n_observe"]) == (1, 2)
    assert report["guarantee"] is True


def test_json_names_a_vector_once_with_its_shape(lfppl):
    _, out, _ = lfppl("check", *with_data(EXAMPLES / "mixture.lfppl"), "--json")
    report = json.loads(out)
    assert report["sampled"] == [{"name": "mu", "shape": [2]}, {"name": "z", "shape": [10]}]
    assert [entry["name"] for entry in report["discontinuous"]] == ["z"]
    assert report["continuous"] == ["mu"]


def test_keys_of_the_json_are_all_documented(lfppl):
    _, out, _ = lfppl("check", *with_data(EXAMPLES / "mixture.lfppl"), "--json")
    page = (ROOT / "docs/cli.md").read_text("utf-8")
    assert [key for key in json.loads(out) if f"`{key}`" not in page] == []


def test_output_to_a_file_has_no_colour(lfppl):
    _, out, _ = lfppl("check", *with_data(EXAMPLES / "mixture.lfppl"))
    assert "\x1b" not in out


def test_a_terminal_gets_colour_unless_it_wants_none(lfppl, monkeypatch):
    monkeypatch.setattr(cli, "_is_terminal", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    command = ("check", *with_data(EXAMPLES / "mixture.lfppl"))
    coloured = lfppl(*command)[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[33mdiscontinuous\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == lfppl(*command)[1]


# --- data ----------------------------------------------------------------------------------------

REGRESSION = "(let [b (sample (normal 0 1))] (observe (normal (* b x) s) y) b)"


def test_data_files_may_be_several(lfppl, model):
    numbers, table = model('{"s": 2}', "n.json"), model("x,y\n1,2\n3,4\n", "t.csv")
    status, _, err = lfppl("check", model(REGRESSION), "--data", numbers, "--data", table)
    assert (status, err) == (0, "")


def test_a_name_in_two_data_files_is_a_mistake(lfppl, model):
    files = [model('{"s": 2}', "n.json"), model('{"s": 2}', "m.json")]
    status, out, err = lfppl("check", model(REGRESSION), "--data", files[0], "--data", files[1])
    assert (status, out) == (1, "")
    assert "`s` is given twice" in err


def test_surplus_data_are_a_mistake_with_a_suggestion(lfppl, model):
    data = model('{"s": 1, "x": [1], "y": [2], "yy": [3]}', "d.json")
    status, _, err = lfppl("check", model(REGRESSION), "--data", data)
    assert status == 1
    assert "error[surplus-datum]: the program does not read the datum `yy`" in err
    assert "did you mean `y`?" in err


def test_missing_data_are_a_mistake_with_their_place(lfppl, model):
    path = model(REGRESSION)
    status, _, err = lfppl("check", path, "--data", model('{"s": 1, "y": [2]}', "d.json"))
    assert status == 1
    assert err.startswith(f"{path}:1:54: error[")
    assert "`x`" in err


# --- compile -------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", arguments.LEVELS)
def test_every_level_can_be_printed(lfppl, level):
    path = EXAMPLES / "figure-1.lfppl"
    status, out, err = lfppl("compile", *with_data(path), "--emit", level)
    assert (status, err) == (0, "")
    assert len(out) > 20


def test_the_tree_of_a_program_is_read_back(lfppl, model):
    path = EXAMPLES / "figure-1.lfppl"
    tree = model(lfppl("compile", path, "--emit", "json")[1], "tree.json")
    data = ("--data", EXAMPLES / "figure-1.json")
    assert lfppl("compile", tree, "--emit", "json") == (0, tree.read_text(), "")
    core = ("--emit", "core")
    assert lfppl("compile", tree, *data, *core) == lfppl("compile", path, *data, *core)


def test_printed_core_is_a_program_of_the_same_core(lfppl, model):
    path = EXAMPLES / "mixture.lfppl"
    arguments = with_data(path)[1:]
    core = lfppl("compile", path, *arguments, "--emit", "core")[1]
    again = lfppl("compile", model(core), *arguments, "--emit", "core")
    assert again == (0, core, "")


def test_every_level_is_documented_and_has_its_function():
    page = (ROOT / "docs/cli.md").read_text("utf-8")
    assert [level for level in arguments.LEVELS if f"| `{level}` |" not in page] == []
    assert set(arguments.LEVELS) == set(levels.LEVELS)


def test_latex_has_the_symbols_of_the_paper(lfppl):
    out = lfppl("compile", *with_data(EXAMPLES / "figure-1.lfppl"), "--emit", "latex")[1]
    assert "\\Delta" in out
    assert "\\Gamma" in out


def test_dot_is_a_graph(lfppl):
    out = lfppl("compile", *with_data(EXAMPLES / "figure-1.lfppl"), "--emit", "dot")[1]
    assert out.startswith("digraph")


# --- mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(let [x 1] (+ x 2)", "model.lfppl:1:1: error[unclosed-bracket]"),
        ("", "error[empty-program]"),
        (b"(+ 1 \xff)", "model.lfppl:1:6: error[not-utf-8]"),
        ("(" * 100_000, "error[nested-too-deeply]"),
        ("(sample (norml 0 1))", "model.lfppl:1:10: error["),
    ],
)
def test_a_mistake_in_the_model_is_status_1_with_its_place(
    lfppl, monkeypatch, tmp_path, model, text, message
):
    monkeypatch.chdir(tmp_path)
    status, out, err = lfppl("check", model(text).name)
    assert (status, out) == (1, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("name", ["none.lfppl", "none.json", "none"])
def test_a_model_that_is_not_there(lfppl, tmp_path, name):
    status, _, err = lfppl("check", tmp_path / name)
    assert status == 1
    assert "there is no file" in err


def test_a_folder_is_no_model(lfppl, tmp_path):
    status, _, err = lfppl("check", tmp_path)
    assert status == 1
    assert "is a directory" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_model_that_may_not_be_read(lfppl, model):
    path = model("1")
    path.chmod(0)
    status, _, err = lfppl("check", path)
    assert status == 1
    assert "cannot be read: Permission denied" in err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("check",),
        ("chek", "m.lfppl"),
        ("check", "m.lfppl", "--jsn"),
        ("compile", "m.lfppl"),
        ("compile", "m.lfppl", "--emit", "asm"),
    ],
)
def test_a_wrong_command_line_is_status_2(lfppl, arguments):
    status, out, err = lfppl(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("usage: lfppl")


def test_a_bug_is_reported_without_traceback(lfppl, monkeypatch):
    monkeypatch.setitem(cli.ACTIONS, "check", lambda options: 1 / 0)
    status, _, err = lfppl("check", "m.lfppl")
    assert status == 3
    assert err.startswith("lfppl: internal error: ZeroDivisionError: division by zero\n")
    assert "Traceback" not in err


def test_a_bug_can_be_traced(lfppl, monkeypatch):
    monkeypatch.setitem(cli.ACTIONS, "check", lambda options: 1 / 0)
    monkeypatch.setenv("LFPPL_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        lfppl("check", "m.lfppl")


def test_interruption_is_no_traceback(lfppl, monkeypatch):
    def interrupted(options):
        raise KeyboardInterrupt

    monkeypatch.setitem(cli.ACTIONS, "check", interrupted)
    assert lfppl("check", "m.lfppl") == (130, "", "interrupted\n")


# --- the process ---------------------------------------------------------------------------------


def test_version():
    assert process("--version").stdout == f"lfppl {__version__}\n"


def test_help_and_import_load_nothing_heavy():
    program = "import sys, lfppl, lfppl.cli; print(*sys.modules)"
    line = [sys.executable, "-c", program]
    loaded = subprocess.run(line, capture_output=True, text=True, check=True).stdout.split()
    heavy = {"numpy", "scipy", "numba", "llvmlite", "xarray", "pandas", "rich", "lfppl.compiler"}
    assert heavy & set(loaded) == set()


def test_check_loads_no_sampler():
    path = EXAMPLES / "figure-1.lfppl"
    program = "import sys; from lfppl.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    line = [sys.executable, "-c", program, "check", *map(str, with_data(path))]
    output = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    heavy = {"numba", "llvmlite", "scipy", "xarray", "pandas", "jax", "matplotlib", "arviz_base"}
    assert heavy & set(output.splitlines()[-1].split()) == set()


def test_a_reader_that_stops_reading_is_no_traceback(model):
    names = " ".join(f"v{i} (sample (normal 0 1))" for i in range(3000))
    path = model(f"(let [{names}] v0)")
    command = [sys.executable, "-m", "lfppl", "check", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout.readline().startswith("Δ: 3,000")
        running.stdout.close()
        assert running.stderr.read() == ""
    assert running.returncode == 128 + signal.SIGPIPE


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_a_message():
    path = EXAMPLES / "figure-1.lfppl"
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "lfppl", "check", *map(str, with_data(path))]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "lfppl: cannot write the output: No space left on device\n"


def test_a_terminal_without_greek_letters_still_gets_its_report():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process("check", *with_data(EXAMPLES / "figure-1.lfppl"), env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert "sampled variable" in done.stdout


def test_settings_of_the_engine_reach_it(lfppl):
    path = EXAMPLES / "figure-1.lfppl"
    wanted = ("--draws", 20, "--warmup", 20, "--chains", 1, "--quiet")
    assert lfppl("sample", *with_data(path), *wanted, "--set", "step_size=0.1")[0] == 0
    status, _, err = lfppl("sample", *with_data(path), *wanted, "--set", "step=0.1")
    assert (status, "no engine has a setting `step`" in err) == (1, True)
