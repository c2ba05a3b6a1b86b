"""How many machines there are, judging by the serial numbers of some of them.

None is larger than the number of all, so the density is zero below the largest one.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import discrete_uniform, geometric


@lfppl.model
def model(seen):
    total = sample(geometric(0.002))
    for i in range(len(seen)):
        observe(discrete_uniform(1, total), seen[i])
    return total


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
