"""Round robins in groups: the best of each group play a final, and pages show a table for each group."""

import pytest
from django.test import Client

from kakomi.contest.tournament import Elimination, RoundRobin, standings
from kakomi.server.notices.models import Notice
from kakomi.server.tournaments import logs, services
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.presenters import Page
from kakomi.server.tournaments.terms import format_of
from kakomi.session import Refused
from server.people import make_user, signed_in
from server.test_tournament_pages import form, text
from server.tournament_people import asked_for, entered, go_on, going_games, organised, play_round

pytestmark = pytest.mark.django_db
KNOCK_OUT = RoundRobin(groups=2, promoted=2, final=Elimination())
EVERYBODY = RoundRobin(groups=2, promoted=2, final=RoundRobin())


def played_through(row: Tournament) -> None:
    """Play rounds until the tournament is over."""
    for _ in range(12):
        play_round(row)
        if row.state == Tournament.State.OVER:
            return
    raise AssertionError("it goes on and on")


@pytest.mark.parametrize("config", [KNOCK_OUT, EVERYBODY])
def test_groups_are_played_to_the_end_of_their_final(config: RoundRobin) -> None:
    row = organised(config=config)
    people = entered(row, 8)
    go_on(row)
    stages = {game.stage for game in logs.replayed(row).games}
    assert stages == {"group 1", "group 2"} and len(going_games(row)) == 4
    played_through(row)
    rows = standings(logs.log_of(row), format_of(row), row.seed)
    finalists = [each for each in rows if each.stage == "final"]
    assert len(finalists) == 4 and [each.stage for each in rows[4:]].count("group 1") == 2
    winner = people[int(rows[0].entrant) - 1]
    won = Notice.objects.filter(kind="tournament_won")
    assert [notice.guest_id for notice in won] == [winner.pk]


def test_the_page_has_a_table_of_each_group_with_everybody_in_it_and_one_of_the_final() -> None:
    row = organised(config=KNOCK_OUT)
    entered(row, 8)
    assert "<h3>Group 1</h3>" not in text(Client().get(f"/tournaments/{row.code}"))
    go_on(row)
    for _ in range(3):
        assert [table.title for table in Page.of(row, None).crosstables] == ["Group 1", "Group 2"]
        play_round(row)
    html = text(Client().get(f"/tournaments/{row.code}"))
    tables = Page.of(row, None).crosstables
    assert [table.title for table in tables] == ["Group 1", "Group 2", "Final"]
    assert [len(table.lines) for table in tables] == [4, 4, 4]
    for table in tables[:2]:
        cells = {
            (line.entrant.number, number): cell.text
            for line in table.lines
            for (number, _), cell in zip(table.columns, line.cells, strict=True)
        }
        assert [number for number, _ in table.columns] == sorted(line.entrant.number for line in table.lines)
        for (one, other), score in cells.items():
            assert (score, cells[other, one]) in ([("×", "×")] if one == other else [("0", "1"), ("1", "0")])
    assert "<h3>Final</h3>" in html and "Each column shows results against" in html
    assert [column.title for column in Page.of(row, None).brackets[0].columns] == [
        "Semi-final",
        "Final",
        "Winner",
    ]
    german = text(Client().get(f"/tournaments/{row.code}", headers={"accept-language": "de"}))
    assert "<h3>Gruppe 1</h3>" in german


def test_the_form_makes_groups() -> None:
    client = signed_in(make_user("ada"))
    sent = form(format="groups", groups="3", promoted="1", final="round robin")
    assert client.post("/tournaments/new/rin", sent).status_code == 302
    found = format_of(Tournament.objects.get())
    assert found == RoundRobin(groups=3, promoted=1, final=RoundRobin())
    html = text(client.get("/tournaments/new/rin?format=groups"))
    assert 'name="groups"' in html and 'name="rounds"' not in html


@pytest.mark.parametrize(
    ("config", "most", "said"),
    [
        (RoundRobin(groups=9, promoted=1, final=Elimination()), 64, "8 groups"),
        (RoundRobin(groups=8, promoted=1, final=Elimination()), 15, "more players"),
    ],
)
def test_groups_that_can_not_be_are_refused(config: RoundRobin, most: int, said: str) -> None:
    with pytest.raises(Refused, match=said):
        services.create(make_user("ada").guest, asked_for(config=config, most=most), "key")
    assert not Tournament.objects.exists()


def test_who_leaves_a_group_is_not_promoted() -> None:
    row = organised(config=KNOCK_OUT)
    people = entered(row, 8)
    go_on(row)
    play_round(row)
    services.leave(row, people[0])
    played_through(row)
    rows = standings(logs.log_of(row), format_of(row), row.seed)
    assert [each.stage for each in rows if each.entrant == "1"] != ["final"]
    assert sum(each.stage == "final" for each in rows) == 4
