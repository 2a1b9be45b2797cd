"""Checks a result against its track, the rules and itself."""

import math
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from kakomi.research.suite.exact import exact_score, judged, positions_of
from kakomi.research.suite.hashes import file_hash, opponents_hash, rules_hash
from kakomi.research.suite.meetings import cell_score, games_an_opening, scores_by_seed, track_score
from kakomi.research.suite.result import FORMAT, Cell, Interval, Result
from kakomi.research.suite.track import SHIPPED, Task, Track, find_track

CLOSE = 1e-9


def faults(result: Result, tracks_file: Path = SHIPPED) -> list[str]:
    """All that is wrong with a result, a sentence each: unknown track, other hashes, missing games, figures
    that don't follow from the games. It can't tell whether the games were played as the result says."""
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
