"""Tie-breaks: what tells those apart who have equal points. docs/tournaments.md publishes the formulas.

A round in which somebody had nothing to play (a bye, an opponent who did not come) counts as a game against
somebody with just their own points. Rounds for which they were not there count nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from kakomi.contest.tournament.config import TieBreak
from kakomi.contest.tournament.records import Appearance, Records, points_of
from kakomi.contest.tournament.scoring import NOTHING

Points = Mapping[str, Fraction]


def opposition(name: str, record: Sequence[Appearance], points: Points) -> list[Fraction]:
    """For each round, the mean of the opponents' points."""
    return [
        sum((points[other] for other, _ in each.against), NOTHING) / len(each.against)
        if each.against
        else points[name]
        for each in record
    ]


def buchholz(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """The sum of the opponents' points; at tables of several, of their mean."""
    return sum(opposition(name, record, points), NOTHING)


def buchholz_cut_1(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """The same without the round in which it was lowest."""
    rounds = opposition(name, record, points)
    return sum(rounds, NOTHING) - min(rounds, default=NOTHING)


def sonneborn_berger(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """The points of those who were beaten, and half of those of equals; at tables of several, the mean."""
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
    """The number of games in which all who came were left behind."""
    return Fraction(sum(each.is_win for each in record))


def progressive(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """The sum of the points that somebody had after each round."""
    return sum((each.points * (len(record) - number) for number, each in enumerate(record)), NOTHING)


def less_begun(name: str, record: Sequence[Appearance], points: Points) -> Fraction:
    """The number of played games that somebody else began."""
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
    """The points that those who are tied won from each other, if all of them met; else nobody has any."""
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
    """Groups of those who can't be told apart, the best first, with their tie-breaks."""
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
