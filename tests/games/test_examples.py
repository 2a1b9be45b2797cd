"""The examples in the rules agree with the rules and with the slow references."""

import re
from importlib.resources import files

import pytest

import kakomi
import reference
from games.comparing import assert_agree
from kakomi import Position, catalog
from kakomi.cli.games import show_markdown
from kakomi.core.attempt import begin, is_fulfilled
from kakomi.core.example import Example, Step

ALL = [(name, example) for name in kakomi.names() for example in catalog.describe(name).examples]
each_example = pytest.mark.parametrize(
    ("name", "example"), ALL, ids=[f"{name}-{example.name}" for name, example in ALL]
)
OWN = sorted(reference.GAMES)
PLACE = re.compile(r"^<!-- example: (.*) -->$", re.MULTILINE)
REFERENCE_FIELDS = {"left_in_turn": "stones_left"}
"""Fields with different names in the references."""


def begun(name: str, example: Example) -> Position:
    return begin(example, kakomi.game(name, **example.options))


def steps(name: str, example: Example) -> list[tuple[Step, Position, list[Position]]]:
    """Each step, its first position, and the position after each action of its solution."""
    position, found = begun(name, example), []
    for step in example.steps:
        ways = []
        for action in step.actions:
            ways.append((ways[-1] if ways else position).play(action))
        found.append((step, position, ways))
        position = ways[-1]
    return found


@pytest.mark.parametrize("name", OWN)
def test_there_are_several_and_the_rules_have_a_place_for_each(name):
    description = catalog.describe(name)
    names = [example.name for example in description.examples]
    assert len(set(names)) == len(names) >= 4
    for rules in files(description.module).iterdir():
        if rules.name.endswith(".md"):
            assert sorted(PLACE.findall(rules.read_text(encoding="utf-8"))) == sorted(names), rules


@each_example
def test_a_solution_does_what_is_claimed_with_its_last_action_and_not_before(name, example):
    for step, before, ways in steps(name, example):
        assert not any(is_fulfilled(step, position) for position in (before, *ways[:-1]))
        assert is_fulfilled(step, ways[-1])


@each_example
def test_nothing_happens_that_is_not_told(name, example):
    for step, before, ways in steps(name, example):
        then, now = before.stones(), ways[-1].stones()
        changed = {point for point in then.keys() | now.keys() if then.get(point) != now.get(point)}
        assert changed <= set(step.actions) | step.becomes.keys()


@each_example
def test_what_is_said_of_a_miss_is_said_of_a_legal_action_that_is_one(name, example):
    for step, before, ways in steps(name, example):
        for action in filter(None, step.misses):
            origins = [position for position in (before, *ways[:-1]) if action in position.legal()]
            assert origins
            assert not any(is_fulfilled(step, origin.play(action)) for origin in origins)


@each_example
def test_the_slow_reference_sees_the_same(name, example):
    if name not in OWN:
        pytest.skip("a game from elsewhere has no reference here")
    stones = {point: player for player, points in enumerate(example.stones) for point in points.split()}
    fields = {REFERENCE_FIELDS.get(field, field): value for field, value in example.fields.items()}
    slow = reference.GAMES[name].arranged(stones, example.to_move, **fields, **example.options)
    position = kakomi.game(name, **example.options).arranged(stones, example.to_move, **example.fields)
    assert_agree(position, slow)
    for action in [*example.before.split(), *(action for step in example.steps for action in step.actions)]:
        position = position.play(action)
        slow.play(action)
        assert_agree(position, slow)


@each_example
def test_every_task_can_be_missed_only_where_there_is_something_to_say(name, example):
    """A step that a legal action can miss has a text for that."""
    for step, before, ways in steps(name, example):
        for position in (before, *ways[:-1]):
            others = [action for action in position.legal() if not is_fulfilled(step, position.play(action))]
            if len(step.actions) == 1 and others:
                assert "" in step.misses or set(others) <= step.misses.keys()


def of_game(name: str) -> list[Example]:
    return list(catalog.describe(name).examples)


@pytest.mark.parametrize("example", of_game("rin"), ids=lambda example: example.name)
def test_no_ring_of_rin_is_unfilled_at_the_beginning(example):
    position = begun("rin", example)
    (alive,) = [found for found in position.overlays() if found.name == "alive"]
    assert {mark.at for mark in alive.marks} == position.stones().keys()


@pytest.mark.parametrize("example", of_game("lin"), ids=lambda example: example.name)
def test_no_stone_of_lin_is_dead_at_the_beginning(example):
    position = begun("lin", example)
    slow = reference.Lin.arranged(position.stones(), position.to_move, **example.options)
    assert all(point in slow.living(player) for point, player in position.stones().items())


@pytest.mark.parametrize("name", OWN)
def test_the_terminal_leaves_out_where_examples_stand(name, monkeypatch):
    shown = []
    monkeypatch.setattr("click.echo_via_pager", shown.append)
    show_markdown(catalog.describe(name).rules_text)
    (text,) = shown
    assert "example:" not in text
