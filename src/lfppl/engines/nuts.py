"""NUTS that takes every variable for continuous: the baseline of the paper."""

from __future__ import annotations

from lfppl.engines.hamiltonian import Hamiltonian
from lfppl.engines.loop import NO_U_TURN

ENGINE = Hamiltonian("nuts", NO_U_TURN, gamma="empty")
