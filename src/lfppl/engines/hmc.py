"""Hamiltonian Monte Carlo that takes every variable for continuous: a baseline of the paper."""

from __future__ import annotations

from lfppl.engines.hamiltonian import Hamiltonian
from lfppl.engines.loop import FIXED

ENGINE = Hamiltonian("hmc", FIXED, gamma="empty")
