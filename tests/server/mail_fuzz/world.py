"""A small site for play by mail: its people, tables of all games, and the mails it has written."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from django.db import connection

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.services import Wish, create_seek
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.mail import outgoing
from kakomi.server.mail.reply_addresses import Token, reply_address
from kakomi.server.notices.mail import message_id, send_mail
from kakomi.server.notices.models import Delivery
from kakomi.server.site import clock
from kakomi.server.tables import models as tables
from kakomi.server.tables.services import Sitter
from server.correspondence import BOUNCES, DAYS, begun, correspondent, taking_mail
from server.emptying import empty_tables

BEGINNING = 1_800_000_000.0
"""The time at which each world begins, in seconds since the epoch."""
NAMES = ("ada", "bob", "cleo", "dan")
TABLES: tuple[tuple[str, dict[str, int], tuple[int, ...], dict[str, Any]], ...] = (
    ("rin", {"size": 4}, (0, 1), {}),
    ("rive", {"size": 2}, (1, 2), {}),
    ("lin", {"size": 5}, (2, 0), {"negotiate": True}),
    ("ren", {"size": 4}, (0, 3), {}),
    ("rings", {"size": 2, "players": 3}, (0, 1, 2), {}),
    ("rin", {"size": 4}, (3, 1), {"swap": True}),
)
"""Each table's game, options, players (as indices in `NAMES`) and terms."""


@dataclass(frozen=True)
class Letter:
    """A mail written by the site."""

    to: str
    subject: str
    text: str
    reply_to: str
    message_id: str
    envelope: str
    token: Token | None
    """The token of its reply address; None if it has none."""


class World:
    """One round's site."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.now = BEGINNING
        self.letters: list[Letter] = []
        self.tokens: dict[str, Token] = {}
        """Text -> token, for the secret addresses that people may know."""
        self.people = {guest.handle: guest for guest in Guest.objects.exclude(handle=None).order_by("pk")}
        self._numbers = 0

    def next_number(self) -> int:
        """A number not yet used in this world."""
        self._numbers += 1
        return self._numbers

    def rows(self) -> list[tables.Table]:
        """All tables, in order of opening."""
        return list(tables.Table.objects.order_by("pk"))

    def know(self, token: Token) -> str:
        """The address of a token, which is recorded as known to its reader."""
        self.tokens[token.text] = token
        return reply_address(token)

    def collect(self) -> None:
        """Have the site write its mails about turns, and collect these and its answers."""
        self.now += 60
        outgoing.write_turn_mails()
        waiting = list(Delivery.objects.filter(channel="mail", state=Delivery.State.WAITING).order_by("pk"))
        for delivery in waiting:  # bypasses the outbox, which has its own tests
            delivery.state = send_mail(delivery)
            if delivery.state == Delivery.State.KEPT:
                self._take(delivery)
        Delivery.objects.bulk_update(waiting, ["state", "content"])

    def _take(self, delivery: Delivery) -> None:
        content = delivery.content
        letter = Letter(
            content["to"],
            content["subject"],
            content["text"],
            content["headers"].get("Reply-To", ""),
            message_id(delivery.key),
            content.get("envelope", BOUNCES),
            self._known(content["headers"].get("Reply-To", "")),
        )
        self._known(letter.envelope)
        self.letters.append(letter)

    def _known(self, address: str) -> Token | None:
        """The token in an address, recorded as known to its reader; None if it has none."""
        text = address.rpartition("@")[0].partition("+")[2]
        token = Token.parse(text) if text else None
        if token is not None:
            self.tokens[text] = token
        return token


class Worlds:
    """Makes worlds with the same initial content, one after another in the same database."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._template: sqlite3.Connection | None = None

    @contextmanager
    def begun(self, number: int) -> Iterator[World]:
        """The world of a round, in an emptied and refilled database."""
        chance = random.Random(f"mails {self.seed} {number}")
        with taking_mail(), clock.time_from(lambda: world.now if world else BEGINNING):
            world: World | None = None
            with _codes(random.Random(f"tables {self.seed}")):
                self._fill()
            with _codes(random.Random(f"tables {self.seed} {number}")):
                world = World(chance)
                world.collect()
                yield world

    def _fill(self) -> None:
        if connection.vendor != "sqlite":
            empty_tables(restart=True)
            _populate()
        elif self._template is None:
            empty_tables(restart=True)
            _populate()
            self._template = sqlite3.connect(":memory:")
            connection.connection.backup(self._template)
        else:
            self._template.backup(connection.connection)


@contextmanager
def _codes(chance: random.Random) -> Iterator[None]:
    """Make the random codes of tables and seeks reproducible."""
    known = tables.secrets  # type: ignore[attr-defined]
    tables.secrets = SimpleNamespace(choice=chance.choice)  # type: ignore[assignment, attr-defined]
    try:
        yield
    finally:
        tables.secrets = known  # type: ignore[attr-defined]


def _populate() -> None:
    people = [
        correspondent(name, plays_by_mail=name != "dan", language="de" if name == "dan" else "en")
        for name in NAMES
    ]
    for game, options, places, terms in TABLES:
        begun(*(Sitter(people[place]) for place in places), game=game, options=options, **terms)
    wanted = SeekTerms.of(catalog.game("ren", size=4), DAYS)
    create_seek(people[2], Wish(Seek.Kind.OPEN, wanted), "an open seek")
    create_seek(people[0], Wish(Seek.Kind.CHALLENGE, wanted, invitees=(people[1],)), "a challenge")
