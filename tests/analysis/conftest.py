"""A short game with a blunder, analysed once."""

import pytest

import kakomi
from analysis.given_away import EFFORT, TURNS, TURNS_ANALYSED
from kakomi.analysis import Analysis, analyse
from kakomi.core import Game
from kakomi.records import Record, Seat, recorded


@pytest.fixture(scope="session")
def game() -> Game:
    return kakomi.game("rive", size=3)


@pytest.fixture(scope="session")
def record(game: Game) -> Record:
    actions = TURNS.replace("/", " ").split()
    return recorded(game, actions, seats=(Seat(name="Ann"), Seat(bot="level 2")), event="Test & <match>")


@pytest.fixture(scope="session")
def analysis(record: Record, game: Game) -> Analysis:
    return analyse(record, game, EFFORT, turns=TURNS_ANALYSED, threads=2)
