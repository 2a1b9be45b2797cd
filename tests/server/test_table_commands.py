"""Commands at a table: pages and programs make the same, and nothing else is one."""

from typing import Any

import pytest

from kakomi import catalog
from kakomi.server.tables import commands, models, selectors, services
from kakomi.server.tables.api import ActIn, TableIn
from kakomi.server.tables.command_handlers import handle_table_command
from kakomi.server.tables.commands import Command, Submission, logged, logged_command, submission_of_form
from kakomi.server.tables.forms import TableForm
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.table_request import InvalidTableRequest, SeatAssignment, TableRequest
from kakomi.session import Refused, Table
from server.table_client import Person, now, opened

SENT = {"base": "3", "key": "a-good-key", "seen": "1,1 2,2"}


@pytest.mark.parametrize(
    ("kind", "value", "command"),
    [
        ("touch 3,3", "", commands.Touch("3,3", ("1,1", "2,2"))),
        ("untouch", "", commands.Untouch(("1,1", "2,2"))),
        ("confirm", "", commands.Confirm(("1,1", "2,2"))),
        ("offer draw", "", commands.Offer("draw")),
        ("offer takeback", "", commands.Offer("takeback")),
        ("accept", "", commands.Accept()),
        ("decline", "", commands.Decline()),
        ("withdraw", "", commands.Withdraw()),
        ("takeback", "", commands.TakeBack()),
        ("komi", " 12 ", commands.NameKomi(12)),
        ("colour 1", "", commands.ChooseColour(1)),
        ("swap", "", commands.Swap()),
        ("resign", "", commands.Resign()),
        ("rematch", "", commands.Rematch()),
    ],
)
def test_buttons_send_commands(kind: str, value: str, command: Command) -> None:
    sent = submission_of_form({**SENT, "kind": kind, "value": value})
    assert sent == Submission(command, 3, "a-good-key")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"kind": ""}, "'' isn’t a table command"),
        ({"kind": "flag 0"}, "'flag' isn’t a table command"),
        ({"kind": "play 1,1"}, "'play' isn’t a table command"),
        ({"kind": "touch"}, "enter a move, such as the name of a point"),
        ({"kind": "offer"}, "the 'value' of 'offer' is a text, and not None"),
        ({"kind": "offer peace"}, "draw or takeback"),
        ({"kind": "resign now"}, "the 'value' of 'resign' is left out, and not 'now'"),
        ({"kind": "komi", "value": "x"}, "komi must be a whole number, not 'x'"),
        ({"kind": "swap", "key": "short"}, "'key'"),
        ({"kind": "swap", "base": "-1"}, "'base'"),
        ({"kind": "confirm", "seen": "x " * 201}, "'base'"),
    ],
)
def test_what_is_no_command_is_refused(fields: dict[str, str], says: str) -> None:
    with pytest.raises(Refused) as refused:
        submission_of_form({**SENT, **fields})
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("offer", "draw"),
        ("offer", "takeback"),
        ("komi", 4),
        ("colour", 0),
        *((kind, None) for kind in ("accept", "decline", "withdraw", "takeback", "swap", "resign")),
    ],
)
def test_programs_send_the_same_commands(kind: Any, value: Any) -> None:
    sent = ActIn(kind=kind, value=value, base=3, key="a-good-key").submission()
    page = submission_of_form({**SENT, "kind": f"{kind} {'' if value is None else value}".strip()})
    assert sent == page
    assert not isinstance(
        sent.command, commands.Touch | commands.Untouch | commands.Confirm | commands.Rematch
    )
    assert logged(sent.command) == (kind, value)
    assert logged_command(kind, value) == sent.command


def test_a_single_action_is_no_command_of_a_log() -> None:
    with pytest.raises(Refused, match="'play' isn’t a table command"):
        logged_command("play", "1,1")


def test_programs_play_whole_turns() -> None:
    sent = ActIn(kind="play", value="1,1  2,2", base=0, key="a-good-key").submission()
    assert sent.command == commands.Confirm(("1,1", "2,2"))


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ({"seat-0": "me", "seat-1": "3"}, {"seats": ["me", "3"]}),
        (
            {"opponent": "friend", "side": "1", "size": "9", "match": "1", "swap": "1", "clock": "5+3"},
            {
                "seats": ["friend", "me"],
                "options": {"size": 9},
                "is_match": True,
                "swap": True,
                "clock": "5+3",
            },
        ),
        (
            {"opponent": "beside", "side": "0", "size": "9", "komi": "4", "negotiate": "1"},
            {"seats": ["me", "beside"], "options": {"size": 9, "komi": 4}, "negotiate": True},
        ),
    ],
)
def test_a_form_and_a_program_make_the_same_request(form: dict[str, str], fields: dict[str, Any]) -> None:
    sent = TableForm(catalog.describe("lin"), form)
    assert sent.is_valid(), sent.messages
    assert sent.table_request == TableIn(game="lin", **fields).table_request()


def test_a_request_has_a_seat_for_whoever_asks() -> None:
    with pytest.raises(InvalidTableRequest) as refused:
        TableRequest(catalog.game("rin"), (SeatAssignment("friend"), SeatAssignment("bot", "3")))
    assert list(refused.value.errors) == ["seats"]


@pytest.mark.django_db
def test_a_table_is_read_once_for_an_act(monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    ann.do(row, "touch 1,1")
    known, asked = selectors.table_of, []

    def noted(row: models.Table) -> Table:
        asked.append(row.entries)
        return known(row)

    monkeypatch.setattr(selectors, "table_of", noted)
    page = bob.look(row)
    assert asked == [1]
    bob.send(row, "touch 2,2", page)
    assert asked == [1, 1]


@pytest.mark.django_db
def test_the_outcome_of_a_rematch_is_the_next_table() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    ann.do(row, "resign")
    row = selectors.find_table(row.code)
    viewer = Viewer.of(row, ann.guest)
    asked = Submission(commands.Rematch(), row.entries, "a-good-key")
    assert handle_table_command(row, viewer, asked).row == row
    outcome = handle_table_command(row, Viewer.of(row, bob.guest), asked)
    assert outcome.row == services.rematch(row, ann.guest) and outcome.table.entries == 0


@pytest.mark.django_db
def test_a_click_on_a_stone_in_the_only_circle_that_converts_means_the_circle() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="rings", size=2)
    people = (ann, bob)
    for number, action in enumerate(["F4", "A5", "E1", "H3", "F6", "C6", "E5", "C4", "E7", "A3"]):
        people[number % 2].do(row, f"touch {action}")
    ann.do(row, "touch D5")
    page = ann.look(row)
    assert ann.send(row, "touch F4", page).status_code == 422  # in another circle
    assert 'value="D5 xDE6"' in ann.do(row, "touch C6")
    again = ann.send(row, "touch C6", page)  # the same click once more
    assert again.status_code == 200 and b'value="D5 xDE6"' in again.content
    ann.do(row, "confirm")
    assert now(row).match.position.stones()["C6"] == 0


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["offer draw", "resign", "touch 2,2"])
def test_what_has_arrived_is_not_refused_when_it_is_sent_again(kind: str) -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    page = ann.look(row)
    assert ann.send(row, kind, page).status_code == 200
    entries = now(row).entries
    assert ann.send(row, kind, page).status_code == 200
    assert now(row).entries == entries > 0
