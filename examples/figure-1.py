"""The example of the paper (Figure 1): which of two normals made y depends on whether x exceeds q.

The density jumps where x = q.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import normal, uniform


@lfppl.model
def model(q, y):
    x = sample(uniform(0, 1))
    if q - x < 0:
        observe(normal(1, 1), y)
    else:
        observe(normal(0, 1), y)
    return q - x < 0


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
