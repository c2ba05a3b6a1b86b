"""A benchmark against the systems people would use instead: `make bench-peers`."""
