"""Matches between teams: offered, agreed, played board by board, and over once."""

import io
import zipfile
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import AsyncClient, Client

from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.services import block
from kakomi.server.accounts.tokens import make_token
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.moderation.models import Measure
from kakomi.server.notices.models import Notice
from kakomi.server.notices.selectors import count_unread
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.people.erasure import erase
from kakomi.server.ratings.models import CurrentRating, Pool
from kakomi.server.tables import services as tables
from kakomi.server.team_matches import GO_ON, beginning, services
from kakomi.server.team_matches.models import BoardGame, Entry, TeamMatch
from kakomi.server.team_matches.notices import OVER
from kakomi.server.team_matches.presenters import Page
from kakomi.server.team_matches.terms import MatchTerms
from kakomi.server.teams import services as teams
from kakomi.server.teams.models import Team
from kakomi.server.teams.terms import TeamTerms
from kakomi.session import Refused, TimeControl
from server.people import make_user, signed_in
from server.sql.test_tournament_processes import at_once
from server.test_erasure import dumped

pytestmark = pytest.mark.django_db
DAYS = TimeControl(3 * 86400.0, kind="days")
HOUR = 3600.0


def team_of(name: str, *people: User) -> Team:
    """A team that the first of some people leads."""
    leader, *others = people
    row = teams.create(leader.guest, TeamTerms.of(name, is_open=True), f"key of {name}")
    for other in others:
        teams.join(row, other.guest)
    return row


@pytest.fixture
def people() -> dict[str, User]:
    return {name: make_user(name) for name in ("ann", "bob", "cleo", "dan", "eve")}


@pytest.fixture
def home(people: dict[str, User]) -> Team:
    return team_of("Home Team", people["ann"], people["bob"], people["eve"])


@pytest.fixture
def away(people: dict[str, User]) -> Team:
    return team_of("Away Team", people["cleo"], people["dan"])


def wanted(**others: Any) -> MatchTerms:
    terms = {"boards": 4, "games": 1, "begins_at": clock.now() + HOUR, **others}
    return MatchTerms(SeekTerms("rin", DAYS, sizes=(8,)), **terms)


def offered(home: Team, away: Team, **others: Any) -> TeamMatch:
    leader = home.members.get(state="leader").guest
    return services.challenge(leader, home, away, wanted(**others), f"key {TeamMatch.objects.count()}")


def agreed(home: Team, away: Team, **others: Any) -> TeamMatch:
    """A match that was accepted."""
    row = offered(home, away, **others)
    services.accept(row, away.members.get(state="leader").guest)
    row.refresh_from_db()
    return row


def begun(row: TeamMatch, *players: User) -> TeamMatch:
    """A match that these people have entered and that has begun, as both sides were ready."""
    for player in players:
        services.enter(row, player.guest)
    for team in (row.home, row.away):
        services.make_ready(row, team.members.get(state="leader").guest)
    run_job(GO_ON)
    row.refresh_from_db()
    return row


def resign(game: BoardGame, seat: int) -> None:
    game.table.refresh_from_db()
    base = game.table.entries
    tables.add(game.table.code, [("resign", None)], seat=seat, base=base, key=f"resign-{seat}-{base}")


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_a_match_from_the_challenge_to_its_end(people: dict[str, User], home: Team, away: Team) -> None:
    ann, cleo = signed_in(people["ann"]), signed_in(people["cleo"])
    assert "Challenge this team" in page(ann, f"/teams/{away.code}")
    form = {"home": home.code, "size": "8", "clock": "3d", "boards": "4", "games": "2", "begins_in": "3"}
    answers = [ann.post(f"/team-matches/new/{away.code}/rin", {**form, "key": "one"}) for _ in range(2)]
    assert answers[0]["Location"] == answers[1]["Location"] and TeamMatch.objects.count() == 1
    path = answers[0]["Location"]
    assert count_unread(people["cleo"].guest) == 1 and "Your team is challenged" in page(cleo, path)
    assert "has not accepted yet" in ann.post(f"{path}/enter").content.decode()
    for _ in range(2):
        assert cleo.post(f"{path}/accept").status_code == 302
    assert "was accepted" in page(ann, "/notices/")
    for name in ("ann", "bob", "cleo", "dan"):
        assert signed_in(people[name]).post(f"{path}/enter").status_code == 302
    assert Entry.objects.count() == 4
    for client in (ann, ann):
        client.post(f"{path}/ready")
    run_job(GO_ON)
    assert not BoardGame.objects.exists(), "one team is not ready"
    cleo.post(f"{path}/ready")
    for _ in range(2):
        run_job(GO_ON)
    games = list(BoardGame.objects.select_related("table"))
    assert [(game.board, game.number) for game in games] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert games[0].home_seat != games[1].home_seat and games[0].home_seat != games[2].home_seat
    assert "Your game at board" in page(ann, path) and "0 : 0" in page(Client(), path)
    assert Notice.objects.filter(kind="team_match_game").count() == 8
    for game in games[:3]:
        resign(game, 1 - game.home_seat)
    assert "3 : 0" in page(Client(), path) and TeamMatch.objects.get().state == "running"
    resign(games[3], games[3].home_seat)
    row = TeamMatch.objects.get()
    assert (row.state, row.due_at) == ("over", None) and Page(row).score == "3 : 1"
    assert "3 : 1" in page(Client(), f"/teams/{home.code}")
    assert Notice.objects.filter(kind="team_match", data__title=str(OVER)).count() == 4


