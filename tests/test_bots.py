"""Bots: their names, their seeds, their limits, and that higher levels are stronger."""

import threading
import time
from itertools import pairwise

import pytest

import kakomi
from kakomi import Game
from kakomi.bots import LEVELS, Bot, RandomBot, SearchBot, make_bot
from kakomi.bots.komi import fair_komi

RIN = kakomi.game("rin", size=6)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("random", "random"),
        ("1", "level 1"),
        ("10", "level 10"),
        ("time:2.5", "2.5 s an action"),
        ("simulations:5000", "5,000 simulations an action"),
    ],
)
def test_bots_have_names(name: str, told: str) -> None:
    assert make_bot(name).name == told


@pytest.mark.parametrize(
    "name", ["", "0", "11", "level", "time:", "time:0", "time:nan", "time:inf", "simulations:0"]
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="levels 1 to 10"):
        make_bot(name)


def test_levels_rise() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 11))
    assert all(low.simulations < high.simulations for low, high in pairwise(LEVELS))


@pytest.mark.parametrize("name", ["random", "3"])
def test_the_same_seed_chooses_the_same(name: str) -> None:
    def game_of(seed: int) -> list[int]:
        bot, position = make_bot(name, seed=seed), RIN.start()
        actions = []
        while not position.is_over:
            actions.append(bot.choose(position))
            position = position.play_action(actions[-1])
        return actions

    assert game_of(1) == game_of(1)
    assert game_of(1) != game_of(2)


def wins(strong: Bot, weak: Bot, game: Game, games: int) -> float:
    """How much of its games a bot wins, beginning every other one."""
    won = 0.0
    for number in range(games):
        bots = (strong, weak) if number % 2 == 0 else (weak, strong)
        position = game.start()
        while not position.is_over:
            position = position.play_action(bots[position.to_move].choose(position))
        won += (position.returns()[bots.index(strong)] + 1) / 2
    return won / games


def test_a_higher_level_is_stronger() -> None:
    assert wins(make_bot("6", seed=1), make_bot("2", seed=2), RIN, 10) >= 0.8
    assert wins(make_bot("2", seed=1), make_bot("random", seed=2), RIN, 10) >= 0.8


def test_a_bot_stops_when_it_is_told() -> None:
    stop = threading.Event()
    bot = SearchBot(seconds=600, seed=1)
    threading.Timer(0.3, stop.set).start()
    started = time.monotonic()
    assert bot.choose(RIN.start(), stop=stop) in RIN.start().legal_actions()
    assert time.monotonic() - started < 60


def test_a_bot_tells_how_far_it_is() -> None:
    parts: list[float] = []
    bot = SearchBot(simulations=200_000, seed=1)
    bot.progress = parts.append
    bot.choose(RIN.start())
    assert parts == sorted(parts)
    assert parts[-1] == 1


def test_the_only_action_needs_no_search() -> None:
    position = kakomi.game("rin", size=4).start()
    while len(position.legal_actions()) > 1:
        position = position.play_action(position.legal_actions()[0])
    assert SearchBot(seconds=600).choose(position) == position.legal_actions()[0]


def test_nothing_can_be_chosen_when_the_game_is_over() -> None:
    position, bot = RIN.start(), RandomBot(1)
    while not position.is_over:
        position = position.play_action(bot.choose(position))
    with pytest.raises(ValueError, match="over"):
        bot.choose(position)
    with pytest.raises(ValueError, match="over"):
        SearchBot(simulations=10).think(position)


def test_one_bot_can_turn_to_another_game() -> None:
    bot = make_bot("3", seed=1)
    for game in (RIN, kakomi.game("lin", size=5), kakomi.game("lin", size=5, komi=4)):
        assert bot.choose(game.start()) in game.start().legal_actions()


def test_a_fair_komi_is_one_that_may_be_named() -> None:
    """RULES L4, L5."""
    game = kakomi.game("lin", size=7)
    komi = fair_komi(game, 1)
    assert komi in range(0, 49, 2)
    assert fair_komi(kakomi.game("lin", size=7, komi=10), 1) == komi, "whatever komi is played with now"
    assert make_bot("3", seed=1).choose_player(game, komi + 10) == 1
    assert make_bot("3", seed=1).choose_player(game, komi - 10) == 0
    with pytest.raises(ValueError, match="no komi"):
        fair_komi(RIN)
