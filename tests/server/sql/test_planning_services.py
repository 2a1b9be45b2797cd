"""Plans at tables: their answers, played in the same transaction, their secrecy, and their ends."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection
from django.test import Client

from kakomi.server.notices.models import Notice
from kakomi.server.plans import models, services
from kakomi.server.plans.receivers import plan_ended
from kakomi.server.plans.selectors import current_plan_of, plan_of
from kakomi.server.plans.services import Seen
from kakomi.server.tables import models as table_models
from kakomi.server.tables import services as table_services
from kakomi.server.tables.commands import Stale
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.services import Sitter
from kakomi.session import Refused
from server.table_client import PART, Person, now, opened

pytestmark = pytest.mark.django_db


@pytest.fixture(name="ada")
def fixture_ada() -> Person:
    return Person("Ada")


@pytest.fixture(name="ben")
def fixture_ben() -> Person:
    return Person("Ben")


@pytest.fixture(name="row")
def fixture_row(ada: Person, ben: Person) -> table_models.Table:
    """A game of Rin between Ada and Ben, in which Ben is to play two stones."""
    row = opened(ada, ben, size=4)
    play(row, "0,0")
    return row


def play(row: table_models.Table, text: str) -> table_models.Table:
    table = now(row)
    entries = [("play", action) for action in text.split()]
    table_services.add(
        row.code, entries, seat=table.to_act, base=table.entries, key=f"by-hand-{table.entries}"
    )
    row.refresh_from_db()
    return row


def arm(row: table_models.Table, person: Person, *lines: str) -> models.Plan:
    """Plan lines such as `1,1 2,2; 3,3 0,1`, and arm the plan."""
    for line in lines:
        path: tuple[int, ...] = ()
        for turn in line.split("; "):
            viewer, seen = seen_by(row, person)
            reached = []

            def grow(tree, table, path=path, turn=turn, reached=reached):
                tree, behind = tree.with_turn(table, path, turn.split())
                reached.append(behind)
                return tree

            services.edit(row, viewer, seen, grow)
            path = reached[0]
    viewer, seen = seen_by(row, person)
    return services.arm(row, viewer, seen)


def seen_by(row: table_models.Table, person: Person) -> tuple[Viewer, Seen]:
    table = now(row)
    viewer = Viewer.of(row, person.guest)
    current = current_plan_of(viewer.seats[viewer.own[0]], table)
    return viewer, Seen(current.version, table.entries)


def log(row: table_models.Table) -> list[tuple[int | None, int | str | None]]:
    return [(entry.seat, entry.value) for entry in now(row).history]


def test_an_answer_is_played_with_what_it_answers(ada, ben, row):
    arm(row, ada, "1,1 2,2; 3,3 0,1; 0,2 0,3; 1,0 2,0", "3,3 2,2; 1,1 0,1")
    play(row, "2,2 1,1")
    assert log(row)[1:] == [(1, "2,2"), (1, "1,1"), (0, "3,3"), (0, "0,1")]
    assert {entry.at for entry in now(row).history[1:]} == {now(row).at}
    plan = models.Plan.objects.get()
    assert plan.is_armed and plan.played == [{"to": ["2,2", "1,1"], "turn": ["3,3", "0,1"]}]
    play(row, "0,2 0,3")
    assert log(row)[-2:] == [(0, "1,0"), (0, "2,0")]
    plan.refresh_from_db()
    assert not plan.is_armed and plan.ended.reason == "played"


def test_a_turn_that_comes_in_parts_is_answered_once_it_is_whole(ada, row):
    arm(row, ada, "1,1 2,2; 3,3 0,1")
    play(row, "2,2")
    assert len(log(row)) == 2
    play(row, "1,1")
    assert log(row)[-2:] == [(0, "3,3"), (0, "0,1")]


def test_an_answer_is_added_once_however_often_its_cause_is_sent(ada, row):
    arm(row, ada, "1,1 2,2; 3,3 0,1")
    for _ in range(2):
        table_services.add(row.code, [("play", "1,1"), ("play", "2,2")], seat=1, base=1, key="the-same-key")
    assert len(log(row)) == 5
    keys = row.log.values_list("key", flat=True)
    assert len(set(keys)) == 5 and sum(key.startswith("plan:") for key in keys) == 2


def test_two_plans_answer_each_other(ada, ben, row):
    arm(row, ada, "1,1 2,2; 3,3 0,1; 0,2 0,3; 1,0 2,0")
    arm(row, ben, "1,1 2,2; 3,3 0,1; 0,2 0,3; 1,0 2,0; 3,0 3,1; 1,2 1,3")
    assert len(log(row)) == 1, "Ben's own turn is only meant"
    play(row, "1,1 2,2")
    assert [text for _, text in log(row)][3:] == [*("3,3", "0,1", "0,2", "0,3", "1,0", "2,0", "3,0", "3,1")]
    first, second = models.Plan.objects.order_by("seat__number")
    assert (first.is_armed, first.ended.reason) == (False, "played")
    assert second.is_armed and [branch["turn"] for branch in second.branches] == [["1,2", "1,3"]]


@pytest.mark.parametrize(
    ("kind", "value", "seat", "reason"),
    [
        ("offer", "takeback", 0, "takeback offer"),
        ("offer", "draw", 1, "draw offer"),
        ("resign", None, 1, "over"),
        ("resign", None, 0, "over"),
    ],
)
def test_plans_end_with_a_reason_and_stay_ended(ada, row, kind, value, seat, reason):
    heard = []

    def hear(row, end, **_):
        heard.append((row.seat.number, end.reason))

    plan_ended.connect(hear)
    try:
        arm(row, ada, "1,1 2,2; 3,3 0,1")
        table_services.add(row.code, [(kind, value)], seat=seat, base=1, key="something-else")
    finally:
        plan_ended.disconnect(hear)
    assert heard == [(0, reason)]
    plan = models.Plan.objects.get()
    assert (plan.is_armed, plan.branches, plan.ended.reason) == (False, [], reason)
    if not now(row).is_over:
        play(row, "1,1 2,2")
        assert len(log(row)) == 4


def test_a_swap_ends_a_plan(ada, ben):
    row = opened(ada, ben, size=4, swap=True)
    play(row, "0,0")
    arm(row, ada, "1,1 2,2; 3,3 0,1")
    table_services.add(row.code, [("swap", None)], seat=1, base=1, key="swapped-now")
    assert models.Plan.objects.get().ended.reason == "swap"
    assert not models.Plan.objects.filter(is_armed=True).exists()


def test_an_answer_that_is_not_allowed_is_dropped_and_said(ada, row):
    plan = arm(row, ada, "1,1 2,2; 3,3 0,1")
    plan.branches[0]["then"][0]["turn"] = ["1,1", "0,1"]
    plan.save()
    play(row, "1,1 2,2")
    assert len(log(row)) == 3
    plan.refresh_from_db()
    assert plan.ended.reason == "illegal"
    assert "1,1 0,1 isn’t legal now" in ada.look(row)


def test_a_change_disarms_and_needs_who_makes_it_to_have_seen_the_last_one(ada, row):
    arm(row, ada, "1,1 2,2; 3,3 0,1")
    viewer, seen = seen_by(row, ada)
    plan = services.edit(row, viewer, seen, lambda tree, _: tree.without((0, 0)))
    assert not plan.is_armed
    with pytest.raises(Stale):
        services.arm(row, viewer, seen)
    viewer, seen = seen_by(row, ada)
    with pytest.raises(Refused, match="this plan has no replies yet: plan an opponent’s move, then your own"):
        services.arm(row, viewer, seen)
    play(row, "3,3 2,2")
    with pytest.raises(Stale):
        services.edit(row, viewer, seen, lambda tree, _: tree.without(()))


def test_a_draft_is_kept_as_far_as_it_fits_and_never_played(ada, row):
    plan = arm(row, ada, "1,1 2,2; 3,3 0,1; 0,2 0,3; 1,0 2,0")
    services.disarm(row, Viewer.of(row, ada.guest))
    play(row, "1,1 2,2")
    assert len(log(row)) == 3
    tree = current_plan_of(plan.seat, now(row)).tree
    assert [branch.turn for branch in tree.branches] == [("3,3", "0,1")]
    viewer, seen = seen_by(row, ada)
    services.arm(row, viewer, seen)
    assert len(log(row)) == 3, "one's own turn is never played for one"
    play(row, "3,3 0,1")
    play(row, "0,3 0,2")
    assert log(row)[-2:] == [(0, "1,0"), (0, "2,0")]


def test_who_does_not_know_that_their_plan_has_ended_is_told(ada, ben, row):
    arm(row, ada, "1,1 2,2; 3,3 0,1")
    play(row, "2,2 1,1")
    assert Notice.objects.filter(guest=ada.guest, kind="plan_ended").count() == 1
    arm(row, ada, "0,2 0,3; 1,0 2,0")
    table_services.add(row.code, [("offer", "takeback")], seat=0, base=5, key="an-offer-1")
    assert models.Plan.objects.get().ended.reason == "takeback offer"
    assert Notice.objects.filter(kind="plan_ended").count() == 1


def test_no_plan_is_armed_while_an_offer_is_open(ada, row):
    table_services.add(row.code, [("offer", "takeback")], seat=0, base=1, key="an-offer-1")
    with pytest.raises(Refused, match="answer the open offer"):
        arm(row, ada, "1,1 2,2; 3,3 0,1")


def test_only_players_of_one_seat_against_people_plan(ada, ben, row):
    seen = Seen(0, 1)
    with pytest.raises(Refused, match="only players"):
        services.arm(row, Viewer.of(row, Person().guest), seen)
    alone = opened(ada, Sitter(bot="1"), size=4)
    with pytest.raises(Refused, match="against people"):
        services.arm(alone, Viewer.of(alone, ada.guest), Seen(0, 0))
    both = opened(ada, ada, size=4)
    with pytest.raises(Refused, match="for one"):
        services.arm(both, Viewer.of(both, ada.guest), Seen(0, 0))
    waiting = opened(ada, Sitter(), size=4)
    with pytest.raises(Refused, match="not all players"):
        services.arm(waiting, Viewer.of(waiting, ada.guest), Seen(0, 0))


def test_the_plan_of_somebody_who_is_gone_plays_nothing(ada, row):
    arm(row, ada, "1,1 2,2; 3,3 0,1")
    row.seats.filter(number=0).update(guest=None)
    play(row, "1,1 2,2")
    assert len(log(row)) == 3
    assert not models.Plan.objects.get().is_armed


def change(person: Person, row: table_models.Table, kind: str, client: Client | None = None, **fields):
    _, seen = seen_by(row, person)
    form = {"kind": kind, "version": seen.version, "entries": seen.entries, **fields}
    return (client or person.client).post(f"/table/{row.code}/plan/change", form, headers=PART)


def test_a_plan_is_made_on_a_page_of_its_own(ada, row):
    page = ada.client.get(f"/table/{row.code}/plan").content.decode()
    assert "Planning: moves aren’t played" in page and "What might Ben play?" in page
    answer = change(ada, row, "touch 1,1").content.decode()
    assert 'data-begun="1,1"' in answer and "1,1, and then?" in answer
    answer = change(ada, row, "touch 2,2", begun="1,1").content.decode()
    assert 'data-at="0"' in answer and "Your reply to 1,1 2,2?" in answer
    change(ada, row, "touch 3,3", at="0")
    change(ada, row, "touch 0,1", at="0", begun="3,3")
    assert 'data-at="0.0"' in change(ada, row, "touch 0,1", at="0", begun="3,3").content.decode()
    refused = change(ada, row, "touch 0,2", at="0", begun="3,3")
    assert refused.status_code == 422 and "your reply here is 3,3 0,1" in refused.content.decode()
    assert "On." in change(ada, row, "arm").content.decode()
    assert len(log(row)) == 1
    assert "On." not in change(ada, row, "remove", at="0.0").content.decode()
    assert plan_of(row.seats.get(number=0)).branches[0]["then"] == []


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"kind": "play 1,1"}, 422),
        ({"kind": "touch"}, 422),
        ({"kind": "touch zz"}, 422),
        ({"kind": "touch 0,0"}, 422),
        ({"kind": "arm", "version": "x"}, 422),
        ({"kind": "arm", "version": "7"}, 409),
        ({"kind": "touch 1,1", "entries": "0"}, 409),
        ({"kind": "remove", "at": "4.4"}, 422),
        ({"kind": "remove", "at": "1" * 500}, 422),
        ({"kind": "remove"}, 422),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(ada, row, fields, status):
    arm(row, ada, "1,1 2,2; 3,3 0,1")
    before = models.Plan.objects.values().get()
    answer = change(ada, row, **{"kind": "", **fields})
    assert answer.status_code == status
    assert models.Plan.objects.values().get() == before


def test_who_cannot_plan_is_led_to_the_table(ada, ben, row):
    stranger = Person()
    assert stranger.client.get(f"/table/{row.code}/plan").headers["Location"] == f"/table/{row.code}"
    play(row, "1,1 2,2")
    table_services.add(row.code, [("resign", None)], seat=1, base=3, key="resigned-now")
    led = ada.client.get(f"/table/{row.code}/plan", headers=PART)
    assert led.headers["HX-Redirect"] == f"/table/{row.code}"


def api(person: Person, row: table_models.Table, method: str, **body):
    send = getattr(person.client, method)
    token = person.guest.token
    headers = {"Authorization": f"Bearer {token}"}
    path = f"/api/v1/tables/{row.code}/plan"
    return (
        send(path, body, content_type="application/json", headers=headers)
        if body
        else send(path, headers=headers)
    )


def test_programs_plan_as_people_do(ada, ben, row):
    none = api(ada, row, "get").json()
    assert (none["seat"], none["version"], none["base"], none["is_armed"]) == (0, 0, 1, False)
    tree = [{"seat": 1, "turn": ["1,1 2,2"], "then": [{"seat": 0, "turn": ["3,3", "0,1"]}]}]
    armed = api(ada, row, "put", base=1, branches=tree)
    assert armed.status_code == 200 and armed.json()["is_armed"]
    assert armed.json()["branches"][0]["turn"] == ["1,1", "2,2"]
    assert api(ada, row, "put", base=1, branches=tree).status_code == 409
    assert api(ben, row, "get").json()["branches"] == []
    gone = api(ada, row, "delete").json()
    assert not gone["is_armed"] and gone["branches"] == []
    play(row, "1,1 2,2")
    assert len(log(row)) == 3
    tree = [{"seat": 0, "turn": ["3,3", "0,1"], "then": [{"seat": 1, "turn": ["0,2", "0,3"]}]}]
    refused = api(ada, row, "put", base=3, version=gone["version"], branches=tree)
    assert (
        refused.status_code == 422
        and "this plan has no replies yet: plan an opponent’s move, then your own"
        in refused.json()["message"]
    )
    stranger = api(Person(), row, "get")
    assert stranger.status_code == 422 and "only players" in stranger.json()["message"]


def test_programs_hear_what_is_wrong_with_a_plan(ada, row):
    deep: list[object] = []
    for _ in range(70):
        deep = [{"seat": 1, "turn": ["1,1"], "then": deep}]
    for branches in (deep, [{"seat": 1, "turn": []}], [{"seat": 1}], [{"seat": 0, "turn": ["1,1"]}], [3]):
        answer = api(ada, row, "put", base=1, branches=branches)
        assert answer.status_code == 422 and answer.json()["message"], branches
    assert not models.Plan.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_played_once_whoever_does_what_at_once():
    ada, ben = Person("Ada"), Person("Ben")
    for _ in range(6):
        row = play(opened(ada, ben, size=4), "0,0")
        arm(row, ada, "1,1 2,2; 3,3 0,1", "1,1 2,3; 3,3 0,2")

        def act(number, row=row):
            try:
                while not done(number, row):
                    time.sleep(0.01)
            finally:
                connection.close()

        def done(number, row):
            try:
                if number % 2:
                    turn = [("play", "1,1"), ("play", "2,2" if number % 4 == 1 else "2,3")]
                    table_services.add(row.code, turn, seat=1, base=1, key=f"at-once-{number}")
                elif number == 4:
                    services.disarm(row, Viewer.of(row, ada.guest))
                else:
                    viewer, seen = seen_by(row, ada)
                    services.arm(row, viewer, seen)
            except (Stale, Refused):
                pass
            except OperationalError:  # SQLite in memory doesn't wait for locks
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(act, range(8)))
        played = [str(text) for _, text in log(row)[1:]]
        answers = {"2,2": ["3,3", "0,1"], "2,3": ["3,3", "0,2"]}
        assert played[:1] == ["1,1"] and played[2:] in ([], answers[played[1]])
        plan = models.Plan.objects.get(table=row)
        assert bool(plan.played) == (len(played) == 4)
