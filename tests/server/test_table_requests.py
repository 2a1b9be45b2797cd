"""Opening a table: what can be wished, what is wrong with a wish, and invitations."""

from html import unescape
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kakomi import catalog
from kakomi.bots import levels_of
from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models, selectors
from kakomi.server.tables.clock_texts import clock_face, clock_label, parse_time_control, short_clock_label
from kakomi.server.tables.form_presenter import TableFormPresenter
from kakomi.server.tables.forms import TableForm
from kakomi.server.tables.suggestion import Suggestion
from kakomi.server.tables.table_request import SeatAssignment
from kakomi.session import Match, Refused, TimeControl, usual_terms

pytestmark = pytest.mark.django_db

BOT = {"opponent": "bot", "level": "2", "side": "0"}


def opened(client: Client, game: str, **wishes: str) -> tuple[models.Table, Match]:
    answer: Any = client.post(f"/play/{game}", {**BOT, **wishes})
    assert answer.status_code == 302, unescape(answer.content.decode())
    row = models.Table.objects.get(code=answer.url.rsplit("/", 1)[1])
    return row, selectors.table_of(row).match


def errors(game: str, **wishes: str) -> dict[str, str]:
    form = TableForm(catalog.describe(game), {**BOT, **wishes})
    assert not form.is_valid() and form.table_request is None
    return form.messages


@pytest.mark.parametrize("name", catalog.names())
def test_the_form_as_it_comes_begins_a_game(client: Client, name: str) -> None:
    html = client.get(f"/play/{name}").content.decode()
    assert catalog.describe(name).title in html
    row, match = opened(client, name, sent="1", clock="")
    assert match.config.game == usual_terms(catalog.describe(name), has_bots=True).game
    assert [seat.bot for seat in row.seats.all()] == ["", "2"]


@pytest.mark.parametrize(
    ("opponent", "seats"),
    [("bot", [True, False]), ("beside", [True, True]), ("friend", [True, False]), ("7", [True, False])],
)
def test_opponents(client: Client, opponent: str, seats: list[bool]) -> None:
    row, _ = opened(client, "rin", opponent=opponent)
    assert [seat.guest is not None for seat in row.seats.all()] == seats
    assert row.seats.get(number=1).is_free == (opponent == "friend")


@pytest.mark.parametrize("name", catalog.names())
def test_the_levels_of_a_game_are_offered(client: Client, name: str) -> None:
    description = catalog.describe(name)
    last = levels_of(description)[-1]
    asked = TableFormPresenter.of(TableForm(description, {}), Suggestion()).level()
    assert [choice.value for choice in asked.choices] == [str(level) for level in range(1, last + 1)]
    assert [seat.bot for seat in opened(client, name, level=str(last))[0].seats.all()] == ["", str(last)]
    told = f"can’t play here: choose someone next to you, a friend, or a bot of level 1 to {last}"
    for wrong in (str(last + 1), "0", "patterns:cpu=1"):
        assert told in errors(name, level=wrong)["level"]


@pytest.mark.parametrize(
    ("name", "level", "said"), [("rive", 12, "patterns"), ("lin", 12, "a neural network")]
)
def test_levels_above_ten_are_told_by_who_advises_them(name: str, level: int, said: str) -> None:
    asked = TableFormPresenter.of(TableForm(catalog.describe(name), {}), Suggestion()).level()
    labels = {choice.value: choice.label for choice in asked.choices}
    assert said in labels[str(level)] and said not in labels["10"]


def test_sides(client: Client) -> None:
    assert opened(client, "rin", side="1")[0].seats.get(number=0).bot == "2"
    drawn = {opened(client, "rin", side="random")[0].seats.get(number=0).bot for _ in range(40)}
    assert drawn == {"", "2"}


def test_options_and_terms(client: Client) -> None:
    _, match = opened(
        client, "ren", size="other", size_other="7", rui_limit="5", lead="6", match="1", swap="1"
    )
    assert match.config.game.options == {"size": 7, "rui_limit": 5, "lead": 6}
    assert (match.config.games, match.config.swap, match.phase) == (2, True, "play")


