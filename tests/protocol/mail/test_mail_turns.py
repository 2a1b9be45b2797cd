"""Turns as people write them, in all five games."""

import random
import re

import pytest

import kakomi
from kakomi.core import IllegalAction
from kakomi.protocol.mail import read_turn, read_turns, turns_in
from kakomi.protocol.mail.turns import turns_of
from kakomi.session import Match, MatchConfig, Seat

GAMES = [
    ("rin", {"size": 6}),
    ("rive", {"size": 3}),
    ("lin", {"size": 5}),
    ("ren", {"size": 5}),
    ("rings", {"size": 2, "players": 3}),
]


def random_turn(position, rng):
    """The actions of a random turn, and the position after it."""
    texts, begun = [], position
    while position is begun or (position.turn and not position.is_over):
        texts.append(rng.choice(position.legal()))
        position = position.play(texts[-1])
    return texts, position


def spellings(texts, rng):
    """The ways in which different people write the same turn."""
    yield " ".join(texts)
    yield "  ".join(texts).upper()
    yield " ".join(f"({text})" for text in texts)
    yield "; ".join(texts)
    yield " ".join(text.replace(",", ", ") for text in texts)
    yield " ".join(f"*{text}*" for text in texts)
    yield " ".join(
        re.sub(r"([a-z])(\d)", r"\1 \2", text.replace(",", "-"), flags=re.I) for text in texts
    ).upper()
    yield "; ".join(re.sub(r"([a-z])(\d)", r"\1-\2", text.replace(",", "."), flags=re.I) for text in texts)
    yield " - ".join(texts)
    if "," not in texts[0]:
        yield ",".join(texts)
    removals = [text for text in texts[1:] if text.startswith("x")]
    if len(removals) == len(texts) - 1:  # from one group, in any order
        rng.shuffle(removals)
        yield " ".join([texts[0], *removals])


@pytest.mark.parametrize(("name", "options"), GAMES, ids=[name for name, _ in GAMES])
def test_whole_games_turn_by_turn_in_all_spellings(name, options):
    rng = random.Random(name)
    position = kakomi.game(name, **options).start()
    for _ in range(40):
        if position.is_over:
            break
        texts, after = random_turn(position, rng)
        for text in spellings(texts, rng):
            if "convert" in {
                position.game.actions[position.game.action(part)].kind for part in texts
            } and text != " ".join(texts):
                continue  # conversions are read in the order given
            assert read_turn(position, text).position == after, text
        position = after


def test_the_end_of_a_turn_need_not_be_written():
    game = kakomi.game("rings", size=2)
    position = game.start()
    rng = random.Random(5)
    ended = 0
    while not position.is_over:
        texts, after = random_turn(position, rng)
        if texts[-1] == "end":
            ended += 1
            assert read_turn(position, " ".join(texts[:-1])).position == after
            assert read_turn(position, " ".join(texts[:-1])).actions == tuple(texts)
        position = after
    assert ended


@pytest.mark.parametrize(
    ("game", "text", "parts"),
    [
        ("rin", "3,4 5,6", ["your move ends with 3,4", "5,6"]),
        ("rin", "q9", ["'q9' isn't an action in Rin"]),
        ("rin", "", ["there is no move here: write its actions, as in"]),
        ("rin", "hello there 3", ["'hello' isn't an action in Rin"]),
        ("lin", "a1 b2", ["your move ends with a1", "b2"]),
        ("ren", "K12", ["there is no point 'K12' on this board: points are a1 to j10"]),
        ("rin", "20,3", ["there is no point '20,3' on this board", "0,0 to 15,15"]),
        ("rive", "a1 xF-6", ["there is no point 'xF-6' on this board"]),
        ("ren", "Z", ["'Z' isn't an action in Ren"]),
        ("rings", "xLM2", ["can't be played"]),
    ],
)
def test_what_is_no_turn(game, text, parts):
    with pytest.raises(IllegalAction) as caught:
        read_turn(kakomi.game(game).start(), text)
    assert all(part in str(caught.value) for part in parts), caught.value


def test_half_a_turn_is_none():
    position = kakomi.game("rin", size=8).start().play("3,4")
    with pytest.raises(IllegalAction, match="5,6 isn’t a complete move: place the second of two stones"):
        read_turn(position, "5,6")
    assert not read_turns(position, "5,6")[-1].is_whole


def test_several_turns_for_previews():
    game = kakomi.game("rings", size=3, players=3)
    turns = read_turns(game.start(), "F1 G1 pass H2")
    assert [turn.actions for turn in turns] == [("F1",), ("G1",), ("pass",), ("H2",)]
    assert turns[-1].position == game.start().play("F1").play("G1").play("pass").play("H2")
    assert read_turns(game.start(), "") == ()


@pytest.mark.parametrize("name", kakomi.names())
def test_nobody_has_a_turn_once_the_game_is_over(name):
    """A preview that continued beyond the end would never finish, and use up all memory."""
    game, choose = kakomi.game(name, **kakomi.game(name).description.quick), random.Random(1)
    path = [game.start()]
    while not path[-1].is_over:
        path.append(path[-1].play_action(choose.choice(path[-1].legal_actions())))
    last = game.action_texts[path[-1].actions_since(path[-2])[0]]
    for position, text in ((path[-1], last), (path[-2], f"{last} {last}")):
        for read in (read_turn, read_turns):
            with pytest.raises(IllegalAction):
                read(position, text)
    with pytest.raises(IllegalAction, match="the game is over"):
        read_turns(path[-1], last)


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "a1 " * 50_000, "1," * 50_000, ",", "#", "x", "()", "\x00", "٣,٤", "3,,4", "3,4,"]
)
@pytest.mark.parametrize("name", [name for name, _ in GAMES])
def test_no_text_breaks_it(name, text):
    position = kakomi.game(name).start()
    for read in (read_turn, read_turns):
        try:
            read(position, text)
        except IllegalAction as error:
            assert len(str(error)) < 10_000


def test_turns_are_counted_over_all_games_of_a_match():
    match = Match.begun(MatchConfig(kakomi.game("rin", size=4), games=2), [Seat("a"), Seat("b")])
    assert turns_in(match) == 0
    rng = random.Random(1)
    turns = 0
    while len(match.games) == 1:
        texts, _ = random_turn(match.position, rng)
        match = match.play(match.to_act, " ".join(texts))
        turns += 1
        assert turns_in(match) == turns
    assert [turn.player for turn in turns_of(match.games[0])][:3] == [0, 1, 0]
