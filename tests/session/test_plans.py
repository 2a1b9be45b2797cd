"""Plans: their possible contents, how they are followed, and what ends them."""

import json
import random
from dataclasses import replace

import pytest

import kakomi
from kakomi.core import IllegalAction
from kakomi.session import (
    Branch,
    Calendar,
    Entry,
    MatchConfig,
    Plan,
    Refused,
    Seat,
    Table,
    TimeControl,
    follow,
)
from kakomi.session.events import KINDS, outage_value, rest_value
from kakomi.session.plan_progress import PlanEnd, Progress
from kakomi.session.plans import MOST_DEEP, MOST_TURNS, branches_from_json, walk
from session.told_tables import begun, told


def grown(table: Table, seat: int, *lines: str) -> Plan:
    """A plan with lines of complete turns, such as `1,1 2,2; 3,3 0,1`."""
    plan = Plan.begun(table, seat)
    for line in lines:
        path: tuple[int, ...] = ()
        for turn in line.split("; "):
            plan, path = plan.with_turn(table, path, turn.split())
    return plan


@pytest.fixture(name="table")
def fixture_table() -> Table:
    """A table of Rin after the first turn, with seat 1 to act."""
    return told(begun(), "0 play 0,0")


def test_several_answers_to_several_turns(table: Table) -> None:
    plan = grown(table, 0, "1,1 2,2; 3,3 0,1; 0,2 0,3; 1,0 2,0", "3,3 2,2; 1,1 0,1")
    assert follow(plan, table) == Progress(plan)
    one = follow(plan, told(table, "1 play 1,1 2,2"))
    assert one.answer == ("3,3", "0,1")
    other = follow(plan, told(table, "1 play 3,3 2,2"))
    assert (other.answer, other.end) == (("1,1", "0,1"), None)
    unknown = follow(plan, told(table, "1 play 3,3 1,2"))
    assert unknown.end == PlanEnd("surprise", ("3,3", "1,2"))
    assert not unknown.answer
    assert "no reply to 3,3 1,2" in unknown.end.words


def test_a_turn_counts_when_it_is_whole_and_in_any_order(table: Table) -> None:
    plan = grown(table, 0, "1,1 2,2; 3,3 0,1")
    half = told(table, "1 play 2,2")
    waiting = follow(plan, half)
    assert (waiting.answer, waiting.end) == ((), None)
    assert follow(waiting.plan, told(half, "1 play 1,1")).answer == ("3,3", "0,1")


def test_an_answer_is_followed_in_its_turn(table: Table) -> None:
    plan = grown(table, 0, "1,1 2,2; 3,3 0,1; 0,2 0,3; 1,0 2,0")
    table = told(table, "1 play 1,1 2,2")
    plan = follow(plan, table).plan
    table = told(table, "0 play 3,3", "0 play 0,1")
    progress = follow(plan, table)
    assert (progress.answer, progress.end) == ((), None)
    table = told(table, "1 play 0,2 0,3")
    progress = follow(progress.plan, table)
    assert progress.answer == ("1,0", "2,0")
    assert follow(progress.plan, told(table, "0 play 1,0 2,0")).end == PlanEnd("played", ("1,0", "2,0"))


def test_ones_own_first_turn_is_never_played_for_one(table: Table) -> None:
    plan = grown(table, 1, "1,1 2,2; 3,3 0,1; 0,2 0,3")
    assert follow(plan, table) == Progress(plan)
    assert plan.has_answers
    moved = told(table, "1 play 2,2", "1 play 1,1")
    progress = follow(plan, moved)
    assert (progress.answer, progress.end) == ((), None)
    assert follow(progress.plan, told(moved, "0 play 3,3 0,1")).answer == ("0,2", "0,3")
    assert follow(plan, told(table, "1 play 3,3 2,2")).end == PlanEnd("own", ("3,3", "2,2"))
    assert not grown(table, 1, "1,1 2,2; 3,3 0,1").has_answers


def test_plans_end_by_what_is_no_turn(table: Table) -> None:
    plan = grown(table, 1, "1,1 2,2; 3,3 0,1; 0,2 0,3")
    ends = {
        ("0 offer draw",): "draw offer",
        ("0 offer draw", "1 decline"): "draw offer",
        ("0 offer takeback",): "takeback offer",
        ("0 offer takeback", "1 accept"): "takeback offer",
        ("1 resign",): "over",
    }
    for lines, reason in ends.items():
        progress = follow(plan, told(table, *lines))
        assert progress.end is not None
        assert progress.end.reason == reason
        assert not progress.answer
        assert PlanEnd.from_json(json.loads(json.dumps(progress.end.to_json()))) == progress.end
    swapping = told(begun(swap=True), "0 play 0,0")
    planned = grown(swapping, 0, "1,1 2,2; 3,3 0,1")
    assert follow(planned, told(swapping, "1 swap")).end == PlanEnd("swap")


