"""Run an agent on a track, or resume an earlier run."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from kakomi.core import IllegalAction
from kakomi.core.line_file import FileInUseError, LineFile
from kakomi.core.seeds import derived_seed
from kakomi.farm import open_farm
from kakomi.protocol import EngineError
from kakomi.research.suite.agent import (
    AgentError,
    AgentMaker,
    budgeted,
    code_hash,
    file_hash,
    opponents_hash,
    rules_hash,
    spec_of_task,
    weights_hashes,
)
from kakomi.research.suite.exact import Question, exact_score, judged, positions_of, questions
from kakomi.research.suite.meetings import Meeting, cells, plan, scores_by_seed, track_score
from kakomi.research.suite.result import Result, versions
from kakomi.research.suite.track import SHIPPED, Task, Track, check_seeds
from kakomi.study.matches import (
    PATIENCE_SECONDS,
    GameLog,
    GameLogError,
    Played,
    efforts_of,
    mean_effort,
    play_games,
)

TERMS = ("track", "track_hash", "specs", "rules", "weights", "code_hash")
"""The terms that must match for a run to be resumed."""

Tell = Callable[[int, int], None]
"""Called with the number of games or positions done, and their total."""


class Order(Struct, frozen=True, kw_only=True):
    """A request to run an agent on a track."""

    track: Track
    agent: str
    seeds: int = 5
    tasks: list[str] | None = None
    """Games or names of tasks; None for all."""
    name: str = ""
    """The agent's name in the table; by default `agent`."""
    training_actions: int | None = None
    weights: list[Path] = []
    """Files that a function or program uses; `{seed}` and `{game}` in their names are replaced by each seed
    and each task's game."""
    tracks_file: Path = SHIPPED


class Answer(Struct, frozen=True):
    """An agent's choice in the log."""

    task: str
    seed: int
    number: int
    action: str
    seconds: float


def run(order: Order, log: Path, *, jobs: int = 1, tell: Tell = lambda done, of: None) -> Result:
    """Play all games or positions of a track that the log doesn't hold yet, and return the result.

    Raises AgentError if the agent can't play them, ValueError for an invalid order, GameLogError if the log
    is of something else, WorkFailed if an agent raises an exception, and OSError.
    """
    check_seeds(order.seeds)
    track, tasks = order.track, order.track.chosen(order.tasks)
    _check_training(order)
    specs = [budgeted(order.agent, track.budget, tasks, seed) for seed in range(1, order.seeds + 1)]
    running = _Run(order, tasks, specs, _described(order, tasks, specs), log, tell)
    return _answered(running) if track.kind == "exact" else _played(running, jobs)


@dataclass(frozen=True)
class _Run:
    """A run in progress."""

    order: Order
    tasks: list[Task]
    specs: list[str]
    described: dict[str, Any]
    log: Path
    tell: Tell

    @property
    def terms(self) -> dict[str, Any]:
        """The terms in the log's header."""
        return {name: self.described[name] for name in TERMS}


def _check_training(order: Order) -> None:
    used, allowed = order.training_actions, order.track.training_actions
    if used is not None and (used < 0 or (allowed is not None and used > allowed)):
        raise AgentError(f"training actions are {used:,}; {order.track.name} allows 0 to {allowed or 0:,}")


def _described(order: Order, tasks: list[Task], specs: list[str]) -> dict[str, Any]:
    """The fields of a result that don't depend on how the agent plays."""
    track = order.track
    exact = track.kind == "exact"
    return {
        "track": track.id,
        "track_hash": track.hash,
        "name": order.name or order.agent,
        "agent": order.agent,
        "specs": tuple(specs),
        "budget": track.budget.in_words,
        "training_actions": order.training_actions,
        "seeds": order.seeds,
        "tasks": tuple(task.name for task in tasks),
        "is_complete": len(tasks) == len(track.tasks),
        "environments": {task.name: task.environment for task in tasks},
        "rules": {task.name: rules_hash(task.found_game) for task in tasks},
        "opponents_hash": "" if exact else opponents_hash(track),
        "positions_hash": file_hash(order.tracks_file.parent / track.positions) if exact else "",
        "weights": weights_hashes(list(dict.fromkeys(specs)), tasks, _files(order, tasks)),
        "code_hash": code_hash(specs, tasks),
        "versions": versions(),
    }


