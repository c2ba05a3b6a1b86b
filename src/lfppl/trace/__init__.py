"""Symbolic evaluation: Core and its data become an expression graph; plates stay symbolic."""

from lfppl.trace.records import Trace
from lfppl.trace.tracer import trace

__all__ = ["Trace", "trace"]
