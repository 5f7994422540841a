"""The documentation site: ``make docs`` builds it, without a network, and takes warnings as errors."""

from __future__ import annotations

import sys
from pathlib import Path

import spco

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))

project = "spco"
author = "the spco contributors"
version = release = spco.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "docstrings",
    "command_line",
    "local_links",
]
exclude_patterns = ["_extensions", "drawings"]
myst_heading_anchors = 4
highlight_language = "none"  # of indented blocks: formulas and commands

autodoc_typehints = "none"  # docstrings say what a parameter is
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True}
maximum_signature_line_length = 88
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "returns_style")]  # no links from names to others of that name
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"spco {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
