"""A hybrid system: a thermostat switches its heater on below 18 and off above 21 degrees.

How strong is the heater, and how well insulated is the room? A wrong pattern of switching is a trap
that a chain seldom leaves: they begin at a guess read off the readings.
"""

from pathlib import Path

import lfppl
from lfppl import observe, sample
from lfppl.distributions import beta, gamma, normal


@lfppl.model
def model(readings):
    heater = sample(gamma(4, 2))
    loss = sample(beta(2, 10))
    temperature = sample(normal(19, 1), name="start")
    heating = 1
    for t in range(len(readings)):
        if temperature < 18:
            heating = 1
        elif temperature > 21:
            heating = 0
        temperature = temperature + heater * heating + loss * (10 - temperature)
        observe(normal(temperature, 0.3), readings[t])
    return heater, loss


if __name__ == "__main__":
    data = lfppl.load_data(Path(__file__).with_suffix(".json"))
    guess = {"heater": 1.7, "loss": 0.095, "start": 19}
    print(model(**data).sample(seed=1, initial=guess))
