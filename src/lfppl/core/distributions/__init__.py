"""The table of distributions: `FAMILIES` by name; each is defined once, as data."""

from lfppl.core.distributions import (
    bounded,
    categories,
    counts,
    location_scale,
    positive,
    vectors,
    weights,
)
from lfppl.core.distributions.contract import DistributionFamily

_GROUPS = (location_scale, positive, bounded, vectors, counts, categories, weights)

FAMILIES: dict[str, DistributionFamily] = {
    family.name: family for group in _GROUPS for family in group.FAMILIES
}
"""All distributions by name."""

__all__ = ["FAMILIES", "DistributionFamily"]
