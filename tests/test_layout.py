"""Rules of the house that a tool can check: imports, headings, sizes, dangerous calls."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
MODULES = sorted((SOURCES / "lfppl").rglob("*.py"))
PYTHON_FILES = sorted(
    file for folder in ("src", "tests", "benchmarks") for file in (ROOT / folder).rglob("*.py")
)
TEXT_FOLDERS = (".ci", "benchmarks", "docs", "examples", "src", "tests")

ORDER = (
    ("collector", "recursion", "source"),
    ("errors",),
    ("files", "data_files", "data"),
    ("distributions", "statements", "syntax"),
    ("core",),
    ("trace",),
    ("analysis",),
    ("lir",),
    ("backends",),
    ("highlight", "explain"),
    ("runs",),
    ("display", "python_model", "compiler"),
    ("gallery", "python_files", "levels"),
    ("arguments", "cli"),
    ("__main__",),
)
"""The phases in order: a phase imports itself and earlier ones."""

RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}

ASIDE = {
    "engines": {"engines", "errors", "source", "backends.density", "backends.batch"},
    "results": {
        *("results", "engines", "errors", "source"),
        *("display.extra", "display.markup", "display.palette", "display.spark"),
    },
    "reference": {"reference", "core", "data", "errors", "source", "recursion"},
}
"""What the packages beside the pipeline may import."""

USERS = {
    "engines": {"engines", "results", "runs", "compiler", "arguments", "cli", "levels"},
    "results": {"results", "runs", "compiler", "cli"},
    "reference": {"reference", "compiler", "levels"},
}
"""Who may import them."""


def package_of(module: str) -> str:
    """The first name below lfppl."""
    return module.split(".")[0]


def below_lfppl(file: Path) -> str:
    parts = file.relative_to(SOURCES / "lfppl").with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(file: Path) -> set[str]:
    """The modules below lfppl that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            found |= imported_from(str(node.module), [alias.name for alias in node.names])
    return {name.removeprefix("lfppl.") for name in found if name.startswith("lfppl.")}


def imported_from(module: str, names: list[str]) -> set[str]:
    """`from lfppl.errors import binding` imports the module lfppl.errors.binding."""
    folder = SOURCES / Path(*module.split("."))
    modules = {n for n in names if (folder / f"{n}.py").exists() or (folder / n).is_dir()}
    inside = {f"{module}.{name}" for name in modules}
    return inside if len(inside) == len(names) else inside | {module}


def is_allowed(importer: str, imported: str) -> bool:
    """Whether a module may import another."""
    user, used = package_of(importer), package_of(imported)
    if user in ASIDE:
        return any(imported == name or imported.startswith(f"{name}.") for name in ASIDE[user])
    if used in USERS:
        return user in USERS[used]
    return RANK[used] <= RANK[user]


@pytest.mark.parametrize("file", MODULES, ids=below_lfppl)
def test_imports_go_one_way(file):
    importer = below_lfppl(file)
    if importer == "":
        pytest.skip("the package itself names its modules lazily")
    wrong = {imported for imported in imports(file) if not is_allowed(importer, imported)}
    assert wrong == set(), f"{importer} may not import {wrong}"


def test_every_package_has_a_place_in_the_order():
    packages = {package_of(below_lfppl(file)) for file in MODULES} - {""}
    assert packages - RANK.keys() - ASIDE.keys() == set()


def test_the_order_is_the_one_the_guide_gives():
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    block = guide[guide.index("    source <") :].split("\n\n")[0]
    phases = [names[-1] for names in ORDER if names != ("__main__",)]
    assert [name.strip() for name in block.split("<")] == phases


def test_importing_the_package_imports_no_phase():
    assert not any(
        isinstance(node, ast.ImportFrom | ast.Import)
        for node in ast.parse((SOURCES / "lfppl/__init__.py").read_text("utf-8")).body
        if "lfppl" in ast.dump(node)
    )


@pytest.mark.parametrize("file", MODULES, ids=below_lfppl)
def test_the_first_line_of_a_module_says_its_job(file):
    heading = ast.get_docstring(ast.parse(file.read_text("utf-8")))
    assert heading, "no docstring"
    first = heading.splitlines()[0]
    assert len(first) > 15
    assert file.read_text("utf-8").startswith(('"""', 'r"""'))


@pytest.mark.parametrize("file", PYTHON_FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_file_is_longer_than_400_lines(file):
    assert len(file.read_text("utf-8").splitlines()) <= 400


DANGEROUS_CALLS = {"eval", "exec", "__import__"}
DANGEROUS_MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}


def dangers(tree: ast.AST) -> set[str]:
    """Names of calls and modules that run what they read."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in DANGEROUS_CALLS:
                found.add(name)
            case ast.Import(names=names):
                found |= {alias.name.split(".")[0] for alias in names} & DANGEROUS_MODULES
            case ast.ImportFrom(module=str(module)):
                found |= {module.split(".")[0]} & DANGEROUS_MODULES
            case ast.keyword(arg="allow_pickle", value=ast.Constant(value=True)):
                found.add("allow_pickle")
    return found


@pytest.mark.parametrize("file", MODULES, ids=below_lfppl)
def test_nothing_read_is_run(file):
    assert dangers(ast.parse(file.read_text("utf-8"))) == set()


def test_dangers_are_seen():
    text = "import pickle\neval(x)\nfrom marshal import load\nnp.load(f, allow_pickle=True)"
    assert dangers(ast.parse(text)) == {"pickle", "eval", "marshal", "allow_pickle"}


# Written in two halves, so that this file does not hold them.
REGISTRY_ADDRESSES = (
    "index" + "-url",
    "extra" + "-index",
    "/simple" + "/",
    "python" + "hosted",
    "pypi" + ".org",
    "registry." + "npmjs",
    "conda." + "anaconda",
)


def text_files():
    """Every file of the project that git would track."""
    top = [file for file in ROOT.iterdir() if file.is_file()]
    below = [file for folder in TEXT_FOLDERS for file in (ROOT / folder).rglob("*")]
    ignored = {"__pycache__", "lfppl.egg-info"}
    return [f for f in (*top, *below) if f.is_file() and not ignored & set(f.parts)]


def test_no_file_holds_the_address_of_a_package_registry():
    holding = {
        (file.name, address)
        for file in text_files()
        for address in REGISTRY_ADDRESSES
        if address in file.read_text("utf-8", errors="replace")
    }
    assert holding == set()
