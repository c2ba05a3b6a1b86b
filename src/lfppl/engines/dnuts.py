"""Discontinuous NUTS: no-U-turn trajectories over the mixed integrator."""

from __future__ import annotations

from lfppl.engines.hamiltonian import Hamiltonian
from lfppl.engines.loop import NO_U_TURN

ENGINE = Hamiltonian("dnuts", NO_U_TURN, gamma="jumping")
