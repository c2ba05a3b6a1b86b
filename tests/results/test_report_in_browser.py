"""Reports in a real browser: they load, fit on a phone, and can be read in light and dark.

Not collected where there is no Chromium, unless LFPPL_BROWSER asks for it, as .ci/run does.
"""

import re

import pytest

import lfppl
import reported
import run_models
from browser import Browser

SECTIONS = [
    "Warnings",
    "Summary",
    "Model",
    "Graph",
    "Draws",
    "Pairs",
    "Crossings",
    "Energy",
    "Settings",
]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    return reported.pages(tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="module")
def browser():
    with Browser() as opened:
        yield opened


@pytest.mark.parametrize("name", ["change-point", "labels"])
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_a_page_shows_all_sections_in_any_window(pages, browser, name, width, scheme):
    browser.look(width, 900, scheme)
    browser.open(pages[name])
    assert browser.problems() == []
    assert browser.requests() == [pages[name].as_uri()]
    assert browser.run("[...document.querySelectorAll('h2')].map(h => h.textContent)") == SECTIONS
    heights = "[...document.querySelectorAll('section')].map(s => s.getBoundingClientRect().height)"
    assert min(browser.run(heights)) > 60
    assert browser.run("document.documentElement.scrollWidth") == width
    beyond = "[...document.querySelectorAll('section > *')].filter("
    beyond += "e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML)"
    assert browser.run(beyond) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_background(pages, browser, scheme):
    browser.look(1280, 900, scheme)
    browser.open(pages["change-point"])
    paper = luminance(browser.run("getComputedStyle(document.body).backgroundColor"))
    assert (paper > 0.5) == (scheme == "light")
    fills = "[...document.querySelectorAll('svg text')].map(t => getComputedStyle(t).fill)"
    inks = set(browser.run(fills)) | {browser.run("getComputedStyle(document.body).color")}
    assert all(contrast(paper, luminance(ink)) > 4.5 for ink in inks), inks


def luminance(colour):
    parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def test_a_mark_says_why_when_it_is_reached(pages, browser):
    browser.look(1280, 900)
    browser.open(pages["change-point"])
    shown = "[...document.querySelectorAll('.lf-bubble')].filter(b => b.offsetHeight > 0)"
    assert browser.run(f"{shown}.length") == 0
    browser.run("document.querySelector('mark.lf-cause').focus()")
    said = browser.run(f"{shown}.map(b => b.textContent)")
    assert said == ["tau jumps: the if depends on it"]
    places = "(b => [b.left, b.right, b.top, b.bottom])(document.querySelector('mark.lf-cause"
    left, right, top, bottom = browser.run(f"{places} .lf-bubble').getBoundingClientRect())")
    assert 0 <= left < right <= 1280
    assert 0 <= top < bottom <= 900
    under = "document.querySelector('mark.lf-cause').getBoundingClientRect()"
    assert top >= browser.run(f"{under}.bottom") or bottom <= browser.run(f"{under}.top")


def test_what_looks_like_markup_in_a_model_is_text(browser, tmp_path):
    text = '; </script><script>throw 1</script><img src="http://a.b/c">\n'
    text += "(let [x<i>&amp (sample (normal 0 1))] (if (< x<i>&amp 0) 1 2))"
    fit = run_models.quick(lfppl.compile(text), draws=40, chains=2)
    fit.report(tmp_path / "a.html")
    browser.open(tmp_path / "a.html")
    assert browser.problems() == []
    assert len(browser.requests()) == 1
    assert browser.run("document.scripts.length + document.images.length") == 0
    rows = "[...document.querySelectorAll('#summary tbody th')].map(t => t.textContent)"
    assert browser.run(rows) == ["x<i>&amp", "return"]
