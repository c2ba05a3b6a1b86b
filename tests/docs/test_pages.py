"""Every block of code in the README and the documentation is run, and prints what is shown."""

import re

import pytest

from docs.pages import ROOT, blocks_of, pages
from docs.running import SHOWN_ONLY, rewritten, run_page

PAGES = pages()
KNOWN = {"python", "py", "text", "console", "lfppl", "json", "c", "make", "stan", "toml", "html"}


def name(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_blocks_of_pages_run_and_print_what_is_shown(page):
    assert "\n\n".join(run_page(page.read_text("utf-8")).problems) == ""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_says_its_language(page):
    assert {block.language for block in blocks_of(page.read_text("utf-8"))} <= KNOWN


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_between_pages_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_page_is_in_a_table_of_contents():
    listed = {"index"}
    for page in (ROOT / "docs").rglob("*.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            names = [line for line in block.split() if not line.startswith(":")]
            found = [file for name in names for file in page.parent.glob(f"{name}.md")]
            listed |= {str(file.relative_to(ROOT / "docs").with_suffix("")) for file in found}
    pages = {
        str(p.relative_to(ROOT / "docs").with_suffix("")) for p in (ROOT / "docs").rglob("*.md")
    }
    assert pages - listed == set()


# --- the runner itself ---------------------------------------------------------------------------


def test_a_wrong_output_is_a_problem_and_can_be_put_right():
    page = "```python\nx = 1 + 1\nprint(x)\n```\n\n```text\n3\n```\n"
    assert len(run_page(page).problems) == 1
    assert rewritten(page) == page.replace("3", "2")
    assert run_page(rewritten(page)).problems == []


def test_an_output_that_is_not_shown_is_a_problem():
    assert len(run_page("```python\nprint(1)\n```\n").problems) == 1


def test_blocks_share_names_and_files():
    page = "<!-- file: a.txt -->\n```text\nhello\n```\n\n```python\nfrom pathlib import Path\n```\n"
    page += "\n```python\nassert Path('a.txt').read_text() == 'hello\\n'\n```\n"
    assert run_page(page).problems == []


def test_a_wrong_output_of_a_command_is_a_problem():
    page = "```console\n$ lfppl --version\nlfppl 0\n$ make test\n```\n"
    assert len(run_page(page).problems) == 1
    assert "lfppl 0.1" in rewritten(page)
    assert "$ make test" in rewritten(page)


def test_commands_that_are_shown_only_are_not_ours():
    assert "lfppl" not in SHOWN_ONLY
