"""Hamiltonian Monte Carlo that takes every variable for continuous: a baseline of the paper."""

from __future__ import annotations

from lfppl.engines.hamiltonian import FIXED, Hamiltonian

ENGINE = Hamiltonian("hmc", FIXED, gamma="empty")
