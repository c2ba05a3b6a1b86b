"""An open population of insects (Jolly and Seber): how many without a mark there are each day.

They are caught, marked and released day after day, while some die and others arrive. Those released
are caught `later` or never; of the marked ones that are alive and caught on this day or later, a
`share` is caught today. The counts are discrete.
"""

from pathlib import Path

import numpy as np

import lfppl
from lfppl import observe, sample
from lfppl.distributions import beta, binomial, binomial_logit, discrete_uniform


@lfppl.model
def model(released, again, marked, missed, fresh):
    days = len(released)
    later = sample(beta(1, 1), shape=days)
    share = sample(beta(1, 1), shape=days)
    unmarked = sample(discrete_uniform(0, 3000), shape=days)
    for t in range(days):
        seen = np.log(share[t] * later[t])
        missed_today = np.log(1 - share[t])
        observe(binomial(released[t], later[t]), again[t])
        observe(binomial(marked[t] + missed[t], share[t]), marked[t])
        observe(binomial_logit(unmarked[t], seen - missed_today), fresh[t])
    return unmarked


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
