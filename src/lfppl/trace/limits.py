"""How large a program may become, so that a slip of the pen does not fill the memory."""

MAX_ROUNDS = 1_000_000
"""Rounds of one loop that carries a value."""

MAX_ROWS = 20_000_000
"""Rows of one plate."""

MAX_RANK = 16
"""Dimensions of an array."""

MAX_NODES = 8_000_000
"""Nodes of the expression graph."""
