"""Reference from docstrings: signatures made readable."""

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

_WITHOUT_SPELLING = re.compile(r"<[a-z](?:[^<>]|<[^<>]*>)*>")
"""What `repr` says of functions, of objects, and of a default that a dataclass makes."""
_LONG_TUPLE = re.compile(r"= \(\w+\(.*?\)\)(?=[,)])")
_LINK_BACK = re.compile(r'<a class="viewcode-back".*?</a>')
_LONGEST_VALUE = 60
_CONSTRAINT = re.compile(r", msgspec\.Meta\((?:'(?:\\.|[^'\\])*'|[^'()])*\)")
_ANNOTATED = re.compile(r"Annotated\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")


def simplify_signature(
    app: Sphinx, what: str, name: str, value: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """The signature with `...` for defaults that nobody could type, and types without their constraints."""
    del app, what, name, value, options
    if signature:
        signature = _LONG_TUPLE.sub("= ...", _WITHOUT_SPELLING.sub("...", _without_constraints(signature)))
    return signature, returned


def simplify_attributes(app: Sphinx, document: nodes.document, name: str) -> None:
    """Do the same to types and values of attributes."""
    del app, name
    for shown in list(document.findall(addnodes.desc_annotation)):
        text = shown.astext()
        if text.startswith(" = ") and (_WITHOUT_SPELLING.search(text) or len(text) > _LONGEST_VALUE):
            shown.parent.remove(shown)
        elif _CONSTRAINT.search(text):
            shown.children = [nodes.Text(_without_constraints(text))]


def remove_links_back(app: Sphinx, page: str, template: str, context: dict[str, Any], document: Any) -> None:
    """Pages of source code lead back to their package, where some of what they hold isn't named."""
    del app, template, document
    if page.startswith("_modules/") and "body" in context:
        context["body"] = _LINK_BACK.sub("", context["body"])


def _without_constraints(text: str) -> str:
    return _ANNOTATED.sub(r"\1", _ANNOTATED.sub(r"\1", _CONSTRAINT.sub("", text)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the changes."""
    app.connect("autodoc-process-signature", simplify_signature)
    app.connect("doctree-resolved", simplify_attributes)
    app.connect("html-page-context", remove_links_back)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