def test_the_strongest_play_and_who_is_left_over_sits_out(
    people: dict[str, User], home: Team, away: Team
) -> None:
    row = agreed(home, away)
    pool = Pool.objects.create(game="rin", size_class=_size_class(row), pace="days")
    for name, mean in (("ann", 1400.0), ("bob", 1600.0), ("eve", 1800.0), ("cleo", 1500.0), ("dan", 1300.0)):
        CurrentRating.objects.create(pool=pool, guest=people[name].guest, mean=mean, sigma=50.0, games=9)
    row = begun(row, *people.values())
    boards = [(line.home.name, line.away.name) for line in Page(row).lines]  # type: ignore[union-attr]
    assert boards == [("Eve", "Cleo"), ("Bob", "Dan")]


def _size_class(row: TeamMatch) -> str:
    found = SeekTerms.from_json(row.terms).rating_class(2)
    assert found is not None
    return found


def test_a_draw_is_half_a_point_each(people: dict[str, User], home: Team, away: Team) -> None:
    row = begun(agreed(home, away), people["ann"], people["cleo"])
    game = row.board_games.get()
    tables.add(game.table.code, [("play", "1,1")], seat=0, base=0, key="play-0-1")
    tables.add(game.table.code, [("offer", "draw")], seat=0, base=1, key="offer-draw")
    tables.add(game.table.code, [("accept", None)], seat=1, base=2, key="accept-draw")
    row.refresh_from_db()
    assert row.state == "over" and Page(row).score == "½ : ½"


def test_who_breaks_a_game_off_loses_it(people: dict[str, User], home: Team, away: Team) -> None:
    row = begun(agreed(home, away), people["ann"], people["cleo"])
    game = row.board_games.get()
    tables.add(game.table.code, [("abort", "stopped")], seat=game.home_seat, base=0, key="abort-it")
    row.refresh_from_db()
    assert row.state == "over" and Page(row).score == "0 : 1"


def test_a_challenge_is_declined_with_a_reason(people: dict[str, User], home: Team, away: Team) -> None:
    row = offered(home, away)
    client = signed_in(people["cleo"])
    for _ in range(2):
        assert client.post(f"/team-matches/{row.code}/decline", {"reason": "No time"}).status_code == 302
    row.refresh_from_db()
    assert (row.state, row.reason) == ("declined", "No time")
    assert "No time" in page(Client(), f"/team-matches/{row.code}")
    with pytest.raises(Refused, match="has ended"):
        services.accept(row, people["cleo"].guest)
    assert "has ended" in refused(people["ann"], row, "call-off")
    assert "has ended" in refused(people["cleo"], row, "ready")
    row.refresh_from_db()
    assert row.state == "declined"


def test_who_is_overtaken_by_another_leader_hears_why(
    people: dict[str, User], home: Team, away: Team
) -> None:
    row = offered(home, away)
    assert "has not accepted yet" in refused(people["ann"], row, "ready")
    services.accept(row, people["cleo"].guest)
    assert "has been accepted" in refused(people["cleo"], row, "decline")
    services.call_off(row, people["ann"].guest, "Ill")
    services.call_off(row, people["ann"].guest, "Ill")
    for deed in ("accept", "decline", "ready"):
        assert "has ended" in refused(people["cleo"], row, deed)
    row.refresh_from_db()
    assert (row.state, row.reason) == ("cancelled", "Ill")


