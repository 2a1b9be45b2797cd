"""Random openings."""

import pytest

import kakomi
from kakomi.core import Game, Position
from kakomi.study.matches.games import opening

QUICK = [(name, dict(kakomi.catalog.describe(name).quick)) for name in kakomi.names()]
RINGS = ("rings", {"size": 2, "players": 3})


def after(game: Game, actions: list[int]) -> Position:
    position = game.start()
    for action in actions:
        position = position.play_action(action)
    return position


@pytest.mark.parametrize(("name", "options"), [*QUICK, RINGS])
def test_an_opening_is_a_few_whole_turns_of_a_game_that_goes_on(name: str, options: dict[str, int]) -> None:
    game = kakomi.game(name, **options)
    openings = [opening(game, seed, 5) for seed in range(8)]
    assert len({tuple(actions) for actions in openings}) > 1
    for actions in openings:
        position = after(game, actions)
        assert not position.is_over and not position.turn
        assert len(actions) >= 5 and after(game, actions[:4]).ply < 5
        assert "pass" not in {game.actions[action].kind for action in actions}
    assert openings[3] == opening(game, 3, 5)


def test_an_opening_may_be_empty() -> None:
    assert opening(kakomi.game("rin", size=4), 1, 0) == []


def test_a_game_that_is_always_decided_still_has_one() -> None:
    game = kakomi.game("rive", size=2)
    assert opening(game, 1, 1_000)  # all openings are complete games, so the first is used
