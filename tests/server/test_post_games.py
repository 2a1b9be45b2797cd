"""Whole games by mail alone, by answering the mails that the site writes."""

import random
from typing import Any

import pytest

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.mail import outgoing
from kakomi.server.tables import models, services
from kakomi.server.tables.command_handlers import handle_table_command
from kakomi.server.tables.commands import Confirm, Submission
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, TimeControl
from server.correspondence import Postman, begun, correspondent, now, random_turn
from server.mail_sink import Sink, plain

pytest_plugins = ("server.correspondence_fixtures",)
pytestmark = pytest.mark.django_db
NAMES = ("ada", "bob", "cleo", "dan", "eve", "flo")


def check(mail: dict[str, Any]) -> None:
    """Check that a mail has plain text of 72 columns and HTML, and is threaded."""
    lines = mail["text"].splitlines()
    assert max(len(line) for line in lines if "://" not in line) <= 72, mail["text"]
    assert mail["html"].lstrip().lower().startswith("<!doctype html")
    assert mail["headers"]["List-Unsubscribe"] and mail["headers"]["References"]
    assert mail["envelope"].startswith("bounces+")


class Box:
    """Everyone's latest mail about a table."""

    def __init__(self) -> None:
        self.latest: dict[str, dict[str, Any]] = {}
        self.count = 0

    def put(self, mails: list[dict[str, Any]]) -> None:
        for mail in mails:
            check(mail)
            self.latest[mail["to"]] = mail
            self.count += 1

    def of(self, guest: Guest) -> dict[str, Any]:
        return self.latest[guest.user.email]


@pytest.mark.parametrize(
    ("game", "options", "players"),
    [
        ("rin", {"size": 4}, 2),
        ("rive", {"size": 2}, 2),
        ("lin", {"size": 5}, 2),
        ("ren", {"size": 4}, 2),
        ("rings", {"size": 2, "players": 2}, 2),
        ("rings", {"size": 2, "players": 6}, 6),
    ],
    ids=["rin", "rive", "lin", "ren", "rings", "rings-with-six"],
)
def test_a_whole_game_is_played_by_answers_alone(
    game: str, options: dict[str, int], players: int, postman: Postman
) -> None:
    people = [correspondent(name) for name in NAMES[:players]]
    row = begun(*(Sitter(guest, name=guest.name) for guest in people), game=game, options=options)
    chance, box, turns = random.Random(7), Box(), 0
    box.put(postman.collect())
    while not (table := now(row)).is_over:
        assert table.to_act is not None
        turn = random_turn(table.match.position, chance)
        box.put(postman.reply(box.of(people[table.to_act]), " ".join(turn)))
        assert (now(row).to_act, now(row).entries) != (table.to_act, table.entries), turn
        turns += 1
    assert turns > 3 and row.is_over
    for guest in people:
        assert "over" in box.of(guest)["text"].lower() or row.code in box.of(guest)["text"]
    assert models.Entry.objects.filter(table=row).count() == now(row).entries


def test_the_komi_is_negotiated_by_mail(postman: Postman) -> None:
    people = [correspondent(name) for name in NAMES[:2]]
    row = begun(*map(Sitter, people), game="lin", options={"size": 5}, negotiate=True)
    box = Box()
    box.put(postman.collect())
    first = now(row).to_act
    box.put(postman.reply(box.of(people[first]), "4"))
    assert now(row).match.phase == "colour"
    second = now(row).to_act
    assert second != first
    box.put(postman.reply(box.of(people[second]), "white"))
    assert now(row).match.phase == "play" and now(row).match.current_game.komi == 4
    assert now(row).match.current_game.players[second] == 1


def test_mail_the_page_and_a_bot_play_at_one_table(postman: Postman) -> None:
    ada, bob = correspondent("ada"), correspondent("bob", plays_by_mail=False)
    options = {"size": 2, "players": 3}
    row = begun(Sitter(ada), Sitter(bob), Sitter(bot="1", name="Level 1"), game="rings", options=options)
    chance, box = random.Random(3), Box()
    box.put(postman.collect())
    for _ in range(400):
        table = now(row)
        if table.is_over:
            break
        turn = random_turn(table.match.position, chance)
        match table.to_act:
            case 0:
                box.put(postman.reply(box.of(ada), " ".join(turn)))
            case 1:
                command = Submission(Confirm(tuple(turn)), row.entries, f"page-{row.entries}")
                handle_table_command(row, Viewer.of(row, bob), command)
                box.put([mail for mail in postman.collect() if mail["to"] == ada.user.email])
            case _:
                entries = [("play", action) for action in turn]
                services.add(row.code, entries, seat=2, base=row.entries, key=f"bot.{row.entries}")
                box.put([mail for mail in postman.collect() if mail["to"] == ada.user.email])
        assert now(row).entries > table.entries
    assert now(row).is_over


def test_a_turn_is_mailed_only_if_it_is_still_ones_turn(postman: Postman) -> None:
    ada, bob = correspondent("ada"), correspondent("bob")
    row = begun(Sitter(ada), Sitter(bob), game="rin", options={"size": 4})
    services.add(row.code, [("play", "1,1")], seat=0, base=0, key="a-key-of-a-page")
    mails = postman.collect()
    assert [mail["to"] for mail in mails] == [bob.user.email]


def test_what_is_mailed_at_once_is_in_no_digest(postman: Postman) -> None:
    ada, bob = correspondent("ada"), correspondent("bob", plays_by_mail=False)
    row = begun(Sitter(ada), Sitter(bob), game="rin", options={"size": 4})
    assert len(postman.collect()) == 1
    postman.wait(100_000)
    assert postman.collect() == []
    services.add(row.code, [("play", "1,1")], seat=0, base=0, key="a-key-of-a-page")
    assert postman.collect() == [], "bob has chosen a digest after an hour"
    postman.wait(4_000)
    assert [mail["to"] for mail in postman.collect()] == [bob.user.email]


def test_a_live_game_is_not_played_by_mail(postman: Postman) -> None:
    ada, bob = correspondent("ada", pace="day"), correspondent("bob")
    terms = MatchConfig(catalog.game("rin", size=4))
    services.begin(terms, [Sitter(ada), Sitter(bob)], TimeControl(600.0, 5.0))
    assert postman.collect() == []


def test_the_board_comes_as_a_picture_within_the_mail(sink: Sink, postman: Postman) -> None:
    begun(Sitter(correspondent("ada")), Sitter(correspondent("bob")), game="rin", options={"size": 4})
    postman.collect()
    (mail,) = sink.mails
    assert mail.get_content_type() == "multipart/related"
    (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    data = picture.get_payload(decode=True)
    assert isinstance(data, bytes) and data.startswith(b"\x89PNG")
    assert f"cid:{picture['Content-ID'].strip('<>')}" in plain(mail, "text/html")
    assert mail["From"] == "Kakomi <play@games.example>"


def test_without_what_draws_the_board_comes_as_text(
    sink: Sink, postman: Postman, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "can_draw", lambda: False)
    begun(Sitter(correspondent("ada")), Sitter(correspondent("bob")), game="rin", options={"size": 4})
    postman.collect()
    (mail,) = sink.mails
    assert mail.get_content_type() == "multipart/alternative" and "<img" not in plain(mail, "text/html")
