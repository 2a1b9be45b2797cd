"""Random records of any game, with everything that a record can contain."""

import random
from typing import Any

import kakomi
from kakomi.core import Game, Position
from kakomi.records import (
    Match,
    Negotiation,
    Record,
    Resignation,
    Result,
    Seat,
    Turn,
    checked,
    result_by_rules,
)

AWKWARD = [
    "",
    "fine",
    "a]b\\c:[d",
    "two\nlines\n\n",
    " spaces  ",
    "囲み é ☃ 🎲",
    "\\",
    "]",
    "(;B[aa])",
    '"{}"',
]
"""Texts that a format could trip over."""


def quick_games() -> list[Game]:
    """Every game on its quick board."""
    return [kakomi.game(name, **kakomi.game(name).description.quick) for name in kakomi.names()]


def random_record(game: Game, seed: int, most_turns: int = 2000) -> Record:
    """A random game with comments, times and variations, some of them nested."""
    rng = random.Random(seed)
    positions = [game.start()]
    turns: list[Turn] = []
    extend(turns, positions, 0, most_turns, rng)
    end, length = positions[-1], len(turns)
    for _ in range(rng.randrange(7)):
        extend(turns, positions, rng.randrange(len(positions)), rng.randrange(1, 4), rng)
    record = Record(
        game=game.name,
        options=dict(game.options),
        seats=rng.choice([(), tuple(random_seat(rng) for _ in range(game.players))]),
        event=rng.choice(["", "Club night: [A] \\ B"]),
        date=rng.choice(["", "2026-01-31"]),
        comment=rng.choice(AWKWARD),
        negotiation=random_negotiation(game, rng),
        swapped_after=rng.choice([None, 0]) if game.players == 2 else None,
        match=rng.choice([None, Match(game=2, games=3, points=(1, 2.5, 3, 4, 5, 6)[: game.players])]),
        turns=tuple(turns),
        **random_ending(end, length, rng),
    )
    return checked(record, game)


def extend(
    turns: list[Turn], positions: list[Position], after: int, most_turns: int, rng: random.Random
) -> None:
    """Play on from a turn, unless none can follow it; occasionally a turn stays unfinished."""
    for _ in range(most_turns):
        start = positions[after]
        if start.is_over or start.turn:
            break
        position = random_turn(start, rng)
        played = [game_text(position, action) for action in position.turn or position.previous_turn]
        turns.append(
            Turn(
                after=after,
                player=start.to_move,
                actions=tuple(played),
                clock=rng.choice([None, None, 0.0, 12.5, 61.001]),
                seconds=rng.choice([None, None, 3.0, 0.125]),
                comment=rng.choice(AWKWARD) if rng.random() < 0.2 else "",
            )
        )
        positions.append(position)
        after = len(turns)


def random_turn(position: Position, rng: random.Random) -> Position:
    """The position after a random turn, which may break off after each action (probability 0.005)."""
    position = position.play_action(rng.choice(position.legal_actions()))
    while position.turn and rng.random() > 0.005:
        position = position.play_action(rng.choice(position.legal_actions()))
    return position


def game_text(position: Position, action: int) -> str:
    """The text of an action."""
    return position.game.action_texts[action]


def random_seat(rng: random.Random) -> Seat:
    """A random player."""
    return Seat(name=rng.choice(["", "Ann", "Bo [b] \\ "]), bot=rng.choice(["", "level 4", "x]y"]))


def random_negotiation(game: Game, rng: random.Random) -> Negotiation | None:
    """A random option of the game as if it had been negotiated, or None."""
    option, first = rng.choice(list(game.options)), rng.randrange(2)
    agreed = Negotiation(option=option, value=game.options[option], named_by=first, chosen_by=1 - first)
    return rng.choice([None, agreed])


def random_ending(end: Position, length: int, rng: random.Random) -> dict[str, Any]:
    """The fields for a random ending: by the rules if the game is over, otherwise any other kind or none."""
    if end.is_over:
        return {"result": result_by_rules(end)}
    players = list(range(end.game.players))
    rng.shuffle(players)
    winner, *losers = players
    match rng.choice(["unfinished", "resignation", "time", "forfeit", "agreement"]):
        case "unfinished":
            return {}
        case "resignation":
            resigned = tuple(Resignation(player=player, after=length) for player in losers)
            return {"resignations": resigned, "result": Result(reason="resignation", winners=(winner,))}
        case "agreement":
            return {"result": Result(reason="agreement", winners=tuple(players))}
        case reason:
            return {"result": Result(reason=reason, winners=(winner,))}
