"""From tables to functions: the Density contract, and the backends that fulfil it."""
