"""Teams: who founds, joins, leads and leaves them, what is shown to whom, and what becomes of them."""

import json
from typing import Any

import pytest
from django.test import Client

from kakomi.server.accounts.bots import make_bot
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.services import block
from kakomi.server.accounts.tokens import make_token
from kakomi.server.moderation.models import AuditEntry, Measure, Report
from kakomi.server.notices.models import Notice
from kakomi.server.notices.selectors import count_unread
from kakomi.server.people.erasure import erase
from kakomi.server.people.export import archive
from kakomi.server.teams import selectors, services
from kakomi.server.teams.models import Member, Team
from kakomi.server.teams.terms import TeamTerms
from kakomi.session import Refused
from server.people import make_user, signed_in
from server.rated_games import at_moment
from server.staff import at_work, make_staff
from server.test_erasure import dumped, unpacked

pytestmark = pytest.mark.django_db
FORM = {"name": "The Encirclers", "line": "We play on Fridays.", "game": "rin", "key": "one"}


@pytest.fixture
def ann() -> User:
    return make_user("ann", "Annabel Lee")


@pytest.fixture
def bob() -> User:
    return make_user("bob")


@pytest.fixture
def team(ann: User) -> Team:
    """A team that Ann leads, and for which she accepts people."""
    return founded(ann)


def founded(leader: User, name: str = "The Encirclers", **wanted: Any) -> Team:
    return services.create(leader.guest, TeamTerms.of(name, **wanted), f"key-{Team.objects.count()}")


def joined(row: Team, user: User) -> Member:
    """A member of a team."""
    member = services.join(row, user.guest)
    if member.state == Member.State.ASKING:
        leader = row.members.filter(state=Member.State.LEADER).first()
        services.accept(row, leader.guest, member.pk)
    return row.members.get(guest=user.guest)


def state_of(row: Team, user: User) -> str | None:
    member = selectors.member(row, user.guest)
    return None if member is None else member.state


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_two_clicks_found_one_team(ann: User) -> None:
    client = signed_in(ann)
    answers = [client.post("/teams/new", FORM) for _ in range(2)]
    assert answers[0]["Location"] == answers[1]["Location"] and Team.objects.count() == 1
    html = page(client, answers[0]["Location"])
    assert "The Encirclers" in html and "We play on Fridays." in html and "You lead this team" in html
    assert state_of(Team.objects.get(), ann) == "leader"
    assert "The Encirclers" in page(Client(), "/@ann")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "This field is required"),
        ({"name": "a\u202e"}, "has 3 to 40 characters"),
        ({"name": "x" * 41}, "at most 40 characters"),
        ({"game": "chess"}, "Select a valid choice"),
        ({"line": "x" * 201}, "at most 200 characters"),
    ],
)
def test_a_form_that_is_wrong_says_what_is_right(ann: User, changes: dict[str, str], said: str) -> None:
    answer = signed_in(ann).post("/teams/new", {**FORM, **changes})
    assert answer.status_code == 422 and said in answer.content.decode()
    assert not Team.objects.exists()


def test_a_name_belongs_to_one_team(ann: User, bob: User, team: Team) -> None:
    with pytest.raises(Refused, match="team of this name"):
        founded(bob, "the ENCIRCLERS")
    services.dissolve(team, ann.guest)
    assert founded(bob, "the ENCIRCLERS").pk


def test_nobody_leads_too_many_teams(ann: User) -> None:
    for number in range(services.MOST_LED):
        founded(ann, f"Team number {number}")
    with pytest.raises(Refused, match="leads more than 3"):
        founded(ann, "One more")


def test_teams_are_for_people_with_an_account(ann: User, team: Team) -> None:
    for guest in (Guest.objects.create(name="Cleo"), make_bot(ann, "ann-bot").guest):
        with pytest.raises(Refused, match="takes an account"):
            services.create(guest, TeamTerms.of("Another"), "k")
        with pytest.raises(Refused, match="with an account"):
            services.join(team, guest)
    assert "takes an account" in page(Client(), "/teams/new")
    assert Client().post("/teams/new", FORM).status_code == 422
    assert Client().post(f"/teams/{team.code}/join").status_code == 409


def test_who_is_muted_names_no_team(ann: User, team: Team) -> None:
    Measure.objects.create(about=ann.guest, kind="mute", reason="rude", at=1e9, until=1e9 + 60)
    with at_moment(1e9):
        for wanted in (lambda: founded(ann, "Another"), lambda: services.edit(team, ann.guest, RENAMED)):
            with pytest.raises(Refused, match="no messages for now"):
                wanted()
    with at_moment(1e9 + 60):
        services.edit(team, ann.guest, RENAMED)


RENAMED = TeamTerms.of("The Enclosers", "New line", "lin", is_open=True)


