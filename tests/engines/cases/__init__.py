"""Densities that can be sampled exactly: what the engines' draws are compared with."""

from cases.case import Case
from cases.jumping import (
    heavy_tail,
    islands,
    latch,
    stairs,
    switched_normal,
    table_posterior,
)
from cases.models import change_point, four_components, paper_mixture
from cases.smooth import correlated_gaussian, eight_schools, funnel, gaussian, truncated

SMOOTH = (gaussian, funnel, eight_schools, truncated)
JUMPING = (
    heavy_tail,
    table_posterior,
    four_components,
    paper_mixture,
    change_point,
    islands,
    stairs,
    switched_normal,
)

__all__ = ["JUMPING", "SMOOTH", "Case", "correlated_gaussian", "latch"]
__all__ += [make.__name__ for make in (*SMOOTH, *JUMPING)]
