"""Tests that the season's audit finds faults with tournaments."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kakomi.contest.tournament import Swiss
from kakomi.server.site import clock
from kakomi.server.tables.models import Seat
from kakomi.server.tournaments import services
from kakomi.server.tournaments.models import Game, LogEntry, Tournament
from season import tournament_audit
from server.tournament_people import entered, go_on, going_games, organised, play, play_round

pytestmark = pytest.mark.django_db
HOUR = 3600.0


@pytest.fixture
def row() -> Tournament:
    """A tournament with one completed round and one running."""
    row = organised(config=Swiss(rounds=2))
    entered(row, 5)
    go_on(row)
    play_round(row)
    play(going_games(row)[0])
    row.refresh_from_db()
    return row


def found(tmp_path: Path, *done: dict[str, object]) -> list[str]:
    path = tmp_path / "done.jsonl"
    path.write_text("".join(json.dumps(deed) + "\n" for deed in done))
    return list(tournament_audit.findings(path, HOUR))


def test_a_tournament_is_in_order_until_its_end(row: Tournament, tmp_path: Path) -> None:
    assert found(tmp_path) == []
    play_round(row)
    row.refresh_from_db()
    assert row.state == Tournament.State.OVER and found(tmp_path) == []
    assert tournament_audit.figures()["tournaments over"] == 1


def _lose_an_entry(row: Tournament) -> None:
    row.log.get(number=2).delete()


def _pair_otherwise(row: Tournament) -> None:
    entry = row.log.filter(content__type="round").first()
    assert entry
    first, second = entry.content["pairings"][:2]
    swapped = [first["seats"][0], second["seats"][1]], [second["seats"][0], first["seats"][1]]
    entry.content = {**entry.content, "pairings": [{"seats": seats} for seats in swapped]}
    entry.save()


def _seat_somebody_else(row: Tournament) -> None:
    game = Game.objects.filter(round__tournament=row).first()
    assert game
    Seat.objects.filter(table=game.table, number=0).update(guest=row.organiser)


def _be_late(row: Tournament) -> None:
    Tournament.objects.filter(pk=row.pk).update(due_at=clock.now() - 2 * HOUR)


@pytest.mark.parametrize(
    "break_it",
    [
        _lose_an_entry,
        _pair_otherwise,
        _seat_somebody_else,
        _be_late,
    ],
)
def test_what_is_wrong_is_found(
    break_it: Callable[[Tournament], None], row: Tournament, tmp_path: Path
) -> None:
    break_it(row)
    assert found(tmp_path)


def test_a_correction_is_there_once(row: Tournament, tmp_path: Path) -> None:
    deed = {"kind": "correct", "code": row.code, "round": 1, "table": 1, "places": [1, 1], "key": "k"}
    assert found(tmp_path, deed), "it was said to be done, and is not there"
    services.correct(
        row, row.organiser, number=1, table=1, places=(1, 1), reason="I correct k", version=row.version
    )
    assert found(tmp_path, deed) == []
    entry = row.log.get(reason="I correct k")
    LogEntry.objects.create(
        tournament=row, number=entry.number + 1, content=entry.content, at=entry.at, reason=entry.reason
    )
    Tournament.objects.filter(pk=row.pk).update(version=entry.number + 1)
    assert found(tmp_path, deed)


def test_who_has_entered_is_there(row: Tournament, tmp_path: Path) -> None:
    assert found(tmp_path, {"kind": "enter", "code": row.code, "person": row.organiser_id})
