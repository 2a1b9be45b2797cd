"""The results of a track as a Markdown table, and checks of results against their track and the rules."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, stdev

from kakomi.research.suite.agent import file_hash, opponents_hash, rules_hash
from kakomi.research.suite.exact import exact_score, judged, positions_of
from kakomi.research.suite.meetings import cell_score, games_an_opening, scores_by_seed, track_score
from kakomi.research.suite.result import FORMAT, Answers, Cell, Interval, Result
from kakomi.research.suite.track import SHIPPED, Task, Track, find_track

CLOSE = 1e-9


def faults(result: Result, tracks_file: Path = SHIPPED) -> list[str]:
    """What is wrong with a result, one sentence each: an unknown track, different hashes, missing games,
    figures that don't follow from the games. It can't tell whether the games were played as the result
    says."""
    if result.kakomi_suite_result != FORMAT:
        return [f"the format is {result.kakomi_suite_result}; this version reads {FORMAT}"]
    try:
        track = find_track(result.track, tracks_file)
    except ValueError as error:
        return [str(error)]
    known = {task.name: task for task in track.tasks}
    if unknown := set(result.tasks) - known.keys():
        return [f"{track.name} has no task {', '.join(sorted(unknown))}"]
    tasks = [known[name] for name in result.tasks]
    found = [*_hashes(result, track, tasks, tracks_file), *_counts(result, track)]
    if found:
        return found
    return list(_exact(result, track, tracks_file) if track.kind == "exact" else _matches(result, track))


def _hashes(result: Result, track: Track, tasks: list[Task], tracks_file: Path) -> Iterator[str]:
    if result.track_hash != track.hash:
        yield f"the definition of {track.id} was another one"
    for task in tasks:
        if result.rules.get(task.name) != rules_hash(task.found_game):
            yield f"the rules of {task.name} were other ones"
    if track.kind == "matches" and result.opponents_hash != opponents_hash(track):
        yield "the opponents played otherwise"
    if track.kind == "exact" and result.positions_hash != file_hash(tracks_file.parent / track.positions):
        yield "the positions were other ones"


def _counts(result: Result, track: Track) -> Iterator[str]:
    if result.is_complete != (len(result.tasks) == len(track.tasks)):
        yield "is_complete doesn't say whether all tasks are there"
    for what, count in (("agents", len(result.specs)), ("scores by seed", len(result.by_seed))):
        if count != result.seeds:
            yield f"there are {count} {what} for {result.seeds} seeds"
    allowed = track.training_actions
    if allowed is not None and (result.training_actions or 0) > allowed:
        yield f"the agent learned from {result.training_actions:,} actions; {track.name} allows {allowed:,}"
    wanted = [(task, opponent) for task in result.tasks for opponent in track.opponents]
    if track.kind == "matches" and [(cell.task, cell.opponent) for cell in result.cells] != wanted:
        yield f"there must be one cell for each task and opponent, {len(wanted)} in this order"
    if track.kind == "exact" and tuple(one.task for one in result.answers) != result.tasks:
        yield "there must be answers for each task, in this order"


def _matches(result: Result, track: Track) -> Iterator[str]:
    known = {task.name: task for task in track.tasks}
    found = [fault for cell in result.cells for fault in _cell(cell, known[cell.task], result.seeds, track)]
    yield from found
    if found:
        return
    yield from _same("the score", result.score, track_score(result.cells))
    if not _close(result.by_seed, scores_by_seed(result.cells)):
        yield "the scores by seed don't follow from the games"


def _cell(cell: Cell, task: Task, seeds: int, track: Track) -> Iterator[str]:
    where, openings = f"{cell.task} against {cell.opponent}", track.openings
    if [len(blocks) for blocks in cell.blocks] != [openings] * seeds:
        yield f"{where}: there must be {openings} blocks for each of {seeds} seeds"
        return
    scores = [score for blocks in cell.blocks for score in blocks]
    if not all(0 <= score <= 1 for score in scores):
        yield f"{where}: a block's score must be from 0 to 1"
        return
    games, wanted = cell.wins + cell.draws + cell.losses, games_an_opening(task) * openings * seeds
    if games != wanted or cell.games_a_block != games_an_opening(task):
        yield f"{where}: {games} games, where there must be {wanted}"
    elif task.found_game.players == 2 and not _close((cell.wins + cell.draws / 2,), (fmean(scores) * games,)):
        yield f"{where}: wins and draws don't go with the blocks"
    yield from _same(f"{where}: the score", cell.score, cell_score(cell.blocks, cell.games_a_block))


def _exact(result: Result, track: Track, tracks_file: Path) -> Iterator[str]:
    boards = positions_of(track, tracks_file.parent)
    for answers in result.answers:
        if len(answers.actions) != result.seeds:
            yield f"{answers.task}: answers for {len(answers.actions)} of {result.seeds} seeds"
            return
        try:
            right = judged(answers.task, boards[answers.task], answers.actions)
        except ValueError as error:
            yield str(error)
            return
        for name in ("optimal", "kept", "regret"):
            yield from _same(f"{answers.task}: {name}", getattr(answers, name), getattr(right, name))
    score, by_seed = exact_score(boards, result.answers)
    yield from _same("the score", result.score, score)
    if not _close(result.by_seed, by_seed):
        yield "the scores by seed don't follow from the answers"


def _same(what: str, told: Interval, right: Interval) -> Iterator[str]:
    numbers = (told.value, told.low, told.high), (right.value, right.low, right.high)
    if told.count != right.count or not _close(*numbers):
        yield f"{what} is {told.value:.4f}; from what it is made of it is {right.value:.4f}"


def _close(some: tuple[float, ...], others: tuple[float, ...]) -> bool:
    pairs = zip(some, others, strict=False)
    return len(some) == len(others) and all(math.isclose(a, b, abs_tol=CLOSE) for a, b in pairs)


def table(results: Sequence[Result]) -> str:
    """A table with a row for each result, best first, and 95 % intervals.

    Raises ValueError for results that can't be compared: of different tracks, rules or opponents.
    """
    if not results:
        raise ValueError("a table needs at least one result")
    _check_comparable(results)
    rows = sorted(results, key=lambda result: (result.is_complete, result.score.value), reverse=True)
    # Complete results come first, with their tasks in the track's order.
    tasks = list(dict.fromkeys(task for result in rows for task in result.tasks))
    exact = bool(results[0].answers)
    whole = ["optimal actions", "result kept", "points lost"] if exact else ["score"]
    head = ["agent", *whole, "over seeds", *tasks, "learned from"]
    lines = [head, ["---"] * len(head), *(_row(result, tasks, exact) for result in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _check_comparable(results: Sequence[Result]) -> None:
    first = results[0]
    for other in results[1:]:
        for name, told in (("track", "tracks"), ("track_hash", "definitions of the track")):
            if getattr(other, name) != getattr(first, name):
                raise ValueError(f"{first.name} and {other.name} are of different {told}")
        if other.opponents_hash != first.opponents_hash or other.positions_hash != first.positions_hash:
            raise ValueError(f"{first.name} and {other.name} met different opponents or positions")
        for task in set(first.rules) & set(other.rules):
            if first.rules[task] != other.rules[task]:
                raise ValueError(f"{first.name} and {other.name} played {task} by different rules")


def _row(result: Result, tasks: Sequence[str], exact: bool) -> list[str]:
    count = len(result.tasks)
    part = f"{count} task{'s' * (count != 1)} only"
    whole = [percent(result.score) if result.is_complete else part]
    if exact:
        whole += _of_answers(result.answers) if result.is_complete else ["–", "–"]
    spread = f"± {stdev(result.by_seed) * 100:.1f}" if result.seeds > 1 else "–"
    learned = "–" if result.training_actions is None else f"{result.training_actions:,} actions"
    return [f"`{result.name}`", *whole, spread, *(_of_task(result, task) for task in tasks), learned]


def _of_answers(answers: Sequence[Answers]) -> list[str]:
    """The share of actions that kept the result, and the mean number of points lost."""
    kept, lost = (mean_of([getattr(one, name) for one in answers]) for name in ("kept", "regret"))
    return [percent(kept), f"{lost.value:.2f} ({lost.low:.2f}–{lost.high:.2f})"]


def mean_of(parts: Sequence[Interval]) -> Interval:
    """The mean of independent figures, with an interval derived from theirs.

    The distances of its ends from the mean combine those of the parts (the method of variance estimates
    recovery: Zou and Donner, 2008).
    """
    mean = fmean(part.value for part in parts)
    below = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    above = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Interval(mean, mean - below, mean + above, sum(part.count for part in parts))


def _of_task(result: Result, task: str) -> str:
    for answers in result.answers:
        if answers.task == task:
            return percent(answers.optimal)
    found = [cell for cell in result.cells if cell.task == task]
    return percent(track_score(found)) if found else "–"


def percent(interval: Interval) -> str:
    """A share with its interval, such as `61.2 % (55–67)`."""
    return f"{interval.value * 100:.1f} % ({interval.low * 100:.0f}–{interval.high * 100:.0f})"
