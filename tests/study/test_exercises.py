"""The courses' exercises: each is proved, and the proof and the search can fail."""

import tomllib
from dataclasses import replace

import pytest

import kakomi
import sampling
from kakomi import catalog
from kakomi.core.attempt import begin
from kakomi.core.example import Claim, Example, Step
from kakomi.puzzles import canonical_key
from kakomi.solve import margin
from kakomi.study.exercises import find_in_game, flaws, is_sure, sure_margin
from reference import GAMES

OWN = sorted(GAMES)
ALL = [(name, exercise) for name in kakomi.names() for exercise in catalog.describe(name).exercises]
each_exercise = pytest.mark.parametrize(
    ("name", "exercise"), ALL, ids=[f"{name}-{exercise.name}" for name, exercise in ALL]
)
SOLVED = ("rin", "rive")
"""Games whose solver `python -m tests.kernels` compiles."""


@pytest.mark.parametrize(
    ("name", "exercise"),
    [(name, exercise) for name, exercise in ALL if sampling.ALL or name in SOLVED],
    ids=lambda value: getattr(value, "name", value),
)
def test_every_exercise_is_proved(name: str, exercise: Example) -> None:
    assert list(flaws(kakomi.game(name, **exercise.options), exercise)) == []


@pytest.mark.parametrize("name", OWN)
def test_a_game_has_several_of_different_kinds_and_no_two_are_alike(name: str) -> None:
    description = catalog.describe(name)
    exercises = description.exercises
    assert 6 <= len(exercises) <= 10
    assert len({exercise.claim.turns for exercise in exercises}) > 1
    begun = [begin(exercise, kakomi.game(name, **exercise.options)) for exercise in exercises]
    assert len({canonical_key(position) for position in begun}) == len(exercises)
    lessons = [*description.examples, *exercises]
    assert len({lesson.name for lesson in lessons}) == len(lessons)
    assert all(step.hint and step.told for exercise in exercises for step in exercise.steps)


def exercise_of(name: str, *, turns: bool) -> Example:
    found = [found for found in catalog.describe(name).exercises if bool(found.claim.turns) == turns]
    return next(found for found in found if turns or found.lines)


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("name", OWN if sampling.ALL else SOLVED)
def test_what_is_wrong_is_not_proved(name: str, turns: bool) -> None:
    exercise = exercise_of(name, turns=turns)
    game, claim = kakomi.game(name, **exercise.options), exercise.claim
    too_much = replace(exercise, claim=Claim(claim.at_least + 100, claim.turns))
    too_little = replace(exercise, claim=Claim(claim.at_least - 100, claim.turns))
    assert any("called right" in flaw for flaw in flaws(game, too_much))
    assert any("missed, and that is wrong" in flaw for flaw in flaws(game, too_little))


@pytest.mark.parametrize("name", OWN if sampling.ALL else SOLVED)
def test_lines_that_show_nothing_are_flaws(name: str) -> None:
    exercise = exercise_of(name, turns=False)
    game, (first, line), *_ = (kakomi.game(name, **exercise.options), *exercise.lines.items())
    cut = line.rpartition(" ")[0]
    broken = {"is missed, and no line says why": {}, "no answer 'z9'": {**exercise.lines, "z9": "a1"}}
    for said, lines in broken.items():
        assert any(said in flaw for flaw in flaws(game, replace(exercise, lines=lines)))
    assert list(flaws(game, replace(exercise, lines={**exercise.lines, first: cut}))) or not cut


def test_a_margin_after_some_turns_is_that_of_best_play() -> None:
    """In Ren, with a point to score and a stone that is weak afterwards."""
    example = next(example for example in catalog.describe("ren").examples if example.name == "rui")
    position = begin(example, kakomi.game("ren", **example.options))
    after_one, line = sure_margin(position, 0, 1)
    assert after_one == margin(position.play(line[0]), 0) == 1
    assert not is_sure(position.play("d4"), 0, 1, 1)
    assert sure_margin(position.play("d4"), 0, 1) == (0, ("d5",))


def test_what_is_found_is_proved_and_found_again() -> None:
    game = kakomi.game("ren", size=5)
    found, again = (
        [one.toml(game, "found") for one in find_in_game("ren", game.options, "2:0", 1, 8)] for _ in "ab"
    )
    assert found == again and found
    for text in found:
        assert list(flaws(game, drafted(text))) == []


def drafted(text: str) -> Example:
    """The exercise in a TOML table, without its texts."""
    (table,) = tomllib.loads(text).values()
    owners = {point: player for player, points in enumerate(table["becomes"]) for point in points.split()}
    step = Step("", table["solution"], "", becomes=owners)
    return Example("found", "", (step,), position=table["position"], claim=Claim(**table["claim"]))
