"""Pair a Swiss round with py4swiss, which follows FIDE's Dutch rules, and measure the quality of pairings.

py4swiss is told that many rounds remain, which turns off its exception that leaders may get a third same
colour in a last round: ours has none.
"""

from dataclasses import dataclass
from fractions import Fraction

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from kakomi.contest.tournament import Entry, Round, Swiss, Tournament, replay
from kakomi.contest.tournament.scoring import scores
from kakomi.contest.tournament.seating import History

_MANY_ROUNDS = 99
_ABSENT = RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken.ZERO_POINT_BYE)
_BYE = RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=ResultToken.PAIRING_ALLOCATED_BYE)


@dataclass(frozen=True)
class Quality:
    """The undesirable features of a round, to be minimized."""

    repeats: int
    """The number of repeated meetings and byes."""
    steps: int
    """The sum of differences between the score groups of opponents; a bye is one below the lowest group."""
    floats: int
    """The number of pairs from different score groups, plus the bye."""
    squares: int
    """The sum of the squared differences."""
    same_seat: int
    """The number of people with the same seat a third time in a row, or three times more than the other."""


def their_round(log: list[Entry], config: Swiss) -> Round | None:
    """The next round by py4swiss; None if its rules allow no pairing."""
    state = replay(log)
    names = list(state.participants)
    trf = ParsedTrf(
        player_sections=_sections(state, config), x_section=XSection(number_of_rounds=_MANY_ROUNDS)
    )
    trf.x_section.zeroed_ids = {
        n for n, who in enumerate(state.participants.values(), 1) if not who.is_present
    }
    trf.validate_contents()
    try:
        pairs = DutchEngine.generate_pairings(trf)
    except PairingError:
        return None
    from kakomi.contest.tournament import Pairing

    games = [Pairing((names[pair.white - 1], names[pair.black - 1])) for pair in pairs if pair.black]
    return Round(tuple(games), tuple(names[pair.white - 1] for pair in pairs if not pair.black))


def _sections(state: Tournament, config: Swiss) -> list[PlayerSection]:
    points = scores(state, config)
    number = {name: count for count, name in enumerate(state.participants, start=1)}
    results: dict[str, list[RoundResult]] = {name: [] for name in number}
    for played in state.rounds:
        of_round = dict.fromkeys(played.byes, _BYE)
        for game in played.games:
            assert game.result is not None
            for seat, name in enumerate(game.seats):
                other = number[game.seats[1 - seat]]
                colour = ColorToken.BLACK if seat else ColorToken.WHITE
                token = _token(seat, game.result.places, game.result.absent)
                of_round[name] = RoundResult(id=other, color=colour, result=token)
        for name, own in results.items():
            own.append(of_round.get(name, _ABSENT))
    return [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=number[name],
            points_times_ten=int(points[name] * 10),
            rank=number[name],
            results=results[name],
        )
        for name in number
    ]


def _token(seat: int, places: tuple[int, ...], absent: frozenset[int]) -> ResultToken:
    if absent:
        return ResultToken.FORFEIT_LOSS if seat in absent else ResultToken.FORFEIT_WIN
    if places[0] == places[1]:
        return ResultToken.DRAW
    return ResultToken.WIN if places[seat] == 1 else ResultToken.LOSS


def quality(log: list[Entry], config: Swiss, paired: Round) -> Quality:
    """The quality of a round, independent of the pairing code."""
    state = replay(log)
    history, points = History(state), scores(state, config)
    levels = sorted({points[who.name] for who in state.present}, reverse=True)
    level: dict[Fraction, int] = {value: number for number, value in enumerate(levels)}
    steps = [abs(level[points[a]] - level[points[b]]) for a, b in (each.seats for each in paired.pairings)]
    steps += [len(levels) - level[points[name]] for name in paired.byes]
    repeats = history.repeats(each.seats for each in paired.pairings)
    repeats += sum(history.byes[name] > 0 for name in paired.byes)
    seats = [(name, seat) for each in paired.pairings for seat, name in enumerate(each.seats)]
    same = sum(_is_excessive([*history.seats[name], seat]) for name, seat in seats)
    return Quality(repeats, sum(steps), sum(s > 0 for s in steps), sum(s * s for s in steps), same)


def _is_excessive(seats: list[int]) -> bool:
    balance = abs(2 * seats.count(0) - len(seats))
    return (len(seats) > 2 and len(set(seats[-3:])) == 1) or (
        balance > 2 and balance > abs(2 * seats[:-1].count(0) - len(seats) + 1)
    )
