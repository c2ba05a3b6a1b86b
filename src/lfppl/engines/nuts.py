"""NUTS that takes every variable for continuous: the baseline of the paper."""

from __future__ import annotations

from lfppl.engines.hamiltonian import NO_U_TURN, Hamiltonian

ENGINE = Hamiltonian("nuts", NO_U_TURN, gamma="empty")
