"""Disasters in British coal mines, 1851 to 1962, and the year when they became rarer.

Every `if` compares a year with the change and makes a jump there. The counts are those of Jarrett
(1979, Biometrika 66, 191-193) by year.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import exponential, poisson, uniform


@lfppl.model
def model(disasters):
    change = sample(uniform(1851, 1963))
    early, late = sample(exponential(1)), sample(exponential(1))
    for i in range(len(disasters)):
        rate = early if 1851 + i < change else late
        observe(poisson(rate), disasters[i])
    return change, early / late


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
