"""Positions as text: writing, reading and refusals; every position that is read can be played."""

import pickle
import random
import re
from pathlib import Path

import numpy as np
import pytest

import kakomi
from kakomi import Game, Position
from kakomi.core.notation import letters_of
from kakomi.core.position import position_from_key
from kakomi.kernel import use_mode
from sampling import is_compiled

PAGE = Path(__file__).resolve().parents[2] / "docs" / "positions.md"

BOARDS = {
    "rin": {"size": 4},
    "rive": {"size": 3},
    "lin": {"size": 5},
    "ren": {"size": 4},
    "rings": {"size": 2, "players": 3},
}
"""A small board of every game."""

each_game = pytest.mark.parametrize("name", BOARDS)


def board(name: str) -> Game:
    return kakomi.game(name, **BOARDS[name])


def examples() -> list[tuple[str, ...]]:
    """The rows of the page's table: a game with its options, the actions played and the text."""
    return re.findall(r"^\| `(.*?)` \| `(.*?)` \| `(.*?)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("game", "actions", "text"), examples())
def test_the_examples_of_the_page(game: str, actions: str, text: str) -> None:
    name, *options = game.split()
    position = kakomi.game(name, **dict(option.split("=") for option in options)).start()
    for action in actions.split():
        position = position.play(action)
    assert str(position) == text


def test_the_page_has_examples_of_every_game() -> None:
    assert {game.split()[0] for game, _, _ in examples()} == set(kakomi.names())


def test_every_player_has_a_letter_of_their_own() -> None:
    colours = ["Black", "White", "Red", "Blue", "Yellow", "Green"]
    assert letters_of(colours) == "bwrlyg"
    assert letters_of(colours[:2]) == "bw"
    assert letters_of(["Öe", "Ee", "E"]) == "eab"
    assert len(set(letters_of(["Grey"] * 26))) == 26
    with pytest.raises(ValueError, match="letters for 26 kinds of stones, not for 27"):
        letters_of(["Grey"] * 27)


@pytest.mark.parametrize(
    "text",
    ["4/1b2/4/4 w left_in_turn=2", "  4/1B2/4/4   W\tLeft_In_Turn=2\n"],
)
def test_white_space_and_case_do_not_matter(text: str) -> None:
    assert board("rin").position(text) == board("rin").start().play("1,1")


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("rin", "", "rows of points and the player to move"),
        ("rin", "4/4/4/4", "rows of points and the player to move"),
        ("rin", "4/4/4 b", "has 4 rows of points, not 3"),
        ("rin", "4/4/4/4/4 b", "has 4 rows of points, not 5"),
        ("rin", "4/4/4/3 b", "row 4, '3': it has 3 points instead of 4"),
        ("rin", "4/b4/4/4 b", "row 2, 'b4': it has 5 points instead of 4"),
        ("rin", "4//4/4 b", "row 2, '': it has 0 points"),
        ("rin", f"{'9' * 5000}/4/4/4 b", "row 1, '99.*: it has .* points instead of 4"),
        ("rin", "4/1x2/4/4 b", r"row 2, '1x2': 'x' isn't a stone; stones are b \(Black\), w \(White\)"),
        ("rin", "4/4/-4/4 b", "row 3, '-4': '-' isn't a stone"),
        ("rin", "4/4/4/\uff14 b", "ASCII"),
        ("rin", "4/4/4/4 r", r"'r' isn't a player; players are b \(Black\), w \(White\)"),
        ("rin", "4/4/4/4 bw", "'bw' isn't a player"),
        ("rin", "4/4/4/4 b 7", "'7' can't follow the player to move: write left_in_turn=..."),
        ("rin", "4/4/4/4 b passes=1", "'passes=1' can't follow the player to move: write left_in_turn=..."),
        (
            "lin",
            "5/5/5/5/5 b passes=1",
            "'passes=1' can't follow the player to move: a position of Lin has nothing after it",
        ),
        ("rin", "4/4/4/4 b left_in_turn", "write whole numbers"),
        ("rin", "4/4/4/4 b left_in_turn=two", "left_in_turn='two': write whole numbers"),
        ("rin", "4/4/4/4 b left_in_turn=2,", "left_in_turn='2,': write whole numbers"),
        ("rin", "4/4/4/4 b left_in_turn=2,2", "left_in_turn has 2 numbers; it may have up to 1"),
        ("rin", "4/4/4/4 b left_in_turn=2 left_in_turn=2", "left_in_turn is given twice"),
        ("rin", "4/4/4/4 b left_in_turn=128", "left_in_turn can't be 128: it holds numbers from -128 to 127"),
        ("rin", "4/4/4/4 b left_in_turn=3", "left_in_turn can't be 3: it may be 1 or 2"),
        ("ren", "4/4/4/4 b points=-1", "points can't be -1: it may be 0 to"),
        ("ren", "4/4/4/4 b points=0,2000000000", "points can't be 2000000000: it may be 0 to"),
        ("ren", "4/4/4/4 b replacements=4", "replacements can't be 4: it may be 0 to 3"),
        ("ren", "4/4/4/4 b passes=3", "passes can't be 3: it may be 0, 1 or 2"),
        ("ren", "4/4/4/4 b nine_box=2", "nine_box can't be 2: it may be 0 or 1"),
        ("ren", "ww2/4/4/4 b rui=1,0", r"rui can't be \[1, 0, .*: squares ascend, and -1 follows"),
        ("ren", "ww2/4/4/4 b rui=-1,0", r"rui can't be \[-1, 0, .*: squares ascend, and -1 follows"),
        ("ren", "ww2/4/4/4 b rui=2", "rui can't hold 2: no stone of White is there"),
        ("ren", "ww2/4/4/4 b rui=16", "rui can't hold 16: no stone of White is there"),
        ("ren", "ww2/4/4/4 w rui=0", "rui can't hold 0: no stone of Black is there"),
        ("ren", "ww2/4/4/4 b rui=0 replacements=3", "no stone is weak when the rui limit is reached"),
        ("rive", "3/4/bbb2/4/3 b shrinking=7", "shrinking can't be 7 while excess is 0"),
        ("rive", "3/4/bbb2/4/3 b excess=1 shrinking=19", "shrinking can't be 19: it may be 0 to 18"),
        ("rive", "3/4/bbb2/4/3 b excess=1", "shrinking can't be -1: it may be 0 to 18"),
        ("rive", "3/4/bbb2/4/3 b excess=1 shrinking=0", "shrinking can't be 0: no stone is there"),
        ("rive", "3/4/bbb2/4/3 b excess=2 shrinking=7", "excess can't be 2: .* group of 3"),
        ("rive", "3/4/bbb2/4/3 b excess=-1 shrinking=7", "excess can't be -1: .* group of 3"),
        ("rings", "2/4/4/4/4/4/2 b converting=2", "converting can't be 2: it may be 0 or 1"),
        ("rings", "2/4/4/4/4/4/2 b converting=1", "Black has no circle to convert"),
        ("rings", "2/4/4/4/4/4/2 b passes=4", "passes can't be 4: it may be 0 to 3"),
    ],
)
def test_what_is_wrong_is_named_with_what_would_be_right(name: str, text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        board(name).position(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("name", "text", "proper"),
    [
        ("rin", "04/4/4/4 b", "4/4/4/4 b"),
        ("rin", "0b3/4/4/4 b", "b3/4/4/4 b"),
        ("rin", "4/4/4/4 b left_in_turn=1", "4/4/4/4 b"),
        ("rin", "4/4/4/4 b left_in_turn=02", "4/4/4/4 b left_in_turn=2"),
        ("ren", "4/4/4/4 b passes=1 points=2", "4/4/4/4 b points=2 passes=1"),
        ("ren", "4/4/4/4 b points=2,0", "4/4/4/4 b points=2"),
        ("rive", "3/4/bbb2/4/3 b excess=1 shrinking=8", "3/4/bbb2/4/3 b excess=1 shrinking=7"),
        ("lin", "bw3/1w3/1w3/w4/5 b", "1w3/1w3/1w3/w4/5 b"),
    ],
    ids=["zero", "no points", "usual", "zero before", "order", "usual at the end", "group", "dead stone"],
)
def test_a_position_has_one_text(name: str, text: str, proper: str) -> None:
    """A text that is understandable but not canonical is refused with the canonical text."""
    with pytest.raises(ValueError, match=re.escape(f"the closest is {proper!r}")):
        board(name).position(text)
    assert str(board(name).position(proper)) == proper


def test_keys_pickles_and_arrangements_are_looked_at_too() -> None:
    position = board("rin").start()
    unpickled, (game, key, *rest) = position.__reduce__()
    for wrong in (key[:-1] + b"\0", b"\2" + key[1:], key[:-3] + b"\0" + key[-2:]):
        with pytest.raises(ValueError, match="no position of"):
            position_from_key(game, wrong)
        with pytest.raises(ValueError, match="no position of"):
            unpickled(game, wrong, *rest)
    with pytest.raises(ValueError, match="left_in_turn can't be 0"):
        game.arranged({}, left_in_turn=0)
    with pytest.raises(ValueError, match=r"left_in_turn can't be 300: it holds numbers from -128 to 127"):
        game.arranged({}, left_in_turn=np.int16(300))
    assert pickle.loads(pickle.dumps(position)) == position


def random_positions(game: Game, chance: random.Random) -> list[Position]:
    positions = [game.start()]
    while not positions[-1].is_over and len(positions) < 200:
        positions.append(positions[-1].play_action(chance.choice(positions[-1].legal_actions())))
    return positions


def mutated(text: str, chance: random.Random) -> str:
    """A text with some characters inserted, deleted or replaced."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        start = chance.randrange(len(text) + 1)
        end = start + chance.randrange(2)
        text = text[:start] + chance.choice(("", chance.choice("bwrx01234/ =,-"))) + text[end:]
    return text


def played_on(position: Position, chance: random.Random) -> Position:
    """The position at the end of random play, or after 500 actions."""
    position.overlays()
    for _ in range(500):
        if position.is_over:
            return position
        position = position.play_action(chance.choice(position.legal_actions()))
    return position


@each_game
def test_what_is_read_of_damaged_texts_can_be_played(name: str) -> None:
    chance = random.Random(name)
    game, read, refused = board(name), 0, 0
    texts = [str(position) for position in random_positions(game, chance)]
    with use_mode("checked" if is_compiled(name) else "interpreted"):
        for _ in range(400):
            text = mutated(chance.choice(texts), chance)
            try:
                position = game.position(text)
            except ValueError:
                refused += 1
            else:
                assert str(position) == " ".join(text.lower().split())
                assert len(played_on(position, chance).scores()) == game.players
                read += 1
    assert read > 10
    assert refused > 10


def arranged_at_random(game: Game, chance: random.Random) -> Position:
    """A position with random stones, and plausible or extreme numbers in every field."""
    density = chance.random()
    stones = {
        name: chance.randrange(game.players) for name in game.geometry.names if chance.random() < density
    }
    start = game.start().state
    fields = {}
    for name in game.notation.usual:
        bounds = np.iinfo(start[name].dtype)
        likely = [*np.ravel(start[name]).tolist(), 0, 1, 2, 3, 5, bounds.min, bounds.max]
        numbers = [chance.choice(likely) for _ in np.ravel(start[name])]
        changed = chance.random() < 0.5
        fields[name] = np.reshape(numbers, start[name].shape) if changed else start[name]
    return game.arranged(stones, chance.randrange(game.players), **fields)


@each_game
def test_what_can_be_arranged_can_be_written_and_played(name: str) -> None:
    chance = random.Random(name)
    game, arranged = board(name), 0
    with use_mode("checked" if is_compiled(name) else "interpreted"):
        for _ in range(400):
            try:
                position = arranged_at_random(game, chance)
            except ValueError:
                continue
            assert game.position(str(position)) == position
            assert len(played_on(position, chance).scores()) == game.players
            arranged += 1
    assert arranged > 10