def test_people_ask_and_a_leader_answers(ann: User, bob: User, team: Team) -> None:
    client, leader, path = signed_in(bob), signed_in(ann), f"/teams/{team.code}"
    for _ in range(2):
        assert client.post(f"{path}/join").status_code == 302
    assert state_of(team, bob) == "asking" and count_unread(ann.guest) == 1
    assert "bob" in page(leader, path) and "A leader answers" in page(client, path)
    assert "would like to join The Encirclers" in page(leader, "/notices/")
    number = str(team.members.get(guest=bob.guest).pk)
    assert client.post(f"{path}/accept", {"member": number}).status_code == 409
    for _ in range(2):
        assert leader.post(f"{path}/accept", {"member": number}).status_code == 302
    assert state_of(team, bob) == "in" and count_unread(ann.guest) == 0
    assert "The Encirclers: You are a member now." in page(client, "/notices/")
    assert client.post(f"{path}/leave").status_code == 302 and state_of(team, bob) is None


def test_a_wish_is_declined_or_taken_back(ann: User, bob: User, team: Team) -> None:
    services.decline(team, ann.guest, services.join(team, bob.guest).pk)
    assert state_of(team, bob) is None and count_unread(ann.guest) == 0
    services.join(team, bob.guest)
    services.leave(team, bob.guest)
    assert state_of(team, bob) is None and count_unread(ann.guest) == 0


def test_a_team_may_take_everybody_at_once(ann: User, bob: User) -> None:
    row = founded(ann, is_open=True)
    assert services.join(row, bob.guest).state == "in"
    services.remove(row, ann.guest, row.members.get(guest=bob.guest).pk)
    assert state_of(row, bob) == "removed" and "Ask to join" in page(signed_in(bob), f"/teams/{row.code}")
    assert services.join(row, bob.guest).state == "asking", "who was removed is accepted again first"


def test_who_is_blocked_by_a_leader_does_not_join_and_is_not_told_why(
    ann: User, bob: User, team: Team
) -> None:
    block(ann.guest, bob.guest)
    with pytest.raises(Refused, match=r"^You can’t join this team\.$"):
        services.join(team, bob.guest)


def test_the_last_leader_hands_over_or_dissolves(ann: User, bob: User, team: Team) -> None:
    member = joined(team, bob)
    with pytest.raises(Refused, match="only leader"):
        services.leave(team, ann.guest)
    services.hand_over(team, ann.guest, member.pk)
    assert (state_of(team, ann), state_of(team, bob)) == ("in", "leader")
    with pytest.raises(Refused, match="Only those who lead"):
        services.make_leader(team, ann.guest, member.pk)
    services.make_leader(team, bob.guest, team.members.get(guest=ann.guest).pk)
    with pytest.raises(Refused, match="not removed"):
        services.remove(team, bob.guest, team.members.get(guest=ann.guest).pk)
    services.leave(team, ann.guest)
    for _ in range(2):
        services.dissolve(team, bob.guest)
    team.refresh_from_db()
    assert not team.is_going and "dissolved" in page(Client(), f"/teams/{team.code}")
    assert "The Encirclers" not in page(Client(), "/teams/") and "Encirclers" not in page(Client(), "/@bob")


def test_leaders_change_the_team(ann: User, bob: User, team: Team) -> None:
    client, path = signed_in(ann), f"/teams/{team.code}/edit"
    assert 'value="The Encirclers"' in page(client, path)
    assert client.post(path, {**FORM, "name": "The Enclosers", "is_open": "on"}).status_code == 302
    team.refresh_from_db()
    assert (team.name, team.game, team.is_open) == ("The Enclosers", "rin", True)
    founded(bob, "Others")
    taken = client.post(path, {**FORM, "name": "others"})
    assert taken.status_code == 422 and "team of this name" in taken.content.decode()
    assert signed_in(bob).get(path).status_code == 404


def test_teams_are_listed_and_found(ann: User, bob: User, team: Team) -> None:
    assert "Encirclers" in page(Client(), "/teams/?q=CIRCL")
    founded(bob, "Friends of Lin", game="lin")
    html = page(Client(), "/teams/?game=rin")
    assert "Encirclers" in html and "Friends of Lin" not in html
    assert "No team is like that" in page(Client(), "/teams/?q=zzz")
    assert Client().get("/teams/?before=x").status_code == 404
    assert Client().get("/teams/?game=chess").status_code == 404
    assert "Your teams" in page(signed_in(bob), "/teams/")


def test_an_empty_list_says_so() -> None:
    assert "There is no team yet" in page(Client(), "/teams/")
    assert Client().get("/teams/nowhere").status_code == 404
    assert not Guest.objects.exists(), "looking makes nobody a guest"


def test_a_long_list_goes_on(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "SHOWN", 2)
    teams = [founded(ann, f"Team number {number}") for number in range(3)]
    first = selectors.listed_teams()
    assert [each.row for each in first.teams] == teams[:0:-1] and first.older == teams[1].pk
    assert [each.row for each in selectors.listed_teams(before=first.older).teams] == teams[:1]


