"""Tables as HTML."""

from collections.abc import Sequence
from html import escape


def draw_table(label: str, heads: Sequence[str], rows: str, cls: str = "") -> str:
    """A table that scrolls by itself where the page is narrower; the keyboard reaches it. `rows` are HTML."""
    titles = "".join(f'<th scope="col">{escape(title)}</th>' for title in heads)
    head = f"<thead><tr>{titles}</tr></thead>" if heads else ""
    chosen = f' class="{cls}"' if cls else ""
    return (
        f'<div class="scroll" role="group" tabindex="0" aria-label="{escape(label)}">'
        f"<table{chosen}>{head}<tbody>{rows}</tbody></table></div>"
    )