def refused(user: User, row: TeamMatch, deed: str) -> str:
    """The page with which a deed is refused."""
    answer = signed_in(user).post(f"/team-matches/{row.code}/{deed}")
    assert answer.status_code == 409
    return answer.content.decode()


def test_only_leaders_answer_and_call_off(people: dict[str, User], home: Team, away: Team) -> None:
    row = offered(home, away)
    for name, deed in (("ann", "accept"), ("dan", "accept"), ("cleo", "call-off"), ("dan", "ready")):
        answer = signed_in(people[name]).post(f"/team-matches/{row.code}/{deed}")
        assert answer.status_code == 409, (name, deed)
    assert signed_in(people["bob"]).get(f"/team-matches/new/{away.code}/rin").status_code == 404
    assert Client().get(f"/team-matches/new/{away.code}/rin").status_code == 404
    assert Client().get("/team-matches/nowhere").status_code == 404
    services.accept(row, people["cleo"].guest)
    services.call_off(row, people["cleo"].guest, "Ill")
    row.refresh_from_db()
    assert (row.state, row.due_at) == ("cancelled", None)


def test_a_challenge_that_nobody_answers_ends_at_its_moment(home: Team, away: Team) -> None:
    row = offered(home, away)
    with clock.time_from(lambda: row.begins_at + 1):
        run_job(GO_ON)
    row.refresh_from_db()
    assert row.state == "cancelled" and row.due_at is None


def test_without_players_of_one_team_there_is_no_match(
    people: dict[str, User], home: Team, away: Team
) -> None:
    row = begun(agreed(home, away), people["ann"])
    assert row.state == "cancelled" and not BoardGame.objects.exists()


def test_who_leaves_before_it_begins_does_not_play_and_afterwards_plays_on(
    people: dict[str, User], home: Team, away: Team
) -> None:
    row = agreed(home, away)
    for name in ("ann", "bob", "eve", "cleo", "dan"):
        services.enter(row, people[name].guest)
    services.leave(row, people["eve"].guest)
    teams.leave(away, people["dan"].guest)
    row = begun(row)
    game = row.board_games.get()
    assert game.table.seats.filter(guest=people["cleo"].guest).exists()
    with pytest.raises(Refused, match="plays to the end"):
        services.leave(row, people["ann"].guest)
    with pytest.raises(Refused, match="played to its end"):
        services.call_off(row, people["ann"].guest, "")
    for name in ("bob",):
        teams.leave(home, people[name].guest)
    resign(game, game.home_seat)
    row.refresh_from_db()
    assert row.state == "over" and Page(row).score == "0 : 1"


def test_who_is_in_both_teams_chooses_one(people: dict[str, User], home: Team, away: Team) -> None:
    for name in ("ann", "bob"):
        teams.join(away, people[name].guest)
    row = agreed(home, away)
    html = page(signed_in(people["ann"]), f"/team-matches/{row.code}")
    assert "Play for Home Team" in html and "Play for Away Team" in html
    for side in ("away", "home"):
        assert not services.enter(row, people["ann"].guest, side).is_home
    assert services.enter(row, people["bob"].guest).is_home
    assert not services.enter(row, people["cleo"].guest, "home").is_home, "she is in one of them"
    assert Entry.objects.count() == 3


def test_who_may_not_enter_hears_why(people: dict[str, User], home: Team, away: Team) -> None:
    row = agreed(home, away)
    stranger = make_user("stranger").guest
    for guest in (stranger, Guest()):
        assert "Members of the two teams" in services.why_not_enter(row, guest)
    now = clock.now()
    Measure.objects.create(
        about=people["bob"].guest, kind="suspension", reason="rude", at=now, until=now + 9e6
    )
    with pytest.raises(Refused, match="suspended"):
        services.enter(row, people["bob"].guest)


def test_limits_and_what_cannot_be(people: dict[str, User], home: Team, away: Team) -> None:
    ann = people["ann"].guest
    for others, said in (
        ({"boards": 51}, "1 to 50 boards"),
        ({"games": 3}, "one game is played, or two"),
        ({"begins_at": clock.now() + 9e9}, "days at the latest"),
    ):
        with pytest.raises(Refused, match=said):
            services.challenge(ann, home, away, wanted(**others), "k")
    with pytest.raises(Refused, match="another team"):
        services.challenge(ann, home, home, wanted(), "k")
    for _ in range(services.MOST_GOING):
        offered(home, away)
    with pytest.raises(Refused, match="not over"):
        offered(home, away)