def test_a_name_is_reported_and_taken_away_once(ann: User, bob: User, team: Team) -> None:
    client = signed_in(bob)
    address = f"/teams/{team.code}/report"
    assert f'href="{address}"' in page(client, f"/teams/{team.code}")
    assert client.post(address, {"kind": "name"}).status_code == 200
    report = Report.objects.get()
    assert report.case.about == ann.guest and "The Encirclers" in report.quote
    form = {"reason": "an insult", "key": "k"}
    assert client.post(f"/teams/{team.code}/moderate/rename", form).status_code == 404
    staff = at_work(make_staff("staff", "moderate"))
    assert staff.post(f"/teams/{team.code}/moderate/rename", {"key": "k"}).status_code == 422
    for _ in range(2):
        assert staff.post(f"/teams/{team.code}/moderate/rename", form).status_code == 302
    team.refresh_from_db()
    assert team.name == f"Team {team.code}" and AuditEntry.objects.get().act == "team renamed"
    assert "Staff have changed the name" in page(signed_in(ann), "/notices/")


def test_staff_close_a_team(ann: User, bob: User, team: Team) -> None:
    joined(team, bob)
    staff = at_work(make_staff("staff", "moderate"))
    form = {"reason": "an insult", "key": "k"}
    assert staff.post(f"/teams/{team.code}/moderate/close", form).status_code == 302
    team.refresh_from_db()
    assert not team.is_going and "Encirclers" not in page(Client(), f"/teams/{team.code}")
    assert "Staff have closed the team" in page(signed_in(bob), "/notices/")
    with pytest.raises(Refused, match="was dissolved"):
        services.edit(team, ann.guest, RENAMED)


def test_a_team_goes_on_without_an_erased_leader(ann: User, bob: User) -> None:
    row = founded(ann, "Annabel Lee’s", line="Of annabel lee")
    joined(row, bob)
    erase(ann.guest)
    row.refresh_from_db()
    assert row.is_going and row.line == "" and state_of(row, bob) == "leader"
    assert "annabel" not in dumped().lower()
    erase(bob.guest)
    row.refresh_from_db()
    assert not row.is_going


def test_who_asked_and_is_erased_is_named_nowhere(ann: User, bob: User) -> None:
    row = founded(bob)
    services.join(row, ann.guest)
    assert Notice.objects.filter(kind="team_request").exists()
    erase(ann.guest)
    assert "Annabel" not in dumped() and state_of(row, ann) is None


def test_the_archive_has_ones_teams(ann: User, bob: User, team: Team) -> None:
    joined(team, bob)
    files = unpacked(archive(bob.guest))
    assert json.loads(files["more/teams.member.json"])[0]["state"] == "in"
    assert "The Encirclers" in unpacked(archive(ann.guest))["more/teams.team.json"].decode()


def asked(user: User | None, path: str, *scopes: str, method: str = "get") -> Any:
    headers = {}
    if user is not None:
        token = make_token(user, f"token {user.tokens.count()}", list(scopes))[1]
        headers = {"Authorization": f"Bearer {token}"}
    return getattr(Client(), method)(f"/api/v1/teams{path}", headers=headers)


def test_programs_look_join_and_leave(ann: User, bob: User, team: Team) -> None:
    (listed,) = asked(None, "?name=circ").json()["teams"]
    assert (listed["code"], listed["members"]) == (team.code, 1)
    details = asked(None, f"/{team.code}").json()
    assert details["own"] is None and "account" in details["obstacle"]
    assert details["members"] == [{"person": "ann", "is_leader": True, "ratings": []}]
    assert asked(bob, f"/{team.code}/join", "read", method="post").status_code == 403
    for _ in range(2):
        assert asked(bob, f"/{team.code}/join", "lobby", method="post").json()["own"] == "asking"
    assert asked(bob, f"/{team.code}/leave", "lobby", method="post").json()["own"] is None
    refused = asked(ann, f"/{team.code}/leave", "lobby", method="post")
    assert refused.status_code == 422 and refused.json()["code"] == "refused"
    assert asked(None, "/nowhere").status_code == asked(None, "?before=x").status_code == 404


def test_a_text_that_no_database_takes_is_refused_or_finds_what_is_left_of_it(team: Team) -> None:
    assert asked(None, "?game=%00rin").status_code == 422
    assert asked(None, "?name=%00circ").json()["teams"][0]["code"] == team.code
    assert Client().get("/teams/?name=%00circ&game=%00").status_code == 404


def test_pages_speak_german(ann: User, team: Team) -> None:
    client = signed_in(ann)
    for address in ("/teams/", "/teams/new", f"/teams/{team.code}", f"/teams/{team.code}/edit"):
        html = client.get(address, headers={"Accept-Language": "de"}).content.decode()
        assert 'lang="de"' in html and "You lead" not in html and "Found a team" not in html
