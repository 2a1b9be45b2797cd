"""What people can come to see, page by page, in a language that their browsers ask for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from django.http import HttpResponse
from django.test import Client

from kakomi import catalog
from kakomi.core.example import Example
from kakomi.puzzles import turns_of
from kakomi.server.puzzles.selectors import puzzles_for, today
from kakomi.server.tables import models
from kakomi.server.tables.services import Sitter
from kakomi.session import TimeControl
from server.table_client import PART, Person, now, opened

DAY = date(2026, 11, 25)
"""A day whose puzzles can be answered wrongly with their first action; some days' can't."""


class Page(NamedTuple):
    address: str
    html: str


@dataclass
class Walk:
    """Two who play each other, and a stranger."""

    language: str
    ann: Person = field(default_factory=lambda: Person("Ann"))
    bob: Person = field(default_factory=lambda: Person("Bob"))
    stranger: Person = field(default_factory=Person)

    def __post_init__(self) -> None:
        for person in (self.ann, self.bob, self.stranger):
            person.client.defaults["HTTP_ACCEPT_LANGUAGE"] = self.language

    def pages(self, games: Iterable[str]) -> Iterator[Page]:
        """All of them, but for other games."""
        for name in games:
            yield from self.game(name)
            yield from self.rules(name)
        yield from self.seats()
        yield from self.komi()
        yield from self.match()
        yield from self.lists()
        yield from self.puzzles()
        yield from self.others()

    def game(self, name: str) -> Iterator[Page]:
        """Beginning a game, its first turns, every overlay, its end and its analysis."""
        ann, bob = self.ann, self.bob
        yield _seen(ann, f"/play/{name}")
        wrong = {"size": "99", "clock": "custom", "clock_other": "x", "opponent": "nobody"}
        yield Page(f"wrong wishes for {name}", _text(ann.client.post(f"/play/{name}", wrong)))
        row = opened(ann, bob, game=name, **catalog.describe(name).quick)
        position = now(row).match.position
        first = position.legal()[0]
        overlays = [overlay.name for overlay in position.overlays()]
        ann.client.post(f"/table/{row.code}/look", {"overlay": overlays, "numbered": "1", "dotted": "1"})
        yield _table(ann, row)
        ann.do(row, f"touch {first}")
        yield _table(ann, row)
        yield _table(bob, row)
        yield Page(f"too early in {name}", _text(ann.send(row, f"touch {first}")))
        yield Page(f"refused in {name}", _text(bob.send(row, f"touch {first}")))
        yield Page(f"no action of {name}", _text(bob.send(row, "touch z99")))
        yield _seen(ann, f"/analysis/table/{row.code}")
        ann.do(row, "resign")
        for person in (ann, bob, self.stranger):
            yield _table(person, row)
        yield _seen(ann, f"/analysis/table/{row.code}")

    def rules(self, name: str) -> Iterator[Page]:
        """The rules, and every lesson after each action of its solution and of each that misses."""
        yield _seen(self.stranger, f"/rules/{name}")
        yield _seen(self.stranger, f"/rules/{name}/course")
        yield _seen(self.stranger, f"/games/{name}")
        description = catalog.describe(name)
        for example in (*description.examples, *description.exercises):
            page = "course" if example.claim else "examples"
            address = f"/rules/{name}/{page}/{example.name}"
            played: list[str] = []
            for step in example.steps:
                for miss in filter(None, {**step.misses, **_first_line(example)}):
                    yield _seen(self.stranger, address, played=" ".join([*played, miss]))
                for action in step.actions:
                    played.append(action)
                    yield _seen(self.stranger, address, played=" ".join(played))

    def seats(self) -> Iterator[Page]:
        """A seat that waits for somebody, and one in which a bot thinks."""
        waiting = opened(self.ann, Sitter(), control=TimeControl(300, 3), size=4)
        yield _table(self.ann, waiting)
        invitation = models.Seat.objects.get(table=waiting, number=1).invitation
        yield _seen(self.bob, f"/join/{invitation}")
        yield _seen(self.ann, f"/join/{invitation}")
        yield _table(self.ann, opened(Sitter(bot="4"), self.ann, size=4))

    def komi(self) -> Iterator[Page]:
        """A negotiation, from both sides."""
        row = opened(self.ann, self.bob, game="lin", negotiate=True, size=9)
        for komi in ("4", ""):
            yield _table(self.ann, row)
            yield _table(self.bob, row)
            if komi:
                self.ann.do(row, "komi", value=komi)

    def match(self) -> Iterator[Page]:
        """A match of two games: one drawn by agreement, the other given up; takebacks between."""
        ann, bob = self.ann, self.bob
        row = opened(ann, bob, game="ren", legs=2, size=8)
        for person, kind in (
            (ann, "touch d4"),
            (ann, "offer takeback"),
            (bob, "decline"),
            (ann, "offer draw"),
            (bob, "accept"),
            (bob, "resign"),
        ):
            person.do(row, kind)
            yield _table(ann, row)
            yield _table(bob, row)

    def lists(self) -> Iterator[Page]:
        """The public lists: empty, with a game that both agree to list, and with a study."""
        ann, bob = self.ann, self.bob
        for address in ("/games/", "/games/?game=rin", "/studies/", "/studies/?game=rin"):
            yield _seen(self.stranger, address)
        row = opened(ann, bob, size=4)
        for person in (ann, bob):
            person.do(row, "list")
            yield _table(ann, row)
            yield _table(bob, row)
        yield _seen(self.stranger, "/games/")
        ann.do(row, "resign")
        yield _seen(self.stranger, "/games/")
        yield _seen(self.stranger, "/analysis/position/rin?size=4")
        yield _seen(self.stranger, "/analysis/position/rin/embed?size=4")
        yield _seen(self.stranger, "/analysis/position/rin/embed?size=99")
        address = _study_of(ann, row)
        yield Page("no name", _text(ann.client.post(f"{address}/listing", {"do": "list"})))
        ann.client.post(f"{address}/listing", {"do": "list", "title": "Ann"})
        yield _seen(ann, address)
        yield _seen(self.stranger, "/studies/")

    def puzzles(self) -> Iterator[Page]:
        """The puzzles of a day, before and after one is answered rightly and another wrongly."""
        yield _seen(self.stranger, "/puzzles/")
        first, second, *_ = puzzles_for(self.ann.guest, DAY)
        for puzzle in (first, second):
            address = f"/puzzles/{puzzle.name}"
            yield _seen(self.ann, address)
            legal = puzzle.shown().legal()
            wrong = next(text for text in legal if text not in puzzle.answers[0].split())
            yield _seen(self.ann, address, at=wrong)
            yield _seen(self.ann, address, at="z99")
            turn = puzzle.answers[0]
            if puzzle is second:
                turns = turns_of(puzzle.shown(), 1000) or []
                turn = next(
                    " ".join(each.actions)
                    for each in turns
                    if not puzzle.is_right(puzzle.shown(), each.after)
                )
            yield _seen(self.ann, address, played=turn)
            self.ann.client.post(address, {"played": turn})
            yield _seen(self.ann, address)
        yield _seen(self.ann, "/puzzles/")
        yield _seen(self.ann, f"/puzzles/?day={today().replace(day=1)}")
        yield Page("no day", _text(self.ann.client.get("/puzzles/?day=x")))
        yield Page("no puzzle", _text(self.ann.client.get("/puzzles/nothing")))

    def others(self) -> Iterator[Page]:
        """Everything beside games, and failures."""
        for address in (
            "/",
            "/about",
            "/me",
            "/analysis/",
            "/nowhere",
            "/table/nowhere",
            "/analysis/new/rin",
            "/lobby",
            "/tournaments/",
            "/tournaments/new/rin",
        ):
            yield _seen(self.ann, address)
            yield _seen(self.stranger, address)
        yield _seen(self.ann, f"/me/{self.bob.guest.token}")
        yield Page("a long name", _text(self.ann.client.post("/me/preferences", {"name": "x" * 99})))
        strict = Client(enforce_csrf_checks=True, headers={"Accept-Language": self.language})
        yield Page("no token", _text(strict.post("/me/preferences")))


def _first_line(example: Example) -> dict[str, str]:
    """One answer that misses and what follows, if the example tells any."""
    return dict(list(example.lines.items())[:1])


def _study_of(person: Person, row: models.Table) -> str:
    """The address of somebody's study of a game."""
    return str(person.client.get(f"/analysis/table/{row.code}")["Location"])


def _seen(person: Person, address: str, **asked: str) -> Page:
    headers = PART if asked else {}
    return Page(address, _text(person.client.get(address, asked, follow=True, headers=headers)))


def _table(person: Person, row: models.Table) -> Page:
    return _seen(person, f"/table/{row.code}")


def _text(response: HttpResponse) -> str:
    return response.content.decode()
