"""The colours of plots: readable on white and on black, and told apart by the colour-blind."""

from __future__ import annotations

INK = "#1f2933"
PAPER = "#ffffff"
EDGE = "#7b8794"
OBSERVED = "#e4e7eb"
ROUGH = "#d1490c"
"""What marks a discontinuous variable, and the boundaries at which a density jumps."""
SMOOTH = "#0f766e"
CHAINS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
"""A colour for every chain, over again when they run out (Okabe and Ito, 2008)."""