def test_the_komi_is_negotiated_or_set(client: Client) -> None:
    _, match = opened(client, "lin", size="9", komi="12", negotiate="1", opponent="friend")
    assert match.phase == "komi" and match.config.game.options["komi"] == 0
    _, match = opened(client, "lin", size="9", negotiate="1")
    assert match.phase == "play" and match.config.game.options["komi"] == 2, "a bot plays with the fair komi"
    _, match = opened(client, "lin", size="5", line="3", komi="12")
    assert match.phase == "play" and match.config.game.options == {"size": 5, "line": 3, "komi": 12}


def test_seats_of_many(client: Client) -> None:
    seats = {"seat-0": "3", "seat-1": "me", "seat-2": "friend", "seat-3": "beside"}
    row, match = opened(client, "rings", size="3", players="4", **seats)
    assert match.config.game.players == 4
    assert [(seat.bot, seat.is_free) for seat in row.seats.all()] == [
        ("3", False),
        ("", False),
        ("", True),
        ("", False),
    ]
    drawn = {
        opened(client, "rings", size="3", players="4", shuffle="1", **seats)[0].seats.get(bot="3").number
        for _ in range(20)
    }
    assert len(drawn) > 1


@pytest.mark.parametrize(
    ("wishes", "control"),
    [
        ({"clock": ""}, None),
        ({"clock": "10+5"}, TimeControl(600, 5)),
        ({"clock": "15"}, TimeControl(15, kind="simple")),
        ({"clock": "custom", "clock_other": " 7+0 "}, TimeControl(420)),
        ({"clock": "3d"}, TimeControl(3 * 86400, kind="days")),
        ({"clock": "live", "clock_live": "3+2", "clock_days": "7d"}, TimeControl(180, 2)),
        ({"clock": "days", "clock_live": "3+2", "clock_days": "7d"}, TimeControl(7 * 86400, kind="days")),
    ],
)
def test_clocks(client: Client, wishes: dict[str, str], control: TimeControl | None) -> None:
    row, _ = opened(client, "rin", **wishes)
    assert selectors.table_of(row).time == control


@pytest.mark.parametrize(
    ("game", "wishes", "field", "said"),
    [
        ("rin", {"size": "7"}, "size", "Size: choose 4 to 18, even, not “7”."),
        ("rin", {"size": "big"}, "size", "not “big”"),
        ("rin", {"size": "9" * 5000}, "size", "Size: choose 4 to 18"),
        ("rin", {"size": "other", "size_other": ""}, "size", "Size: choose 4 to 18"),
        ("lin", {"size": "13", "line": "4"}, "line", "Line: choose 6, not “4”."),
        ("lin", {"size": "5", "komi": "7"}, "komi", "Komi: choose 0 to 24, even, not “7”."),
        ("ren", {"rui_limit": "21"}, "rui_limit", "Rui limit: choose 0 to 20, not “21”."),
        ("rin", {"level": "11"}, "level", "“11” can’t play here: choose"),
        ("rin", {"opponent": "me"}, "opponent", "“me” can’t play here: choose"),
        ("rin", {"side": "2"}, "side", "Choose one of the sides in the list, or"),
        ("rings", {"players": "3", "seat-0": "me", "seat-1": "12", "seat-2": "1"}, "seat-1", "level 1 to 10"),
        (
            "rings",
            {"players": "3", "seat-0": "1", "seat-1": "1", "seat-2": "1"},
            "seats",
            "Take one of the seats yourself",
        ),
        ("rin", {"clock": "five"}, "clock", "Enter a time control such as 5"),
        ("rin", {"clock": "custom"}, "clock", "as 5+3"),
        ("rin", {"clock": "live"}, "clock", "as 5+3"),
        (
            "lin",
            {"opponent": "friend", "negotiate": "1", "swap": "1"},
            "swap",
            "Komi negotiation and colour swap can’t be combined: turn one off",
        ),
    ],
)
def test_errors_name_the_field_and_what_would_be_right(
    game: str, wishes: dict[str, str], field: str, said: str
) -> None:
    assert list(found := errors(game, **wishes)) == [field]
    assert said in found[field] and len(found[field]) < 200