def test_who_is_blocked_does_not_challenge(people: dict[str, User], home: Team, away: Team) -> None:
    block(people["cleo"].guest, people["ann"].guest)
    with pytest.raises(Refused, match=r"^You can’t challenge this team\.$"):
        offered(home, away)


def test_an_erased_player_loses_and_is_named_nowhere(home: Team, away: Team) -> None:
    gone = make_user("gone", "Gone With The Wind")
    teams.join(away, gone.guest)
    row = begun(agreed(home, away), home.members.get(state="leader").guest.user, gone)
    erase(gone.guest)
    row.refresh_from_db()
    assert row.state == "over" and Page(row).score == "1 : 0"
    assert "Gone With" not in dumped() and "deleted player" in page(Client(), f"/team-matches/{row.code}")


def test_an_erased_challenger_leaves_the_match(people: dict[str, User], home: Team, away: Team) -> None:
    row = agreed(home, away)
    erase(people["ann"].guest)
    row = begun(row, people["bob"], people["cleo"])
    assert row.state == "running"


def test_all_games_in_one_file(people: dict[str, User], home: Team, away: Team) -> None:
    row = begun(agreed(home, away, games=2), people["ann"], people["cleo"])

    async def fetched(kind: str) -> bytes:
        answer: Any = await AsyncClient().get(f"/team-matches/{row.code}/games.{kind}")
        return b"".join([piece async for piece in answer.streaming_content])

    with zipfile.ZipFile(io.BytesIO(async_to_sync(fetched)("zip"))) as file:
        assert len(file.namelist()) == 2
    assert len(async_to_sync(fetched)("jsonl").splitlines()) == 2


def asked(user: User | None, path: str, *scopes: str, method: str = "get") -> Any:
    headers = {}
    if user is not None:
        token = make_token(user, f"token {user.tokens.count()}", list(scopes))[1]
        headers = {"Authorization": f"Bearer {token}"}
    return getattr(Client(), method)(f"/api/v1/team-matches{path}", headers=headers)


def test_programs_look_enter_and_leave(people: dict[str, User], home: Team, away: Team) -> None:
    row = agreed(home, away)
    ann = people["ann"]
    assert asked(ann, f"/{row.code}/enter", "read", method="post").status_code == 403
    for _ in range(2):
        details = asked(ann, f"/{row.code}/enter", "lobby", method="post").json()
    assert details["is_in"] and details["entered"] == {home.code: ["ann"], away.code: []}
    assert not asked(ann, f"/{row.code}/leave", "lobby", method="post").json()["is_in"]
    begun(row, ann, people["cleo"])
    (game,) = asked(None, f"/{row.code}").json()["games"]
    assert (game["home"], game["away"], game["home_points"]) == ("ann", "cleo", None)
    (listed,) = asked(None, f"/of/{away.code}").json()
    assert listed["state"] == "running" and listed["points"] == [0, 0]
    refused = asked(ann, f"/{row.code}/leave", "lobby", method="post")
    assert refused.status_code == 422 and refused.json()["code"] == "refused"


def test_pages_speak_german(people: dict[str, User], home: Team, away: Team) -> None:
    row = begun(agreed(home, away), people["ann"], people["cleo"])
    client = signed_in(people["ann"])
    for address in (f"/team-matches/{row.code}", f"/team-matches/new/{away.code}/rin"):
        html = client.get(address, headers={"Accept-Language": "de"}).content.decode()
        assert 'lang="de"' in html and "Boards" not in html and "team match" not in html


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite in memory locks whole tables")
def test_several_processes_begin_one_match_and_end_it_once(
    people: dict[str, User], home: Team, away: Team
) -> None:
    row = agreed(home, away)
    for player in people.values():
        services.enter(row, player.guest)
    TeamMatch.objects.update(due_at=1.0)
    at_once(*[lambda: beginning.go_on(row.pk)] * 4)
    games = list(BoardGame.objects.select_related("table"))
    assert [game.board for game in games] == [1, 2]
    at_once(*[lambda game=game: resign(game, 0) for game in games])
    row.refresh_from_db()
    assert row.state == "over"
    assert Notice.objects.filter(kind="team_match", data__title=str(OVER)).count() == 4
