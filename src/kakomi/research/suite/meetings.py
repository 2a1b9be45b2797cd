"""The games of a track: pairings for each opponent, seed and opening, and their results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from kakomi.contest.estimate import Estimate, estimated, stratified
from kakomi.core.seeds import derived_seed
from kakomi.research.suite.agent import spec_of_task
from kakomi.research.suite.result import Cell, Interval
from kakomi.research.suite.track import Task, Track
from kakomi.study.matches import Pairing, Played, Statistics, entrant_names, schedule


@dataclass(frozen=True)
class Meeting:
    """An agent's games against one opponent for one seed."""

    task: Task
    opponent: str
    seed: int
    names: tuple[str, ...]
    """The agent's name and the opponent's on the schedule."""
    pairings: list[Pairing]


def plan(track: Track, tasks: Sequence[Task], specs: Sequence[str]) -> list[Meeting]:
    """All meetings of an agent in the order of play; `specs` has its specification for each seed.

    Openings depend only on the track, the seed and the game, so all agents and opponents get the same ones.
    """
    found: list[Meeting] = []
    first = 1
    for seed, spec in enumerate(specs, 1):
        for task in tasks:
            for opponent in track.opponents:
                entrants = [spec_of_task(spec, task), opponent]
                pairings = _pairings(track, task, entrants, seed, first)
                first += len(pairings)
                found.append(Meeting(task, opponent, seed, entrant_names(entrants), pairings))
    return found


def _pairings(track: Track, task: Task, entrants: list[str], seed: int, first: int) -> list[Pairing]:
    game = task.found_game
    games = games_an_opening(task) * track.openings
    drawn = derived_seed(seed, track.id, task.name)
    return schedule(game, entrants, games, seed=drawn, first_number=first)


def games_an_opening(task: Task) -> int:
    """The number of games that an agent and an opponent play on one opening."""
    return len(schedule(task.found_game, ["agent", "opponent"], 1))


def cells(meetings: Iterable[Meeting], played: Mapping[int, Played]) -> tuple[Cell, ...]:
    """The results of meetings, whose games must all have been played."""
    together: dict[tuple[str, str], list[Meeting]] = {}
    for meeting in meetings:
        together.setdefault((meeting.task.name, meeting.opponent), []).append(meeting)
    return tuple(_cell(some, played) for some in together.values())


def _cell(meetings: list[Meeting], played: Mapping[int, Played]) -> Cell:
    first = meetings[0]
    counted = [(meeting, _statistics(meeting, played)) for meeting in meetings]
    tallies = [statistics.tally(*meeting.names) for meeting, statistics in counted]
    blocks = tuple(tuple(statistics.block_scores(*meeting.names)) for meeting, statistics in counted)
    games = counted[0][1].games_a_block(*first.names)
    return Cell(
        task=first.task.name,
        opponent=first.opponent,
        wins=sum(tally.wins for tally in tallies),
        draws=sum(tally.draws for tally in tallies),
        losses=sum(tally.losses for tally in tallies),
        forfeits=sum(_forfeits(meeting, played) for meeting in meetings),
        games_a_block=games,
        blocks=blocks,
        score=cell_score(blocks, games),
    )


def _statistics(meeting: Meeting, played: Mapping[int, Played]) -> Statistics:
    statistics = Statistics(meeting.pairings)
    for pairing in meeting.pairings:
        statistics.add(played[pairing.number])
    return statistics


def _forfeits(meeting: Meeting, played: Mapping[int, Played]) -> int:
    losers = ((played[one.number].loser, one.seats) for one in meeting.pairings)
    return sum(loser is not None and seats[loser] == meeting.names[0] for loser, seats in losers)


def cell_score(blocks: Sequence[Sequence[float]], games_a_block: int) -> Interval:
    """The score of a cell from its blocks for each seed."""
    return interval(estimated([score for seed in blocks for score in seed], games_a_block))


def track_score(found: Sequence[Cell]) -> Interval:
    """The mean score over equally weighted cells."""
    strata = [[score for seed in cell.blocks for score in seed] for cell in found]
    return interval(stratified(strata, [cell.games_a_block for cell in found]))


def scores_by_seed(found: Sequence[Cell]) -> tuple[float, ...]:
    """The mean score over cells for each seed."""
    return tuple(
        fmean(fmean(blocks) for blocks in seed) for seed in zip(*(cell.blocks for cell in found), strict=True)
    )


def interval(estimate: Estimate | None) -> Interval:
    """An estimate as an `Interval`. Raises ValueError for None, which means no finished games."""
    if estimate is None:
        raise ValueError("there are no finished games to estimate a score from")
    return Interval(estimate.score, estimate.low, estimate.high, estimate.blocks)
