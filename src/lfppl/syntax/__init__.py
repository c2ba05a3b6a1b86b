"""Text to the surface program and back, and the JSON form of programs."""

from lfppl.syntax.files import read_source
from lfppl.syntax.parse import read_program

__all__ = ["read_program", "read_source"]
