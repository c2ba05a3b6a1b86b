"""Discontinuous HMC: trajectories of a fixed, jittered number of steps (the paper's engine)."""

from __future__ import annotations

from lfppl.engines.hamiltonian import Hamiltonian
from lfppl.engines.loop import FIXED

ENGINE = Hamiltonian("dhmc", FIXED, gamma="jumping")
