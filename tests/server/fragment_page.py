"""A page of fragments as its scripts keep it up (static/boards/fragments.js)."""

import re
import xml.etree.ElementTree as ET

from django.http import HttpResponse
from django.test import Client

FRAGMENT = re.compile(r'<div data-fragment="(\w+)"(?: data-etag="(\w+)")?( data-rest)?>')


class FragmentPage:
    """What stands in each place of the page that a browser has open."""

    def __init__(self, client: Client, address: str) -> None:
        self.client, self.address = client, address
        self.etags: dict[str, str] = {}
        self.html: dict[str, str] = {}
        self.targets: list[tuple[str, str]] = []
        self.layers: dict[str, str] = {}
        self.sent = ""
        self.look()

    @property
    def headers(self) -> dict[str, str]:
        """What a request says of the page."""
        has = " ".join(f"{name}={etag}" for name, etag in self.etags.items())
        return {"HX-Request": "true", **({"Kakomi-Etags": has} if has else {})}

    @property
    def names(self) -> list[str]:
        """What came last."""
        return [name for name, _, _ in FRAGMENT.findall(self.sent)]

    def look(self, address: str = "") -> None:
        """Fetch what has changed, perhaps of another address."""
        self.address = address or self.address
        self.take(self.client.get(self.address, headers=self.headers))

    def post(self, address: str, form: dict[str, object]) -> HttpResponse:
        """Send a form and show the answer."""
        answer = self.client.post(address, form, headers=self.headers)
        self.take(answer)
        return answer

    def take(self, answer: HttpResponse) -> None:
        """Put an answer into the page."""
        self.show(answer.content.decode())

    def show(self, text: str) -> None:
        """Put fragments into the page."""
        self.sent = text
        for start in FRAGMENT.finditer(self.sent):
            name, etag, rest = start.groups()
            self.etags[name] = etag or ""
            self.put(name, _up_to_its_end(self.sent[start.end() :]), is_rest=bool(rest))
        self.etags = {name: etag for name, etag in self.etags.items() if etag}

    def put(self, name: str, html: str, *, is_rest: bool) -> None:
        """Put a fragment, or the rest that one is lacking, in its place."""
        if name == "board":
            self._change_board(html, is_rest)
        else:
            assert not is_rest
            self.html[name] = html

    def _change_board(self, html: str, is_rest: bool) -> None:
        drawing = html[html.index("<svg") : html.index("</svg>") + 6]
        root = ET.fromstring(drawing.replace(' xmlns="http://www.w3.org/2000/svg"', ""))
        groups = {group.get("class", ""): group for group in root.iter("g") if group.get("class")}
        (waiting,) = [name for name in groups if name.startswith("targets")]
        buttons = groups.pop(waiting)
        if is_rest:
            assert not buttons.findall("use")
            lines = (buttons[0].text or "").split("\n")
            assert len(lines) == len(self.targets)
            self.targets = [(name, action) for name, _, action in (line.partition("\t") for line in lines)]
            focus = buttons.get("data-focus")
        else:
            uses = buttons.findall("use")
            self.targets = [(use.get("aria-label", ""), use.get("data-action", "")) for use in uses]
            (focused,) = [use.get("id") for use in uses if use.get("tabindex") == "0"]
            focus = str(focused).removeprefix(f"{root.get('id')}-")
        still = ("labels",)
        self.layers = {
            **{name: "".join(map(_text, group)) for name, group in groups.items() if name not in still},
            "waiting": waiting,
            "focus": str(focus),
            "description": root.findtext("desc", ""),
        }

    @property
    def seen(self) -> dict[str, object]:
        """Everything that it shows."""
        return {**self.html, "targets": self.targets, "layers": self.layers}


def _up_to_its_end(html: str) -> str:
    """What is in an element `div` that has begun."""
    depth = 1
    for tag in re.finditer(r"<(/?)div\b", html):
        depth += -1 if tag[1] else 1
        if not depth:
            return html[: tag.start()]
    raise AssertionError(f"a fragment has no end: {html[:200]}")


def _text(element: ET.Element) -> str:
    return ET.tostring(element, encoding="unicode").strip()
