"""What turns achieve by the rules, and why a game was won."""

import random
import re

import pytest

from kakomi import catalog
from kakomi.core import Game, Position
from kakomi.core.effects import PlayedTurn, played_turns, summed, turn_in_words, why_won

GAMES = {
    "rin": {"size": 6},
    "rive": {"size": 3},
    "lin": {"size": 7, "komi": 4},
    "ren": {"size": 6},
    "rings": {"size": 2, "players": 3},
}


def random_game(name: str, seed: int) -> tuple[Game, list[Position], list[int]]:
    """A game with its positions and actions."""
    rng, game = random.Random(seed), catalog.game(name, **GAMES[name])
    positions, actions = [game.start()], list[int]()
    while not positions[-1].is_over and len(actions) < 300:
        legal = [action for action in positions[-1].legal_actions() if game.actions[action].kind != "pass"]
        actions.append(rng.choice(legal or positions[-1].legal_actions()))
        positions.append(positions[-1].play_action(actions[-1]))
    return game, positions, actions


def counts(turn: PlayedTurn) -> dict[str, int]:
    """The achievements by the last word of their plurals, such as `captured`."""
    return {deed.many.removeprefix("{count} "): deed.values["count"] for deed in turn.achievements}


def played(name: str, texts: str, **options: int) -> list[PlayedTurn]:
    game = catalog.game(name, **(options or GAMES[name]))
    return played_turns(game.start(), [game.action(text) for text in texts.split()])


@pytest.mark.parametrize("seed", range(5))
def test_rings_of_rin_account_for_every_stone_that_changes(seed: int) -> None:
    game, positions, actions = random_game("rin", seed)
    for before, action, after in zip(positions, actions, positions[1:], strict=False):
        found = counts(played_turns(before, [action])[0])
        changed = dict(after.stones().items() - before.stones().items())
        gained = [point for point in changed if point != game.action_texts[action]]
        assert found.get("stones captured", 0) == sum(point in before.stones() for point in gained)
        assert found.get("points filled", 0) == sum(point not in before.stones() for point in gained)
        assert bool(found.get("rings closed")) == bool(gained)


def test_two_rings_closed_by_one_stone_count_twice() -> None:
    # Black's stone on 2,3 closes rings round 2,2 and 2,4.
    texts = "1,2 0,0 0,1 1,4 2,1 0,3 0,5 3,2 3,4 5,0 5,1 2,5 4,0 5,3 5,5"
    game = catalog.game("rin", size=6)
    actions = [game.action(text) for text in texts.split()]
    assert all(not turn.achievements for turn in played_turns(game.start(), actions))
    position = game.start()
    for action in actions:
        position = position.play_action(action)
    while position.to_move:
        position = position.play_action(position.legal_actions()[0])
    (turn,) = played_turns(position, [game.action("2,3")])
    assert counts(turn) == {"rings closed": 2, "points filled": 2}


@pytest.mark.parametrize("seed", range(5))
def test_groups_of_ren_add_up_to_the_score(seed: int) -> None:
    _, positions, actions = random_game("ren", seed)
    worth = {"rows of four": 1, "rows of six": 2, "boxes of four": 1, "boxes of six": 2}
    for before, action, after in zip(positions, actions, positions[1:], strict=False):
        found = counts(played_turns(before, [action])[0])
        if "boxes of nine" in found:
            assert after.is_over and len(found.keys() & worth.keys()) == 0
            continue
        gained = sum(worth.get(kind, 0) * count for kind, count in found.items())
        assert gained == after.scores()[before.to_move] - before.scores()[before.to_move]
        gone = before.stones().items() - after.stones().items()
        assert found.get("stones captured", 0) + found.get("stones replaced", 0) == len(gone)


@pytest.mark.parametrize("seed", range(5))
def test_points_cut_off_in_lin_are_lost_by_the_enemy(seed: int) -> None:
    _, positions, actions = random_game("lin", seed)
    for before, action, after in zip(positions, actions, positions[1:], strict=False):
        enemy = 1 - before.to_move
        lost = before.scores()[enemy] - after.scores()[enemy]
        assert lost - counts(played_turns(before, [action])[0]).get("points cut off", 0) in (0, 1)


@pytest.mark.parametrize("seed", range(5))
def test_captures_of_rive_are_its_removals(seed: int) -> None:
    game, positions, actions = random_game("rive", seed)
    for turn in played_turns(positions[0], actions):
        found = counts(turn)
        removals = sum(text.startswith("x") for text in turn.actions)
        assert found.get("stones captured", 0) + found.get("own stones removed", 0) == removals
    assert game.name == "rive"


@pytest.mark.parametrize("seed", range(5))
def test_conversions_of_rings_flip_what_changes_owner(seed: int) -> None:
    _, positions, actions = random_game("rings", seed)
    for before, action, after in zip(positions, actions, positions[1:], strict=False):
        found = counts(played_turns(before, [action])[0])
        was, now = before.stones(), after.stones()
        assert found.get("stones flipped", 0) == sum(was[point] != now[point] for point in was)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_the_reason_of_a_win_is_true(name: str, seed: int) -> None:
    game, positions, actions = random_game(name, seed)
    turns = played_turns(positions[0], actions)
    assert [text for turn in turns for text in turn.actions] == [game.action_texts[each] for each in actions]
    best = max(turns[-1].scores)
    for player, name_of in enumerate(game.player_names):
        said = why_won(positions[0], turns, player, is_played_out=True)
        is_winner = turns[-1].scores.count(best) == 1 and turns[-1].scores[player] == best
        if not is_winner:
            assert not said
            continue
        leads = [
            turn.scores[player] - max(score for other, score in enumerate(turn.scores) if other != player)
            for turn in turns
        ]
        if said.startswith("The komi"):
            assert player == 1 and leads[-1] < game.options["komi"]
            continue
        assert said.startswith(name_of)
        number = re.search(r"on move (\d+) with|from move (\d+) on", said)
        if number is None:
            assert min(leads) > 0
            continue
        at = int(number[1] or number[2])
        if "gains the most" not in said:
            assert min(leads[at - 1 :]) > 0 and (at == 1 or leads[at - 2] <= 0 or name == "lin")
        if number[1]:
            turn = turns[at - 1]
            assert turn.player == player and turn_in_words(turn.actions) in said
            assert all(deed in said for deed in turn.achievements)


def test_komi_that_exceeds_the_margin_decides() -> None:
    game = catalog.game("lin", size=7, komi=40)
    turns = [PlayedTurn(1, 0, ("d4",), (), (30.0, 59.0))]
    said = why_won(game.start(), turns, 1, is_played_out=True)
    assert said == "The komi of 40 decides it: 30 : 19 on the board."
    assert not why_won(game.start(), turns, 1, is_played_out=False), "komi doesn't decide an unfinished game"


def test_deeds_add_up_over_turns() -> None:
    first = played("ren", "a1 f1 b1 f2 c1 f3 d1")
    assert counts(first[-1]) == {"rows of four": 1}
    total = summed(count for turn in (first[-1], first[-1]) for count in turn.counts)
    assert [deed for deed in total if deed.values["count"]] == ["2 rows of four"]
