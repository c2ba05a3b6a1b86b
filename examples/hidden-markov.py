"""A hidden Markov model: the state of each time picks the next transition and the emission."""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import categorical, normal


def transition(state):
    rows = [[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]]
    return [categorical(row) for row in rows][state]


def emission(state):
    return [normal(-2, 0.8), normal(0, 0.8), normal(3, 0.8)][state]


@lfppl.model
def model(readings):
    start = sample(categorical([0.33, 0.33, 0.34]))
    states = [start]
    for t in range(len(readings)):
        state = sample(transition(states[-1]))
        observe(emission(state), readings[t])
        states.append(state)
    return states


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
