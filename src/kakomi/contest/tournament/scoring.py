"""Points and tie-breaks, in exact arithmetic, and the rows of standings that they order.

docs/tournaments.md gives the formulas. A round without play (a bye, or an absent opponent) counts as a game
against somebody with the entrant's own points. Rounds that they missed count nothing. Participants who are
equal in everything share a place.
"""

import functools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from kakomi.contest.tournament.config import Format, TieBreak
from kakomi.contest.tournament.log import Game, Participant, PlayedRound, Result, Tournament

NOTHING = Fraction(0)


def shares(result: Result) -> tuple[Fraction, ...]:
    """Return for each seat the share of opponents behind it; equals count half, and absent seats get 0."""
    return _shares(result.places, result.absent)


@functools.lru_cache(4096)
def _shares(given: tuple[int, ...], absent: frozenset[int]) -> tuple[Fraction, ...]:
    others = len(given) - 1
    return tuple(
        NOTHING
        if seat in absent
        else Fraction(sum((other > own) * 2 + (other == own) for other in given) - 1, 2 * others)
        for seat, own in enumerate(given)
    )


def round_points(played: PlayedRound, config: Format) -> dict[str, Fraction]:
    """Return the points from a round of everyone in it; open games count 0."""
    found = dict.fromkeys(played.byes, Fraction(config.bye))
    for game in played.games:
        points = shares(game.result) if game.result else [NOTHING] * len(game.seats)
        found.update(zip(game.seats, points, strict=True))
    return found


def scores(
    tournament: Tournament, config: Format, rounds: Iterable[PlayedRound] | None = None
) -> dict[str, Fraction]:
    """Return everyone's points, after all rounds or after the given ones."""
    found = dict.fromkeys(tournament.participants, NOTHING)
    for played in tournament.rounds if rounds is None else rounds:
        for name, points in round_points(played, config).items():
            found[name] += points
    return found


@dataclass(frozen=True)
class Appearance:
    """One round from the view of one entrant."""

    points: Fraction
    against: tuple[tuple[str, Fraction], ...] = ()
    """The opponents, each with 1 if they finished behind, 1/2 if equal, else 0. Empty without play: a bye,
    or a game to which nobody else came."""
    began: bool = False

    @property
    def is_win(self) -> bool:
        """Whether they finished ahead of all opponents."""
        return bool(self.against) and all(share == 1 for _, share in self.against)


Records = dict[str, list[Appearance]]


def records_of(names: Iterable[str], rounds: Iterable[PlayedRound], config: Format) -> Records:
    """Return the records of everyone in `names`, without open games."""
    found: Records = {name: [] for name in names}
    for played in rounds:
        for name in played.byes:
            if name in found:
                found[name].append(Appearance(Fraction(config.bye)))
        for game in played.games:
            for name, appearance in _appearances(game):
                if name in found:
                    found[name].append(appearance)
    return found


def _appearances(game: Game) -> Iterable[tuple[str, Appearance]]:
    if game.result is None:
        return
    points, met = shares(game.result), set(game.met())
    place = dict(zip(game.seats, game.result.places, strict=True))
    for seat, name in enumerate(game.seats):
        others = [other for other in game.seats if other in met and other != name] if name in met else []
        against = tuple((other, _share(place[name], place[other])) for other in others)
        yield name, Appearance(points[seat], against, seat == 0)


def _share(own: int, other: int) -> Fraction:
    return Fraction((other > own) * 2 + (other == own), 2)


def points_of(records: Records) -> dict[str, Fraction]:
    """Return everyone's points."""
    return {name: sum((each.points for each in record), NOTHING) for name, record in records.items()}


Points = Mapping[str, Fraction]


def opposition(name: str, record: Sequence[Appearance], points: Points) -> list[Fraction]:
    """Return for each round the mean of the opponents' points."""
    return [
        sum((points[other] for other, _ in each.against), NOTHING) / len(each.against)
        if each.against
        else points[name]
        for each in record
    ]


