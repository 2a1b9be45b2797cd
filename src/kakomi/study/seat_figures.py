"""What games of equals tell: each seat's share of the win, the first one's margin, and what repairs make."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import msgspec

from kakomi.core import Game, Position
from kakomi.study.report.estimates import Estimate, holm, mean, p_value, share
from kakomi.study.tournament import Played


@dataclass(frozen=True)
class Decision:
    """What a second player who may swap does in a game."""

    swaps: bool
    becomes: int
    """Whose part they play from then on."""


def decide(played: Played) -> Decision | None:
    """Whether the second player would take over the first turn: if their search expects less than a half from
    the best answer. None where nothing was searched, or the game ended before."""
    position = start_of(played)
    first, ply = 0, 0
    while not position.is_over and position.to_move == first and ply < len(played.actions):
        position = position.play(played.actions[ply])
        ply += 1
    if played.chances is msgspec.UNSET or ply >= len(played.chances):
        return None
    chances = played.chances[ply]
    if chances is None:
        return None
    second = 1 - first
    swaps = chances[second] < 0.5
    return Decision(swaps, first if swaps else second)


def start_of(played: Played) -> Position:
    """The first position of a game."""
    game, text = played.pairing.found_game, played.pairing.position
    return game.position(text) if text else game.start()


@dataclass(frozen=True)
class SeatFigures:
    """A seat's share of the win, and how often chance alone leads so far from an equal one."""

    name: str
    share: Estimate
    p: float
    """Corrected by Holm's method for all that is tested with it."""


@dataclass(frozen=True)
class RepairFigures:
    """What a repair makes of a board."""

    name: str
    """Such as `komi 4`, `swap` or `match of two`."""
    share: Estimate | None
    """What whoever begins gets of the win; None where seats are exchanged, which levels them by itself."""
    p: float
    """As a seat's."""
    level: Estimate
    """The share of games, or of matches, that end level."""
    taken: Estimate | None = None
    """How often the first turn was taken over."""
    level_by_wins: Estimate | None = None
    """The share of matches that would end level if games won counted in place of points."""
    first_turn: str = ""
    """The turn that is begun with."""
    side: Estimate | None = None
    """What the side of that turn gets of the win, whoever plays it; a half if it is even."""


@dataclass(frozen=True)
class BoardFigures:
    """The games of a board, and what they tell."""

    game: Game
    games: int
    seats: tuple[SeatFigures, ...]
    """Of two players the first one alone: the other has the rest."""
    margin: Estimate
    """By how many points the first seat ends ahead of the best other one."""
    level: Estimate
    """The share of games that nobody wins alone."""
    repairs: tuple[RepairFigures, ...] = ()


def board_figures(
    game: Game, played: Sequence[Played], repairs: Sequence[RepairFigures] = ()
) -> BoardFigures:
    """The figures of a board; p-values are not corrected yet. Raises ValueError without games."""
    told = range(1 if game.players == 2 else game.players)
    return BoardFigures(
        game=game,
        games=len(played),
        seats=tuple(_seat(game, played, seat) for seat in told),
        margin=_found(mean(_values(played, first_margin))),
        level=level_share(played),
        repairs=tuple(repairs),
    )


def corrected(boards: Sequence[BoardFigures]) -> tuple[BoardFigures, ...]:
    """The same with p-values corrected by Holm's method: those of all seats of all boards together, and those
    of all repairs together."""
    seats = iter(holm([seat.p for board in boards for seat in board.seats]))
    repairs = iter(holm([one.p for board in boards for one in board.repairs if one.share]))
    return tuple(
        replace(
            board,
            seats=tuple(replace(seat, p=next(seats)) for seat in board.seats),
            repairs=tuple(replace(one, p=next(repairs)) if one.share else one for one in board.repairs),
        )
        for board in boards
    )


def first_margin(played: Played) -> float:
    """By how many points the first seat ends ahead of the best of the others."""
    first, *others = played.scores
    return float(first - max(others))


def level_share(played: Sequence[Played]) -> Estimate:
    """The share of games that nobody wins alone."""
    return _found(share(_values(played, lambda one: float(len(one.winners) > 1))))


def other_option(name: str, played: Sequence[Played]) -> RepairFigures:
    """What the first seat gets in games with another option."""
    first = _found(share(_values(played, lambda one: one.shares[0])))
    return RepairFigures(name, first, p_value(first, 0.5), level_share(played))


def swap(name: str, played: Sequence[Played], first_turn: str = "") -> RepairFigures | None:
    """What whoever begins gets if the second player may take over the first turn and the games stay as they
    are; None where nothing was searched.

    Equals play on alike from either side, so a game's result is that of whoever has the seat by then. Where
    the position that games begin at has the first turn on it, `first_turn` says so.
    """
    decided = [(one, decision) for one in played if (decision := decide(one)) is not None]
    if not decided:
        return None
    first = _found(share((_block(one), 1 - one.shares[decision.becomes], 1.0) for one, decision in decided))
    taken = _found(share((_block(one), float(decision.swaps), 1.0) for one, decision in decided))
    games = [one for one, _ in decided]
    side = _found(share(_values(games, lambda one: one.shares[0]))) if first_turn else None
    return RepairFigures(
        name, first, p_value(first, 0.5), level_share(games), taken, first_turn=first_turn, side=side
    )


def match_of_two(name: str, played: Sequence[Played]) -> RepairFigures | None:
    """How often a match of two games with seats exchanged ends level, from games two by two; None from fewer.

    Whoever begins the first game has its margin less that of the second (RULES N11).
    """
    pairs = list(pairwise(played))[::2]
    if not pairs:
        return None

    def level(value: Callable[[Played], float]) -> Estimate:
        return _found(share((_block(one), float(value(one) == value(other)), 1.0) for one, other in pairs))

    by_wins = level(lambda one: one.shares[0])
    return RepairFigures(name, None, 1.0, level(first_margin), level_by_wins=by_wins)


def _seat(game: Game, played: Sequence[Played], seat: int) -> SeatFigures:
    found = _found(share(_values(played, lambda one: one.shares[seat])))
    return SeatFigures(game.player_names[seat], found, p_value(found, 1 / game.players))


def _values(played: Sequence[Played], value: Callable[[Played], float]) -> list[tuple[str, float, float]]:
    """Games of equals from the start are independent of each other: each is a block."""
    return [(_block(one), value(one), 1.0) for one in played]


def _block(played: Played) -> str:
    return str(played.pairing.number)


def _found(estimate: Estimate | None) -> Estimate:
    if estimate is None:
        raise ValueError("there is no game to tell anything from")
    return estimate
