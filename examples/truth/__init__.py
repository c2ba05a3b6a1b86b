"""How we know that the examples are right: exact posterior means, found without lfppl.

from truth import TRUTHS, compare
truth = TRUTHS["mixture"]({"y": [-2.0, 1.5]})
"""

from collections.abc import Callable

from truth import counts, labels, readings, thresholds
from truth.known import Comparison, Data, Truth, compare

__all__ = ["TRUTHS", "Comparison", "Truth", "compare"]

TRUTHS: dict[str, Callable[[Data], Truth]] = {
    "broken-line": thresholds.broken_line,
    "capture-recapture": counts.capture_recapture,
    "censored": readings.censored,
    "change-point": counts.change_point,
    "change-points": counts.change_points,
    "coal-mining": counts.coal_mining,
    "eight-schools": readings.eight_schools,
    "figure-1": thresholds.figure_1,
    "heavy-tail": thresholds.heavy_tail,
    "hidden-markov": labels.hidden_markov,
    "ising": labels.ising,
    "jolly-seber": counts.jolly_seber,
    "mixture": labels.mixture,
    "mixture-dirichlet": labels.mixture_dirichlet,
    "mixture-four": labels.mixture_four,
    "ordered-probit": thresholds.ordered_probit,
    "regression": readings.regression,
    "regression-threshold": thresholds.regression_threshold,
    "serial-numbers": counts.serial_numbers,
    "spike-and-slab": labels.spike_and_slab,
    "thermostat": thresholds.thermostat,
    "truncated": readings.truncated,
    "zero-inflated": labels.zero_inflated,
    "zero-one-loss": thresholds.zero_one_loss,
}
"""By the name of the example: from its data to what is known of its posterior."""
