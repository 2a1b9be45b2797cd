"""A page that is open is sent what it doesn't have: never less, and never what only somebody else may see."""

import random
import re
import xml.etree.ElementTree as ET

import pytest

from kakomi import catalog
from kakomi.server.tables import models
from server.table_client import PART, Person, now, opened

pytestmark = pytest.mark.django_db

_FRAGMENT = re.compile(r'<div data-fragment="(\w+)"(?: data-etag="(\w+)")?( data-rest)?>')


class Page:
    """A table's page as its scripts keep it up."""

    def __init__(self, person: Person, row: models.Table) -> None:
        self.person, self.row = person, row
        self.etags: dict[str, str] = {}
        self.html: dict[str, str] = {}
        self.items: list[str] = []
        self.targets: list[tuple[str, str]] = []
        self.layers: dict[str, str] = {}
        self.sent = ""
        self.look()

    def look(self) -> None:
        """Fetch what has changed."""
        has = " ".join(f"{name}={etag}" for name, etag in self.etags.items())
        headers = {**PART, **({"Kakomi-Etags": has} if has else {})}
        self.take(self.person.client.get(f"/table/{self.row.code}", headers=headers).content.decode())

    def take(self, text: str) -> None:
        """Put an answer into the page."""
        self.sent = text
        for start in _FRAGMENT.finditer(text):
            name, etag, rest = start.groups()
            html = _up_to_its_end(text[start.end() :])
            self.etags[name] = etag or ""
            if name == "moves":
                self._add_moves(html, bool(rest))
            elif name == "board":
                self._change_board(html, bool(rest))
            else:
                self.html[name] = html
        self.etags = {name: etag for name, etag in self.etags.items() if etag}

    def _add_moves(self, html: str, is_rest: bool) -> None:
        if start := re.search(r'<ol start="(\d+)"', html):
            assert is_rest
            self.items = self.items[: int(start[1]) - 1]
        else:
            self.items = []
        self.items += re.findall(r"<li>.*?</li>", html)

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
            focus = f"board-{buttons.get('data-focus')}"
        else:
            uses = buttons.findall("use")
            self.targets = [(use.get("aria-label", ""), use.get("data-action", "")) for use in uses]
            (focus,) = [use.get("id") for use in uses if use.get("tabindex") == "0"]
        still = ("labels",)
        self.layers = {
            **{name: "".join(map(_text, group)) for name, group in groups.items() if name not in still},
            "waiting": waiting,
            "focus": str(focus),
            "description": root.findtext("desc", ""),
        }

    @property
    def seen(self) -> dict[str, object]:
        """Everything that it shows, but what makes a command unique."""
        html = {name: text for name, text in self.html.items() if name != "command"}
        return {**html, "moves": self.items, "targets": self.targets, "layers": self.layers}


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


@pytest.mark.parametrize("game", catalog.names())
def test_a_page_that_is_kept_up_is_as_one_that_is_loaded(game: str) -> None:
    chance = random.Random(1)
    people = (Person("Ann"), Person("Bob"))
    row = opened(*people, game=game)
    pages = [Page(person, row) for person in (*people, Person())]
    for _ in range(24):
        table = now(row)
        if table.to_act is None:
            break
        person = people[table.to_act]
        position = pages[table.to_act].targets
        actions = [action for _, action in position if action]
        deed = f"touch {chance.choice(actions)}" if actions else "confirm"
        if 'value="confirm"' in pages[table.to_act].html["actions"]:
            deed = "confirm"
        person.do(row, deed)
        for page in pages:
            page.look()
            assert len(page.sent) < 30_000
            assert page.seen == Page(page.person, row).seen


def test_who_has_everything_is_sent_next_to_nothing() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    page = Page(ann, opened(ann, bob))
    page.look()
    assert [name for name, _, _ in _FRAGMENT.findall(page.sent)] == ["command", "board"]


def test_another_board_is_sent_as_a_whole() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    small, large = opened(ann, bob, size=6), opened(ann, bob, size=8)
    page = Page(ann, small)
    page.row = large
    page.look()
    assert page.seen == Page(ann, large).seen


def test_a_takeback_shortens_the_list_of_turns() -> None:
    ann = Person("Ann")
    row = opened(ann, ann, size=6)
    page = Page(ann, row)
    for deed in ("touch 1,1", "touch 2,2", "touch 3,3", "confirm"):
        ann.do(row, deed)
    page.look()
    assert len(page.items) == 2
    ann.do(row, "offer takeback")
    page.look()
    assert page.seen == Page(ann, row).seen


def test_prints_of_somebody_else_or_of_nobody_bring_nothing_to_light() -> None:
    """What a page claims to have only ever leaves something out."""
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    ann.do(row, "touch 1,1")
    bob.do(row, "touch 2,2")  # of a turn that isn't confirmed
    own, other = Page(bob, row), Page(Person(), row)
    assert any("not confirmed yet" in name for name, _ in own.targets)
    other.etags = dict(own.etags)
    other.look()
    assert "not confirmed yet" not in other.sent and 'value="2,2"' not in other.sent
    for nonsense in ("board=", "= = =", "board=moves moves=board", "x" * 500, "moves=" + own.etags["moves"]):
        headers = {**PART, "Kakomi-Etags": nonsense}
        sent = other.person.client.get(f"/table/{row.code}", headers=headers).content.decode()
        assert "not confirmed yet" not in sent and 'data-fragment="turn"' in sent


def test_refusals_come_with_the_fragments() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    page = Page(ann, row)
    ann.do(row, "touch 1,1")
    has = " ".join(f"{name}={etag}" for name, etag in page.etags.items())
    form = {"base": 0, "key": "another-key", "seen": "", "kind": "touch 2,2"}
    answer = ann.client.post(f"/table/{row.code}/act", form, headers={**PART, "Kakomi-Etags": has})
    assert answer.status_code == 409
    page.take(answer.content.decode())
    assert 'role="alert"' in page.html["answer"] and len(page.items) == 1
