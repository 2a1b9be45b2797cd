"""Records of Rin 4×4 and of quick games for tests."""

import random

import pytest

import kakomi
from kakomi.core import Game
from kakomi.records import (
    Record,
    RecordError,
    Turn,
    checked,
    recorded,
)
from recorded_games import quick_games

by_game = pytest.mark.parametrize("game", quick_games(), ids=lambda game: game.name)


def turn(player: int, *actions: str, after: int | None = None, **fields: object) -> Turn:
    return Turn(player=player, actions=actions, after=after, **fields)


def rin(*turns: Turn, **fields: object) -> Record:
    return Record(game="rin", options={"size": 4}, turns=turns, **fields)


RIN = kakomi.game("rin", size=4)
FIRST = turn(0, "0,0")


def refused(record: Record, game: Game = RIN) -> str:
    with pytest.raises(RecordError) as error:
        checked(record, game)
    return str(error.value)


def finished(game: Game, seed: int = 1) -> Record:
    rng = random.Random(seed)
    position = game.start()
    while not position.is_over:
        position = position.play_action(rng.choice(position.legal_actions()))
    return recorded(game, position.actions_since(game.start()) or [])
