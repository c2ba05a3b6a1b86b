"""The models: one file per family, the versions of all systems side by side."""

from __future__ import annotations

from peers.case import Case


def all_cases() -> dict[str, Case]:
    """Every case by its name."""
    from peers.models import (
        binomial,
        change_point,
        heavy_tail,
        hidden_markov,
        jolly_seber,
        mixture,
        smooth,
        spike_and_slab,
    )

    families = (
        mixture,
        heavy_tail,
        change_point,
        spike_and_slab,
        jolly_seber,
        binomial,
        hidden_markov,
        smooth,
    )
    return {case.name: case for family in families for case in family.cases()}
