"""Ordered answers (0, 1, 2) from a latent utility and two unknown thresholds."""

from pathlib import Path

import lfppl
from lfppl import factor, sample
from lfppl.distributions import exponential, normal


@lfppl.model
def model(x, answers):
    slope = sample(normal(0, 2))
    cut = sample(normal(-1, 1))
    gap = sample(exponential(1))
    for i in range(len(x)):
        utility = sample(normal(slope * x[i], 1))
        low = utility < cut
        high = utility >= cut + gap
        if low:
            answer = 0
        elif high:
            answer = 2
        else:
            answer = 1
        factor(0 if answer == answers[i] else -3)
    return slope, cut, cut + gap


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