def buchholz(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """Return the sum of the opponents' points; at tables of several, of their means."""
    return sum(opposition(name, record, points), NOTHING)


def buchholz_cut_1(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """Return Buchholz without the round of the lowest value."""
    rounds = opposition(name, record, points)
    return sum(rounds, NOTHING) - min(rounds, default=NOTHING)


def sonneborn_berger(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """Return the points of beaten opponents plus half of those of equals; at tables of several, means."""
    total = NOTHING
    for each in record:
        if each.against:
            total += sum((share * points[other] for other, share in each.against), NOTHING) / len(
                each.against
            )
        else:
            total += each.points * points[name]
    return total


def wins(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """Return the number of games won against everyone who appeared."""
    return Fraction(sum(each.is_win for each in record))


def progressive(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """Return the sum of the points after each round."""
    return sum((each.points * (len(record) - number) for number, each in enumerate(record)), NOTHING)


def less_begun(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """Return the number of played games that another player started."""
    return Fraction(sum(bool(each.against) and not each.began for each in record))


_BY_RECORD: dict[TieBreak, Callable[[str, Sequence[Appearance], Points], Fraction]] = {
    "wins": wins,
    "buchholz": buchholz,
    "buchholz cut 1": buchholz_cut_1,
    "sonneborn-berger": sonneborn_berger,
    "progressive": progressive,
    "less begun": less_begun,
}


def direct_encounter(tied: Sequence[str], records: Records) -> dict[str, Fraction]:
    """Return the points from games among tied entrants if all of them met, else 0 for each."""
    others = set(tied)
    against = {
        name: [pair for each in records[name] for pair in each.against if pair[0] in others] for name in tied
    }
    if any({other for other, _ in against[name]} != others - {name} for name in tied):
        return dict.fromkeys(tied, NOTHING)
    return {name: sum((share for _, share in against[name]), NOTHING) for name in tied}


def broken_ties(
    names: Sequence[str], records: Records, tie_breaks: Sequence[TieBreak]
) -> list[tuple[list[str], tuple[Fraction, ...]]]:
    """Return groups of entrants who remain equal, the best first, with points and tie-breaks."""
    points = points_of(records)
    groups: list[tuple[list[str], tuple[Fraction, ...]]] = [(list(names), ())]
    for tie_break in (None, *tie_breaks):
        split: list[tuple[list[str], tuple[Fraction, ...]]] = []
        for tied, so_far in groups:
            if tie_break is None:
                values = {name: points[name] for name in tied}
            elif tie_break == "direct encounter":
                values = direct_encounter(tied, records)
            else:
                values = {name: _BY_RECORD[tie_break](name, records[name], points) for name in tied}
            split += [
                ([name for name in tied if values[name] == value], (*so_far, value))
                for value in sorted(set(values.values()), reverse=True)
            ]
        groups = split
    return groups


Status = Literal["present", "withdrawn", "erased"]


@dataclass(frozen=True)
class Row:
    """One row of the standings."""

    place: int | None
    """The place, from 1; equals share one, and following places are skipped. None for those who left early,
    who come last."""
    entrant: str
    points: Fraction
    """Points from games; in a knock-out, how far they got; on a ladder, how many are below."""
    tie_breaks: tuple[Fraction, ...] = ()
    """The values of the format's `tie_breaks`, in order."""
    games: int = 0
    """The number of games played to a result."""
    status: Status = "present"
    stage: str = ""
    """The group, or `final`."""


def status_of(who: Participant) -> Status:
    """Return whether somebody is present, withdrawn or erased."""
    if who.is_erased:
        return "erased"
    return "present" if who.is_present else "withdrawn"


def ranking(
    tournament: Tournament,
    names: Sequence[str],
    records: Records,
    tie_breaks: Sequence[TieBreak],
    left_early: Collection[str],
) -> list[Row]:
    """Return rows by points and tie-breaks, equals in the order of entry, and those who left early last."""
    rows: list[Row] = []
    for has_left in (False, True):
        ranked = [name for name in names if (name in left_early) == has_left]
        for tied, values in broken_ties(ranked, records, tie_breaks):
            place = None if has_left else len(rows) + 1
            rows += [
                Row(
                    place,
                    name,
                    values[0],
                    values[1:],
                    sum(bool(each.against) for each in records[name]),
                    status_of(tournament.participants[name]),
                )
                for name in tied
            ]
    return rows


def in_stage(rows: Sequence[Row], stage: str) -> list[Row]:
    """Return the rows with their stage set."""
    return [replace(row, stage=stage) for row in rows]
