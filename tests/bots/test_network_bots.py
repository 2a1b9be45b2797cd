"""Bots advised by a network: names, networks that come with games, levels and analyses."""

import dataclasses
import hashlib
import sys
from pathlib import Path

import pytest

import kakomi
from kakomi import Game
from kakomi.bots import BotSpec, levels_of, make_bot, strongest_search, strongest_spec
from kakomi.core.level_config import Adviser, LevelConfig
from kakomi.search import AdvisedSearch


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("net:", "needs a limit above 0"),
        ("net:nowhere.npz", "needs a limit above 0"),
        ("net:nowhere.npz,cpu=1", "there is no file 'nowhere.npz'"),
        ("net:nowhere.npz,cpu=1,mix=2", "from 0, playouts alone, to 1"),
        ("net:nowhere.npz,cpu=1,threads=2", "no setting 'threads'"),
        (f"net:{__file__},cpu=1", "is no network"),
    ],
)
def test_a_network_that_cannot_play_is_refused_in_one_line(name: str, told: str) -> None:
    with pytest.raises(ValueError, match=told) as refused:
        make_bot(name)
    assert "\n" not in str(refused.value)


def test_without_a_runtime_a_network_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ValueError, match=r"onnxruntime is not installed: pip install 'kakomi\[nets\]'"):
        make_bot("net:any.onnx,cpu=1")


def test_a_level_may_be_a_number() -> None:
    assert make_bot(5).name == "level 5"


def test_a_network_advises_where_time_is_the_limit() -> None:
    """On one thread and the usual board; otherwise the patterns advise, or nothing does."""
    game = kakomi.game("rive")
    assert strongest_spec(game, is_repeatable=False) == BotSpec("net", mix=1)
    best, net = (make_bot(f"{kind}:simulations=64", seed=3).think(game.start()) for kind in ("best", "net"))  # type: ignore[attr-defined]
    assert best.lines == net.lines
    found = strongest_search(game, is_repeatable=False).run(game.start(), simulations=8)
    assert found.simulations == 8
    by_patterns = {strongest_spec(game), strongest_spec(game, threads=1, is_repeatable=True)}
    by_patterns.add(strongest_spec(game, threads=3, is_repeatable=False))
    by_patterns.add(strongest_spec(kakomi.game("rive", size=5), is_repeatable=False))
    assert {spec.kind for spec in by_patterns} == {"patterns"}
    assert strongest_spec(kakomi.game("lin", komi=2), is_repeatable=False).kind == "net"
    assert strongest_spec(kakomi.game("lin", size=9, komi=4), is_repeatable=False).kind == "net"
    assert strongest_spec(kakomi.game("lin", size=7), is_repeatable=False) == BotSpec()
    assert strongest_spec(kakomi.game("rings", players=3), is_repeatable=False) == BotSpec()


def test_a_search_is_compiled_with_its_network() -> None:
    search = BotSpec("net", mix=1).search_to_compile(kakomi.game("rive"))
    search.warm()
    assert search.is_compiled() and not search.warm() and type(search) is AdvisedSearch


@pytest.fixture
def networked() -> Game:
    """A game whose two highest levels are advised by a network."""
    description = kakomi.game("rive").description
    higher = [LevelConfig(simulations, adviser=Adviser.NETWORK) for simulations in (8, 16)]
    levels = (*description.levels[:10], *higher)
    return Game(dataclasses.replace(description, levels=levels), {"size": 3})


def test_levels_may_go_by_a_network(networked: Game) -> None:
    assert levels_of(networked.description) == range(1, 13)
    bot = make_bot("12")
    assert bot.choose(networked.start()) in networked.start().legal_actions()
    assert bot.last_report is not None and bot.last_report.simulations == 16
    with pytest.raises(ValueError, match=r"^rive has no level 13; it has levels 1 to 12$"):
        make_bot("13").check(networked)


WITH_NETWORK = [name for name in kakomi.names() if kakomi.game(name).description.measured_file("network.npz")]


@pytest.mark.parametrize("name", WITH_NETWORK)
def test_a_network_that_comes_with_a_game_plays_boards_of_all_sizes(name: str) -> None:
    description = kakomi.game(name).description
    for options in ({}, description.quick, description.ladder_options):
        game = kakomi.game(name, **options)
        bot = make_bot("net:simulations=8,mix=1", seed=1)
        bot.check(game)
        position = game.start()
        for _ in range(3):
            position = position.play_action(bot.choose(position))
        assert position.ply == 3


@pytest.mark.parametrize("name", WITH_NETWORK)
def test_the_page_on_networks_has_the_card_of_each_that_comes_with_a_game(name: str) -> None:
    file = kakomi.game(name).description.measured_file("network.npz")
    assert file is not None
    page = Path(__file__).parents[2] / "docs" / "networks.md"
    assert hashlib.sha256(file.read_bytes()).hexdigest()[:16] in page.read_text(encoding="utf-8")
