"""Core: the small language that every program becomes, its primitives and distributions."""
