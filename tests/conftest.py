"""How the tests run: Hypothesis repeats the same examples each time, and no test is timed."""

import os

from hypothesis import HealthCheck, settings

import browser

settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")

collect_ignore = ["python/bad"]
"""Functions that are wrong on purpose: their messages are tested."""

if not (browser.program() or os.environ.get("LFPPL_BROWSER")):
    collect_ignore.append("results/test_report_in_browser.py")


def pytest_report_header():
    ignored = "results/test_report_in_browser.py" in collect_ignore
    return "no Chromium: reports are not looked at in a browser" if ignored else None