DAYS = TimeControl(86_400.0, kind="days")
REST = rest_value(1000.0, Calendar(weekend=(6,)))
DOWN = outage_value((1001.0, 1002.0))
OUTLIVED: dict[str, list[tuple[str, ...]]] = {
    "offer": [("0 offer pause",), ("0 offer pause", "1 accept", "0 offer resume")],
    "accept": [("0 offer pause", "1 accept"), ("0 offer pause", "1 accept", "0 offer resume", "1 accept")],
    "decline": [("0 offer pause", "1 decline")],
    "withdraw": [("0 offer pause", "0 withdraw")],
    "play": [("0 play b2",)],
    "rest": [(f"0 rest {REST}",), (f"1 rest {REST}",)],
    "downtime": [(f"- downtime {DOWN} @1002",)],
    "seated": [("- seated",)],
}
"""Kind of entry → a course of a table that ends with such an entry, which a plan survives."""
ENDS: dict[str, list[tuple[tuple[str, ...], str]]] = {
    "offer": [(("0 offer takeback",), "takeback offer")],
    "resign": [(("1 resign",), "over")],
    "flag": [(("- flag 0 @90000",), "over")],
    "forfeit": [(("- forfeit 0",), "over")],
    "abort": [(("1 abort stopped",), "over")],
}


@pytest.mark.parametrize("kind", KINDS)
def test_of_every_kind_of_entry_it_is_said_whether_plans_outlive_it(kind: str) -> None:
    first = ("0 play a1",) if kind == "abort" else ("0 play a1", "1 play e5")
    table = told(begun("lin", size=5, time=DAYS), *first)
    plan = grown(table, 1, "b2; c3; d4")
    for lines in OUTLIVED.get(kind, ()):
        after = told(table, *lines)
        assert after.history[-1].kind == kind
        assert follow(plan, after).end is None, lines
    for lines, reason in ENDS.get(kind, ()):
        after = told(table, *lines)
        assert after.history[-1].kind == kind
        end = follow(plan, after).end
        assert end is not None and end.reason == reason, lines
    elsewhere = {"komi", "colour", "swap", "takeback"}  # before the first action, and among bots: see below
    assert kind in OUTLIVED or kind in ENDS or kind in elsewhere


@pytest.mark.parametrize("kind", ["komi", "colour", "swap", "takeback"])
def test_kinds_that_no_plan_of_this_table_meets_end_it_all_the_same(table: Table, kind: str) -> None:
    plan = grown(table, 1, "1,1 2,2; 3,3 0,1; 0,2 0,3")
    value = 1 if kind in ("komi", "colour") else None
    after = replace(table, history=(*table.history, Entry(0, kind, value, table.at)))
    end = follow(plan, after).end
    assert end is not None and end.reason == {"komi": "changed", "colour": "changed"}.get(kind, kind)


def test_consent_to_what_was_offered_before_ends_a_plan_for_what_it_is() -> None:
    table = told(begun("lin", size=5), "0 play a1", "0 offer takeback")
    plan = grown(table, 1, "b2; c3; d4")
    assert follow(plan, told(table, "1 accept")).end == PlanEnd("takeback")
    assert follow(plan, told(table, "1 decline")).end is None


def test_a_taken_back_turn_ends_a_plan_although_the_same_is_played_again(table: Table) -> None:
    terms, seats = table.match.config, (Seat("Ada"), Seat("Level 1", bot="1"))
    table = told(Table.begun(terms, seats, at=1000.0), "0 play 0,0", "1 play 1,1 2,2")
    plan = grown(table, 0, "3,3 0,1; 0,2 0,3; 1,0 2,0")
    again = told(table, "0 play 3,3", "0 takeback", "0 play 3,3 0,1", "1 play 0,2 0,3")
    assert follow(plan, again).end == PlanEnd("takeback")


def test_among_four_a_plan_knows_what_each_of_the_others_plays() -> None:
    config = MatchConfig(kakomi.game("rings", size=2, players=4))
    table = Table.begun(config, [Seat(name) for name in "abcd"], at=1000.0)
    draw = random.Random(4)

    def turn(table: Table) -> str:
        return draw.choice(table.match.position.legal())

    line, ahead = [], table
    while len(line) < 5:
        action, seat = turn(ahead), ahead.to_act
        ahead = told(ahead, f"{seat} play {action}")
        line.append((seat, action))
    plan = Plan.begun(table, 3)
    path: tuple[int, ...] = ()
    for _, action in line:
        plan, path = plan.with_turn(table, path, action.split())
    for seat, action in line[:3]:
        assert not follow(plan, table).answer
        table = told(table, f"{seat} play {action}")
    progress = follow(plan, table)
    assert progress.answer == (line[3][1],)
    assert follow(plan, told(table, "1 resign")).end == PlanEnd("left")


