"""Discontinuous HMC: trajectories of a fixed, jittered number of steps (the paper's engine)."""

from __future__ import annotations

from lfppl.engines.hamiltonian import FIXED, Hamiltonian

ENGINE = Hamiltonian("dhmc", FIXED, gamma="found")