def _files(order: Order, tasks: list[Task]) -> list[Path]:
    """The files that an agent uses, for all seeds and tasks."""
    seeds = [str(seed) for seed in range(1, order.seeds + 1)]
    named = [str(path).replace("{seed}", seed) for path in order.weights for seed in seeds]
    return [
        Path(name) for name in dict.fromkeys(spec_of_task(name, task) for name in named for task in tasks)
    ]


def _played(run: _Run, jobs: int) -> Result:
    track = run.order.track
    meetings = plan(track, run.tasks, run.specs)
    pairings = [pairing for meeting in meetings for pairing in meeting.pairings]
    make = AgentMaker(track.budget)
    with GameLog(run.log, run.terms) as log, open_farm(jobs) as farm:
        games = play_games(pairings, farm, log=log, make=make)
        with contextlib.closing(games):
            played = {}
            for one in games:
                played[one.pairing.number] = one
                run.tell(len(played), len(pairings))
    found = cells(meetings, played)
    return Result(
        **run.described,
        cells=found,
        answers=(),
        score=track_score(found),
        by_seed=scores_by_seed(found),
        seconds_an_action=_seconds(meetings, played),
    )


def _seconds(meetings: list[Meeting], played: dict[int, Played]) -> float | None:
    """The agent's mean seconds per action over all of its games."""
    efforts = [
        effort
        for meeting in meetings
        for effort in efforts_of(meeting.names[0], [played[pairing.number] for pairing in meeting.pairings])
    ]
    mean = mean_effort(efforts)
    return round(mean.seconds, 6) if mean.actions else None


def _answered(run: _Run) -> Result:
    order = run.order
    boards = positions_of(order.track, order.tracks_file.parent)
    for task in run.tasks:
        if boards[task.name].rules != run.described["rules"][task.name]:
            raise ValueError(f"{task.name}: the values were found by other rules than these")
    given = _answers(run, questions(run.tasks, boards, order.seeds))
    answers = tuple(
        judged(
            task.name,
            boards[task.name],
            [
                [given[task.name, seed, at].action for at in range(len(boards[task.name].positions))]
                for seed in range(1, order.seeds + 1)
            ],
        )
        for task in run.tasks
    )
    score, by_seed = exact_score(boards, answers)
    seconds = round(sum(answer.seconds for answer in given.values()) / len(given), 6)
    return Result(
        **run.described, cells=(), answers=answers, score=score, by_seed=by_seed, seconds_an_action=seconds
    )


def _answers(run: _Run, asked: list[Question]) -> dict[tuple[str, int, int], Answer]:
    """The agent's choice in each position, from the log if possible."""
    header = msgspec.json.encode({"kakomi_suite_answers": 1, **run.terms})
    try:
        log = LineFile(run.log)
    except FileInUseError:
        raise GameLogError(f"{run.log}: it is being written by another run") from None
    with log:
        lines = list(log.lines())
        if not lines:
            log.add(header)
        elif lines[0] != header:
            raise GameLogError(f"{run.log}: it was begun on other terms; name another file, or remove it")
        kept = [msgspec.json.decode(line, type=Answer) for line in lines[1:]]
        given = {(one.task, one.seed, one.number): one for one in kept}
        for done, question in enumerate(asked, 1):
            key = question.task.name, question.seed, question.number
            if key not in given:
                given[key] = _choice(run.order.track, run.specs[question.seed - 1], question)
                log.add(msgspec.json.encode(given[key]))
            run.tell(done, len(asked))
    return given


def _choice(track: Track, spec: str, question: Question) -> Answer:
    """The agent's choice, by a new player for each position."""
    spec = spec_of_task(spec, question.task)
    seed = derived_seed(question.seed, track.id, question.task.name, question.number)
    bot = AgentMaker(track.budget)(spec, seed=seed, patience=PATIENCE_SECONDS)
    position = question.position.position(question.task.found_game)
    with bot if isinstance(bot, contextlib.AbstractContextManager) else contextlib.nullcontext():
        started = time.perf_counter()
        try:
            action = bot.choose(position)
        except (EngineError, IllegalAction) as error:
            raise AgentError(
                f"{spec} after {' '.join(question.position.moves) or 'nothing'}: {error}"
            ) from None
        seconds = time.perf_counter() - started
    if not 0 <= action < len(position.game.actions) or action not in position.legal_actions():
        raise AgentError(
            f"{spec} answered {action}, which isn't legal after {' '.join(question.position.moves)}"
        )
    text = position.game.action_texts[action]
    return Answer(question.task.name, question.seed, question.number, text, round(seconds, 6))
