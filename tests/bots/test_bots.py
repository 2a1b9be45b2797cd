"""Bots: names, seeds, limits and the strength of levels."""

import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import kakomi
from kakomi import Game, Position
from kakomi.bots import (
    NUMBERS,
    Bot,
    BotSpec,
    RandomBot,
    SearchBot,
    levels_of,
    make_bot,
    strongest_search,
)
from kakomi.bots.komi import fair_komi
from kakomi.core.i18n import truncated_repr
from kakomi.core.known_results import FairKomi, KomiTable
from kakomi.core.level_config import MOST_LEVELS, Adviser
from kakomi.search import PatternSearch, PatternTable, Search

RIN = kakomi.game("rin", size=6)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("random", "random"),
        ("1", "level 1"),
        ("10", "level 10"),
        ("time:2.5", "2.5 s per action"),
        ("simulations:5000", "5,000 simulations per action"),
    ],
)
def test_bots_have_names(name: str, told: str) -> None:
    assert make_bot(name).name == told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        *((name, "levels 1 to 10") for name in ("", "0", "21", "level", "uct")),
        *((name, "seconds is") for name in ("time:", "time:nan", "time:inf", "time:-1", "search:seconds")),
        *((name, "needs a limit above 0") for name in ("time:0", "simulations:0", "search:threads=2")),
        ("search:simulations=9,colour=3", "no setting 'colour'"),
        *(
            (f"search:simulations=9,{name}=0", f"{name} is 0; it must be above 0")
            for name in ("prior_visits", "prior_scale", "margin_scale")
        ),
        ("uct:simulations=9,equivalence=3", "no setting 'equivalence'"),
        ("search:seconds=1,cpu=1", "not both"),
        ("search:cpu=1,threads=2", "threads must be"),
        ("search:simulations=9,threads=0", "threads must be"),
    ],
)
def test_other_names_are_refused(name: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        make_bot(name)


@pytest.mark.parametrize("name", [0, 21, -1, 10**5000, True, 5.0, None, b"5", ["5"]], ids=truncated_repr)
def test_what_is_no_name_is_refused_in_one_line(name: Any) -> None:
    with pytest.raises(ValueError, match="levels 1 to 10") as refused:
        make_bot(name)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 300


RANKS = {adviser: rank for rank, adviser in enumerate(Adviser)}


@pytest.mark.parametrize("name", kakomi.names())
def test_levels_rise(name: str) -> None:
    description = kakomi.game(name).description
    levels = description.levels
    assert len(NUMBERS) == 10 and len(levels_of(description)) == len(levels) <= MOST_LEVELS
    assert {level.adviser for level in levels[:10]} <= {Adviser.NOBODY, Adviser.PRIOR}
    assert {level.adviser for level in levels[10:]} <= {Adviser.PATTERNS, Adviser.NETWORK}
    for low, high in pairwise(levels):
        assert low != high
        assert RANKS[high.adviser] >= RANKS[low.adviser]
        if high.adviser is low.adviser:
            assert low.simulations <= high.simulations and low.temperature >= high.temperature


def test_a_bot_says_which_games_it_cannot_play(tmp_path: Path) -> None:
    make_bot("10").check(RIN)
    with pytest.raises(ValueError, match="rin has no level 20; it has levels 1 to 1"):
        make_bot("20").check(RIN)
    with pytest.raises(ValueError, match="rin has no level 20; it has levels 1 to 1"):
        make_bot("mirror:20").choose(RIN.start())
    with pytest.raises(ValueError, match=r"no network\.npz comes with rin: name a file"):
        make_bot("net:cpu=1").check(RIN)
    PatternTable.blank(kakomi.game("rive")).save(tmp_path / "rive.npz")
    with pytest.raises(ValueError, match="the patterns are of rive, and not for"):
        make_bot(f"patterns:{tmp_path / 'rive.npz'},cpu=1").check(RIN)


@pytest.mark.parametrize("name", kakomi.names())
def test_advice_is_by_patterns_where_a_game_has_any(name: str) -> None:
    game = kakomi.game(name, **kakomi.game(name).description.quick)
    has_patterns = game.description.measured_file("patterns.npz") is not None
    assert type(strongest_search(game, memory_mb=1)) is (PatternSearch if has_patterns else Search)
    assert has_patterns == any(level.adviser is Adviser.PATTERNS for level in game.description.levels)


@pytest.mark.parametrize("is_repeatable", [True, False])
def test_advice_for_more_than_two_players_is_by_search_alone(is_repeatable: bool) -> None:
    game = kakomi.game("rings", size=2, players=3)
    assert type(strongest_search(game, memory_mb=1, is_repeatable=is_repeatable)) is Search


def test_patterns_advise_threads_of_one_tree() -> None:
    game = kakomi.game("rive", size=3)
    report = strongest_search(game, threads=3, seed=4).run(game.start(), simulations=2_000)
    assert report.simulations == 2_000 or report.is_proven
    assert sum(line.visits for line in report.lines) <= report.simulations
    assert make_bot("patterns:simulations=300,threads=2").choose(game.start()) in game.start().legal_actions()


def test_a_temperature_chooses_among_what_was_searched() -> None:
    """It never chooses a losing action if there is another, and always an immediate win."""
    game = kakomi.game("ren", size=4)
    chosen = {
        make_bot("search:simulations=60,temperature=1", seed=seed).choose(game.start()) for seed in range(9)
    }
    assert len(chosen) > 2
    assert len({make_bot("simulations:60", seed=1).choose(game.start()) for _ in range(3)}) == 1


def test_the_beginner_takes_what_scores_most() -> None:
    ren = kakomi.game("ren", size=8)
    row = ren.arranged({"b4": 0, "c4": 0, "d4": 0, "g7": 1})
    taken = {ren.action_texts[make_bot("beginner", seed=seed).choose(row)] for seed in range(8)}
    assert taken == {"a4", "e4"}
    assert len({make_bot("beginner", seed=seed).choose(ren.start()) for seed in range(8)}) > 4
    with pytest.raises(ValueError, match="the game is over"):
        make_bot("beginner").choose(_finished(RIN))


def _finished(game: Game) -> Position:
    position, bot = game.start(), RandomBot(1)
    while not position.is_over:
        position = position.play_action(bot.choose(position))
    return position


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
    """The share of games that a bot wins, moving first in every other one."""
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
    assert wins(make_bot("4", seed=1), make_bot("random", seed=2), RIN, 10) >= 0.8


def test_a_bot_stops_when_it_is_told() -> None:
    stop = threading.Event()
    bot = make_bot("time:600", seed=1)
    threading.Timer(0.3, stop.set).start()
    started = time.monotonic()
    assert bot.choose(RIN.start(), stop=stop) in RIN.start().legal_actions()
    assert time.monotonic() - started < 60


def test_a_bot_tells_how_far_it_is() -> None:
    parts: list[float] = []
    bot = make_bot("simulations:200000", seed=1)
    bot.progress = parts.append
    bot.choose(RIN.start())
    assert parts == sorted(parts)
    assert parts[-1] == 1


def test_the_only_action_needs_no_search() -> None:
    position = kakomi.game("rin", size=4).start()
    while len(position.legal_actions()) > 1:
        position = position.play_action(position.legal_actions()[0])
    assert make_bot("time:600").choose(position) == position.legal_actions()[0]


def test_nothing_can_be_chosen_when_the_game_is_over() -> None:
    position, bot = RIN.start(), RandomBot(1)
    while not position.is_over:
        position = position.play_action(bot.choose(position))
    with pytest.raises(ValueError, match="over"):
        bot.choose(position)
    with pytest.raises(ValueError, match="over"):
        SearchBot(BotSpec(simulations=10)).think(position)


def test_a_level_thinks_and_swaps_with_the_strength_of_its_game() -> None:
    position = RIN.start().play("2,2")
    bot, same = make_bot("3", seed=1), make_bot("3", seed=1)
    report = bot.think(position)  # type: ignore[attr-defined]
    assert report.simulations > 0 and len(report.chances) == 2
    assert bot.wants_swap(position) == (same.think(position).returns[1] < 0)  # type: ignore[attr-defined]


def test_seconds_may_be_of_processor_time() -> None:
    report = make_bot("search:cpu=0.02").think(RIN.start())  # type: ignore[attr-defined]
    assert report.simulations > 0


def test_one_bot_can_turn_to_another_game() -> None:
    bot = make_bot("3", seed=1)
    for game in (RIN, kakomi.game("lin", size=5), kakomi.game("lin", size=5, komi=4)):
        assert bot.choose(game.start()) in game.start().legal_actions()


@pytest.mark.parametrize("name", ["random", "3"])
def test_a_bot_names_a_komi_and_chooses_by_it(name: str) -> None:
    """RULES L4, L5."""
    game, bot = kakomi.game("lin", size=7), make_bot(name, seed=1)
    komi = bot.name_komi(game)
    assert komi in range(0, 49, 2)
    assert bot.name_komi(kakomi.game("lin", size=7, komi=10)) == komi, "whatever komi is played with now"
    assert bot.choose_player(game, komi + 10) == 1
    with pytest.raises(ValueError, match="no komi"):
        bot.name_komi(RIN)


@pytest.mark.parametrize("name", ["random", "3", "simulations:2500"])
def test_a_bot_goes_by_the_fair_komi_that_was_measured(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, bot = kakomi.game("lin", size=9), make_bot(name, seed=1)
    board = {"size": 9, "line": 6}
    table = KomiTable(curve=(FairKomi(options=board, fair=26.7, low=24.0, high=29.0),))
    monkeypatch.setattr(type(game.description), "fair_komis", table)
    assert bot.name_komi(game) == 26
    assert [bot.choose_player(game, komi) for komi in (0, 26, 28, 80)] == [0, 0, 1, 1]


@pytest.mark.parametrize("name", ["random", "3"])
def test_a_bot_looks_for_a_komi_where_none_is_known(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, bot = kakomi.game("lin", size=7), make_bot(name, seed=1)
    monkeypatch.setattr(type(game.description), "fair_komis", KomiTable())
    komi = bot.name_komi(game)
    assert komi in range(0, 20, 2)
    assert bot.choose_player(game, komi + 10) == 1
    with pytest.raises(ValueError, match="no komi"):
        bot.name_komi(RIN)


@pytest.mark.parametrize("evens_out", [-3, 0, 2, 6, 24, 48, 60])
def test_a_fair_komi_is_found_wherever_it_lies(evens_out: int) -> None:
    tried: list[int] = []

    def leads(game: Game) -> float:
        tried.append(game.options["komi"])
        return float(evens_out - game.options["komi"])

    assert fair_komi(kakomi.game("lin", size=7), leads) == min(max(0, evens_out), 48)
    assert len(tried) <= 12