def test_all_that_is_wrong_is_told_at_once(client: Client) -> None:
    wrong = {**BOT, "sent": "1", "size": "other", "size_other": "99", "clock": "custom", "clock_other": "x<y"}
    answer = client.post("/play/ren", {**wrong, "match": "1"})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="size-wrong"' in html and 'id="clock-wrong"' in html and 'id="lead-wrong"' not in html
    assert 'value="99"' in html and 'value="x&lt;y"' in html, "what was written is still there"
    assert 'name="match" value="1" checked' in html
    assert not models.Table.objects.exists() and not Guest.objects.exists()


def names(game: str, **form: str) -> list[str]:
    asked = TableFormPresenter(catalog.describe(game), form)
    return [question.name for question in asked.options()]


def test_only_what_can_be_chosen_is_asked() -> None:
    assert names("lin") == ["size", "komi"]
    assert names("lin", size="5") == ["size", "line", "komi"]
    assert names("lin", size="nine") == ["size", "komi"]


def test_a_choice_that_no_longer_fits_is_dropped() -> None:
    asked = TableFormPresenter(catalog.describe("lin"), {"sent": "1", "size": "13", "line": "4"})
    assert asked.game.options["line"] == 6 and not asked.errors


def test_the_form_changes_by_itself_or_by_a_button(client: Client) -> None:
    part = client.get("/play/rings?sent=1&players=3", headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<form id="opening"') and "seat-2" in part and "seat-3" not in part
    choices, button = part.split('id="opening-choices"')[1].split("opening-send")
    assert "seat-2" in choices and "<button" in button, "a button that is pressed is not replaced"
    whole = client.get("/play/rings?sent=1&players=3").content.decode()
    assert "<html" in whole and "seat-2" in whole and "<noscript>" in whole


def test_negotiating_is_on_at_first_and_stays_off() -> None:
    lin = catalog.describe("lin")
    assert TableFormPresenter(lin, {}).negotiates
    assert not TableFormPresenter(lin, {"sent": "1"}).negotiates
    assert not TableFormPresenter(lin, {}).swaps


def invited(client: Client, **wishes: str) -> tuple[models.Table, str]:
    """A table at which a seat is free, and the path of the invitation to it."""
    row, _ = opened(client, "rin", **{"opponent": "friend", "clock": "10+5", **wishes})
    return row, f"/join/{row.seats.get(number=1).invitation}"


def test_an_invitation_says_what_it_is_to(client: Client) -> None:
    client.post("/me/preferences", {"name": "Ada"})
    row, address = invited(client, size="8", swap="1")
    friend = Client()
    html = friend.get(address).content.decode()
    assert "A game of Rin with Ada" in html and "8 × 8" in html and "White" in html
    assert "10 minutes + 5 seconds per turn" in html and "first player’s stones" in html
    assert not row.seats.get(number=1).guest
    assert friend.post(address)["Location"] == f"/table/{row.code}"
    assert friend.get(address)["Location"] == f"/table/{row.code}"


def test_an_invitation_says_how_komi_and_colours_are_settled(client: Client) -> None:
    row, _ = opened(client, "lin", size="9", opponent="friend", side="0", negotiate="1")
    html = Client().get(f"/join/{row.seats.get(number=1).invitation}").content.decode()
    assert "negotiated: the first player names it, the second chooses a colour" in html
    assert "White" not in html, "nobody has a colour yet"
    row, _ = opened(client, "ren", size="6", opponent="friend", side="0", match="1")
    html = Client().get(f"/join/{row.seats.get(number=1).invitation}").content.decode()
    assert "2 games, total points" in html and "White" in html


@pytest.mark.parametrize(
    ("seconds", "face"),
    [
        (-1, "0.0"),
        (9.54, "9.5"),
        (10, "0:10"),
        (599.2, "10:00"),
        (3600, "1:00:00"),
        (3 * 86400 - 0.5, "3 d 0 h"),
    ],
)
def test_what_a_clock_shows(seconds: float, face: str) -> None:
    assert clock_face(seconds) == face


def test_clocks_are_told_in_a_sentence() -> None:
    assert clock_label(TimeControl(90, kind="simple")) == "90 seconds per turn"
    assert clock_label(TimeControl(300, 2.5)) == "5 minutes + 2.5 seconds per turn"


HOUR, DAY = 3600.0, 86400.0


@pytest.mark.parametrize(
    ("text", "control", "short", "sentence"),
    [
        ("delay 5+3", TimeControl(300, 3, "delay"), "5 min, 3 s delay", "with a 3-second delay per turn"),
        (
            "byo-yomi 10+5x30",
            TimeControl(600, 30, "byo-yomi", periods=5),
            "10 min + 5 × 30 s",
            "5 byo-yomi periods of 30 seconds",
        ),
        ("1d", TimeControl(DAY, kind="days"), "1 day per turn", "1 day per turn"),
        ("36h", TimeControl(36 * HOUR, kind="days"), "36 hours per turn", "36 hours per turn"),
        (
            "bank 5d+36h/10d",
            TimeControl(5 * DAY, 36 * HOUR, "bank", 10 * DAY),
            "5 days + 36 hours per turn",
            "5 days + 36 hours per turn, up to 10 days",
        ),
        (
            "total  30d ",
            TimeControl(30 * DAY, kind="total"),
            "30 days in total",
            "30 days for the whole game",
        ),
    ],
)
def test_a_clock_of_every_kind_is_written_and_told(
    text: str, control: TimeControl, short: str, sentence: str
) -> None:
    assert parse_time_control(text) == control
    assert short_clock_label(control) == short
    assert sentence in clock_label(control)


@pytest.mark.parametrize(
    "text",
    ["0+0", "1441+0", "99999", "31d", "0d", "bank 5d+36h/4d", "byo-yomi 10+0x30", "delay 0+5", "total 366d"],
)
def test_impossible_clocks_are_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(Refused, match=rf"“{text[:20].replace('+', '.')}” is out of range"):
        parse_time_control(text)


def test_a_seat_is_taken_once(client: Client) -> None:
    row, address = invited(client)
    Client().post(address)
    taken = row.seats.get(number=1).guest
    for ask in (Client().get, Client().post):
        answer: Any = ask(address)
        assert answer.status_code == 409
        assert "This seat is taken" in answer.content.decode()
    assert row.seats.get(number=1).guest == taken


def test_ones_own_invitation_is_to_be_sent(client: Client) -> None:
    row, address = invited(client)
    assert "This is your own invitation" in client.get(address).content.decode()
    client.post(address)
    assert row.seats.get(number=1).is_free


def test_there_is_no_such_game_or_invitation(client: Client) -> None:
    assert client.get("/play/chess").status_code == 404
    assert client.get("/join/nowhere").status_code == 404


FIELDS = [
    "size",
    "size_other",
    "line",
    "komi",
    "players",
    "opponent",
    "level",
    "side",
    "clock",
    "clock_other",
]
FIELDS += ["seat-0", "seat-1", "seat-2", "negotiate", "swap", "match", "shuffle", "rui_limit", "lead", "sent"]
VALUES = st.one_of(
    st.sampled_from(
        ["", "0", "1", "3", "5", "9", "bot", "me", "beside", "friend", "other", "custom", "random"]
    ),
    st.text(max_size=12),
    st.integers().map(str),
)


@given(st.sampled_from(catalog.names()), st.dictionaries(st.sampled_from(FIELDS), VALUES))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_sent_is_granted_or_told(game: str, form: dict[str, str]) -> None:
    description = catalog.describe(game)
    sent = TableForm(description, form)
    if sent.is_valid():
        wanted = sent.table_request
        assert wanted and len(wanted.seats) == wanted.game.players
        assert SeatAssignment("me") in wanted.seats
        assert wanted.config.game == wanted.game
    else:
        assert sent.messages and all(sent.messages.values())
    asked = TableFormPresenter.of(sent, Suggestion())
    for question in (*asked.options(), asked.clock(), *asked.seats()):
        assert sum(choice.is_chosen for choice in question.choices) <= 1
