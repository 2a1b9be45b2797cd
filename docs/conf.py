"""Settings of the documentation site: `make docs` builds it with Sphinx from the pages in this folder."""

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
STATIC = FOLDER.parent / "src" / "kakomi" / "server" / "static"
sys.path.insert(0, str(FOLDER / "extensions"))
os.environ["KAKOMI_KERNEL"] = "interpreted"  # the few positions that are drawn are not worth compiling for

import kakomi  # noqa: E402

project = "Kakomi"
author = "The Kakomi authors"
version = release = kakomi.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "command_pages",
    "docstrings",
    "game_pages",
]
exclude_patterns = ["images"]
nitpicky = True  # with `-W`, a link that leads nowhere is an error

# Docstrings have Markdown's single backticks: what they hold is a link where it is documented, and else code.
default_role = "py:obj"
nitpick_ignore_regex = [
    ("py:obj", ".*"),
    ("py:class", r"(?!~?kakomi\.).*"),  # types of other libraries, whose pages would have to be fetched
    ("py:class", r"kakomi\..*\.(Answers|FindGame|Name|Reference|T)"),  # names of types
    ("py:class", r"kakomi\.contest\.tournament\.log\.Game"),  # left out: one `Game` is enough for links
]
add_module_names = False
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_mock_imports = ["onnx", "onnxruntime", "torch"]
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist", "html_image"]
myst_heading_anchors = 4

copybutton_exclude = ".linenos, .gp, .go"  # prompts, and what a command prints

html_theme = "furo"
html_title = "Kakomi"
html_logo = html_favicon = str(STATIC / "mark.svg")
html_static_path = ["_static"]
html_css_files = ["kakomi.css"]
html_show_copyright = html_copy_source = False
html_theme_options = {"top_of_page_buttons": []}
