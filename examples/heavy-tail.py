"""The heavy-tailed density of the paper (section 6.2) in any dimension.

A smooth function of x inside a box, less by a factor e in the shell around it.
"""

from pathlib import Path

import numpy as np

import lfppl
from lfppl import factor, sample
from lfppl.distributions import uniform


@lfppl.model
def model(A):  # noqa: N803
    x = sample(uniform(-6, 6), shape=len(A))
    potential = np.sqrt(x @ (A @ x))
    if max(abs(x)) > 3:
        factor(-potential - 1)
    else:
        factor(-potential)
    return x


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    print(model(**data).sample(seed=1))
