"""The Python interface for other programs."""

import doctest
import importlib
import pkgutil
import threading
from pathlib import Path

import pytest

import kakomi
from kakomi import Game, IllegalAction, Position


def test_the_interface_as_it_is_documented() -> None:
    assert kakomi.names() == ["lin", "ren", "rin", "rings", "rive"]
    game = kakomi.game("rin", size=8)
    position = game.start()
    assert position.legal()[:2] == ["0,0", "0,1"]
    assert position.legal_actions() == list(range(64))
    following = position.play("3,4")
    assert following == position.play_action(28)
    assert (following.to_move, following.is_over) == (1, False)
    assert following.stones() == {"3,4": 0}
    assert following.scores() == [1, 0]
    assert position.stones() == {}
    assert "X" in following.text()
    assert following.svg().startswith("<svg")
    with pytest.raises(ValueError, match="over"):
        following.returns()
    with pytest.raises(IllegalAction, match="3,4 can't be played"):
        following.play("3,4")
    assert issubclass(IllegalAction, ValueError)
    assert isinstance(game, Game)
    assert isinstance(position, Position)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("rin", {"size": 16}),
        ("rive", {"size": 4}),
        ("lin", {"size": 13, "line": 6, "komi": 0}),
        ("ren", {"size": 10, "rui_limit": 3, "lead": 0}),
        ("rings", {"size": 6, "players": 2}),
    ],
)
def test_default_options(name: str, options: dict[str, int]) -> None:
    assert kakomi.game(name).options == options
    assert kakomi.game(name) == kakomi.game(name, **options)


@pytest.mark.parametrize(
    ("name", "options", "possible"),
    [
        ("rin", {"size": 7}, "4 to 18, even"),
        ("rin", {"size": 20}, "4 to 18, even"),
        ("rive", {"size": 9}, "2 to 8"),
        ("rive", {"size": 1}, "2 to 8"),
        ("lin", {"size": 8}, "5 to 19, odd"),
        ("lin", {"size": 5, "line": 6}, "3, 4 or 5"),
        ("lin", {"size": 7, "komi": 3}, "even"),
        ("lin", {"size": 5, "komi": 26}, "even"),
        ("ren", {"size": 13}, "4 to 12"),
        ("rings", {"size": 7}, "2 to 6"),
        ("rings", {"players": 7}, "2 to 6"),
    ],
)
def test_a_board_that_cannot_be_is_refused_with_what_can(
    name: str, options: dict[str, int], possible: str
) -> None:
    with pytest.raises(ValueError, match=possible) as caught:
        kakomi.game(name, **options)
    option = list(options)[-1]
    assert str(caught.value).startswith(f"{option} {options[option]} isn't possible in {name}")


def test_the_package_shows_what_it_offers() -> None:
    assert set(dir(kakomi)) >= {"Game", "IllegalAction", "Position", "__version__", "game", "names"}
    with pytest.raises(AttributeError, match="'no_such_thing'"):
        kakomi.no_such_thing  # noqa: B018


def test_threads_share_a_game() -> None:
    """Each thread has its own working space, so games played in parallel don't interfere."""
    game = kakomi.game("rin", size=8)
    expected = _played(game)
    found: list[list[bytes]] = []
    threads = [threading.Thread(target=lambda: found.append(_played(game))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def _played(game: Game) -> list[bytes]:
    position, keys = game.start(), []
    while not position.is_over:
        legal = position.legal_actions()
        position = position.play_action(legal[position.ply * 7 % len(legal)])
        keys.append(position.key())
    return keys


def test_a_long_line_of_positions_can_be_let_go() -> None:
    """A position refers to the one before it; freeing a long chain must not overflow the stack."""
    game = kakomi.game("ren", size=4)
    position = game.start()
    for ply in range(100_000):
        position = Position(game, game.start().states(), 0, ply, past=(position, 0))
    del position


def modules_with_examples() -> list[str]:
    """The modules of the package that contain Python examples."""
    names = [module.name for module in pkgutil.walk_packages(kakomi.__path__, "kakomi.")]
    sources = {name: importlib.util.find_spec(name) for name in ["kakomi", *names] if "__main__" not in name}
    return [name for name, spec in sources.items() if ">>> " in Path(spec.origin).read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_the_code_do_what_they_say(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.attempted > 0
    assert results.failed == 0


def test_actions_since_follows_play_and_nothing_else() -> None:
    start = kakomi.game("rin", size=4).start()
    middle = start.play("0,0").play("1,1")
    end = middle.play("2,2")
    assert end.actions_since(start) == [0, 5, 10]
    assert end.actions_since(middle) == [10]
    assert end.actions_since(end) == []
    assert middle.actions_since(end) is None
    arranged = [start.game.arranged({"0,0": 0}, 1) for _ in range(2)]
    assert arranged[0] == arranged[1]
    assert arranged[0].actions_since(arranged[1]) is None
    assert end.actions_since(arranged[0]) is None


def test_what_was_played_is_told_from_wherever_a_game_began() -> None:
    game = kakomi.game("rin", size=4)
    assert game.start().played() == []
    for start in (game.start(), game.position("4/1b2/4/4 w left_in_turn=2")):
        end = start.play("0,0").play("3,3")
        assert [game.action_texts[action] for action in end.played()] == ["0,0", "3,3"]
