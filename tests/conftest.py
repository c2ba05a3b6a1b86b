"""How the tests run: Hypothesis repeats the same examples each time, and no test is timed."""

from hypothesis import HealthCheck, settings

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
