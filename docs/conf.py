"""How Sphinx builds these pages: `make docs` writes them to build/docs."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

from lfppl import __version__  # noqa: E402

project = "lfppl"
author = "the lfppl authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "docstrings", "mathml"]
exclude_patterns = ["_extensions", "_generate", "_examples"]
nitpicky = True
# Types in signatures: NumPy's and the internal ones have no page to link to.
nitpick_ignore_regex = [("py:.*", ".*")]

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "lfppl"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["lfppl.css"]
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