def test_what_cannot_be_planned_is_refused_with_a_reason(table: Table) -> None:
    plan = grown(table, 0, "1,1 2,2; 3,3 0,1")
    with pytest.raises(Refused, match="isn’t a complete move"):
        plan.with_turn(table, (), ["3,3"])
    with pytest.raises(Refused, match="continues after the end of the move"):
        plan.with_turn(table, (), ["1,1", "2,2", "3,3"])
    with pytest.raises(IllegalAction, match="R4"):
        plan.with_turn(table, (), ["0,0", "2,2"])
    with pytest.raises(IllegalAction, match="zz"):
        plan.with_turn(table, (), ["zz"])
    with pytest.raises(Refused, match="your reply here is 3,3 0,1: delete it before"):
        plan.with_turn(table, (0,), ["3,3", "0,2"])
    with pytest.raises(Refused, match="no such move"):
        plan.with_turn(table, (1,), ["3,3", "0,2"])
    with pytest.raises(Refused, match="no such move"):
        plan.without((0, 1))
    with pytest.raises(Refused, match="1 to 200 actions"):
        plan.with_turn(table, (), [])


def test_an_equal_turn_is_the_same_branch(table: Table) -> None:
    plan = grown(table, 0, "1,1 2,2; 3,3 0,1")
    assert plan.with_turn(table, (), ["2,2", "1,1"]) == (plan, (0,))
    assert plan.with_turn(table, (0,), [" 0,1", "3,3"]) == (plan, (0, 0))
    other, path = plan.with_turn(table, (), ["2,2", "1,2"])
    assert path == (1,)
    assert other.without((0,)).branches == (Branch(1, ("2,2", "1,2")),)
    assert other.without(()).branches == ()


def test_trees_from_elsewhere_are_normalised_or_refused(table: Table) -> None:
    plan = Plan.begun(table, 0)
    data = [{"seat": 1, "turn": ["1,1 2,2"], "then": [{"seat": 0, "turn": ["3,3", "0,1"]}]}]
    whole = plan.with_branches(table, branches_from_json(data))
    assert whole == grown(table, 0, "1,1 2,2; 3,3 0,1")
    assert branches_from_json(json.loads(json.dumps([b.to_json() for b in whole.branches]))) == whole.branches
    refused = {
        "a plan can have only one reply of your own in each position": [
            {"seat": 1, "turn": ["1,1", "2,2"], "then": [{"seat": 0, "turn": ["3,3", "0,1"]}] * 2}
        ],
        "after 1,1 2,2: it is seat 0's turn": [
            {"seat": 1, "turn": ["1,1", "2,2"], "then": [{"seat": 1, "turn": ["3,3", "0,1"]}]}
        ],
        "planned twice": [{"seat": 1, "turn": ["1,1", "2,2"]}, {"seat": 1, "turn": ["2,2", "1,1"]}],
        "after 1,1 2,2: 1,1 can't be played": [
            {"seat": 1, "turn": ["1,1", "2,2"], "then": [{"seat": 0, "turn": ["1,1", "3,3"]}]}
        ],
    }
    for message, tree in refused.items():
        with pytest.raises(Refused, match=message):
            plan.with_branches(table, branches_from_json(tree))
    for wrong in ({}, [1], [{"seat": 1}], [{"seat": "1", "turn": []}], [{"seat": 1, "turn": "1,1"}]):
        with pytest.raises(Refused):
            branches_from_json(wrong)


def test_plans_have_sizes(table: Table) -> None:
    deep: list[object] = []
    for _ in range(MOST_DEEP + 1):
        deep = [{"seat": 1, "turn": ["1,1"], "then": deep}]
    with pytest.raises(Refused, match=f"up to {MOST_DEEP} moves deep"):
        branches_from_json(deep)
    many = [{"seat": 1, "turn": ["1,1"]}] * (MOST_TURNS + 1)
    with pytest.raises(Refused, match=f"up to {MOST_TURNS} moves"):
        Plan.begun(table, 0).with_branches(table, branches_from_json(many))


def test_a_turn_that_is_begun_is_planned_to_its_end(table: Table) -> None:
    half = told(table, "1 play 1,1")
    plan = grown(half, 0, "2,2; 3,3 0,1")
    assert follow(plan, told(half, "1 play 2,2")).answer == ("3,3", "0,1")
    assert [path for path, _ in walk(plan.branches)] == [(0,), (0, 0)]


def test_an_answer_that_is_no_more_allowed_ends_the_plan(table: Table) -> None:
    plan = Plan(0, 1, 1, 1, (Branch(1, ("1,1", "2,2"), (Branch(0, ("1,1", "3,3")),)),))
    progress = follow(plan, told(table, "1 play 1,1 2,2"))
    assert progress.end == PlanEnd("illegal", ("1,1", "3,3"))
    assert not progress.answer
