"""Follows every link inside the built documentation: `python docs/check_links.py build/docs`.

Prints links to files or anchors that aren't there, and whatever a page would fetch from elsewhere when it is
opened. Links to other sites are not asked for. Exits with 1 if there is anything to print.
"""

import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LINKED = {"a": "href", "img": "src", "script": "src", "link": "href", "source": "src", "object": "data"}
_FETCHED = _LINKED.keys() - {"a"}
_AS_THEY_ARE = "_downloads"
"""The folder of files that pages hand out. Reports open games at anchors by a script, as their tests know."""
_FETCHED_BY_STYLES = re.compile(r"""(?:url\(|@import )\s*["']?((?:https?:)?//[^"')]+)""")


def problems(site: Path) -> Iterator[str]:
    """A line for each."""
    for page in sorted(site.rglob("*.html")):
        for tag, target in _read(page).links:
            if problem := _problem(page, tag, target):
                yield f"{page.relative_to(site)}: {problem}"
    for sheet in sorted(site.rglob("*.css")):
        for address in _FETCHED_BY_STYLES.findall(sheet.read_text(encoding="utf-8")):
            yield f"{sheet.relative_to(site)}: {address} would be fetched from elsewhere"


class _Page(HTMLParser):
    """The links of a page, as tags and targets, and the places to which links may lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag links to, and by what it can be linked to."""
        given = dict(attrs)
        self.anchors.update(given[key] or "" for key in ("id", "name") if key in given)
        if target := given.get(_LINKED.get(tag, "")):
            self.links.append((tag, target))


@cache
def _read(page: Path) -> _Page:
    return _Page(page.read_text(encoding="utf-8"))


def _problem(page: Path, tag: str, target: str) -> str:
    """What is wrong with a link, in words; empty if nothing is."""
    parts = urlsplit(target)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        return f"{target} would be fetched from elsewhere" if tag in _FETCHED else ""
    leads_to = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not leads_to.is_file():
        return f"{target} leads to no file"
    anchor = unquote(parts.fragment)
    is_checked = leads_to.suffix == ".html" and _AS_THEY_ARE not in leads_to.parts
    if anchor and is_checked and anchor not in _read(leads_to).anchors:
        return f"{target} leads to no such place of the page"
    return ""


def main() -> None:
    """Print the problems of the folder that is named."""
    site = Path(sys.argv[1])
    found = list(problems(site))
    print("\n".join(found) if found else f"{len(list(site.rglob('*.html')))} pages, no link leads nowhere")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
