"""A run of learning in a folder: games of a teacher, then self-play and training in turn.

What to do next follows from what lies in the folder alone, so that a run which was killed goes on: games in
`games.jsonl`, the learner of a network in `learner.pt`, and what was learned in `checkpoints/`, a file for
every round. `rounds.jsonl` tells how far each came; nothing follows from it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import kakomi
from kakomi.core import Game
from kakomi.farm import Farm, Piece
from kakomi.learn.games import GameLog, TrainingGame, unpacked
from kakomi.learn.plan import Plan, PlanError
from kakomi.learn.round_log import Round, RoundLog
from kakomi.learn.self_play import PATTERNS, SEARCH, Assignment, play_assignment
from kakomi.learn.students import student_of
from kakomi.search.pattern_table import own_patterns
from kakomi.search.search import PATTERN_MIX

TEACHER_PIECE_GAMES = 16
"""The most of a teacher's games that a worker plays in one go: nothing is shared there."""


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    round: int
    """The checkpoint that comes next."""
    games: int
    rows: int
    """Positions to learn from in these games."""
    steps: int
    """Steps of training."""
    losses: Mapping[str, float]
    """The mean loss of each head in the last steps."""
    part: float
    """Of what is going on now, 0 to 1,"""
    doing: str
    """and what that is: `games` or `training`."""


class LearningRun:
    """A run in a folder, new or to be gone on with, which nobody else goes on with until it is closed.

    Raises PlanError for another plan than the folder's, GameLogError for games that can't be read and for a
    folder in which another run is going on.
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder, self.plan = folder, plan
        self.boards = [kakomi.game(plan.game, **options) for options in plan.boards]
        (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        self._log = GameLog(folder / "games.jsonl", kakomi.game)
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        folder, plan = self.folder, self.plan
        self._agree(folder / "plan.json")
        self._games: list[TrainingGame] = list(self._log.games())
        self.rows = sum(len(game.policies) for game in self._games)
        """Positions to learn from so far."""
        self._student = student_of(plan, folder, self.boards[0])
        self.notice = self._student.notice
        self._rounds = RoundLog(folder / "rounds.jsonl")

    def close(self) -> None:
        """Let others go on with it."""
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._rounds.keep_hours()
        finally:
            self.close()

    def _agree(self, path: Path) -> None:
        if not path.exists():
            self.plan.save(path)
        elif Plan.load(path) != self.plan:
            raise PlanError(f"{path.parent} holds a run with other settings: go on with those, or elsewhere")

    @property
    def round(self) -> int:
        """The checkpoint that comes next; there are as many."""
        return len(self.checkpoints)

    @property
    def checkpoints(self) -> Sequence[Path]:
        """What was learned so far, oldest first, as files that advise bots."""
        return sorted((self.folder / "checkpoints").glob(f"[0-9]*{self._student.suffix}"))

    @property
    def rounds(self) -> Sequence[Round]:
        """How far each round came, oldest first."""
        return self._rounds.rounds

    def go(self, farm: Farm, goes_on: Callable[[], bool], tell: Callable[[Progress], None]) -> None:
        """Make one checkpoint after the other while `goes_on` says so, which is asked every few seconds.

        Raises ValueError, before anything is overwritten, for a loss that isn't finite.
        """
        while goes_on():
            for progress in self._steps(farm):
                tell(progress)
                if not goes_on():
                    break
        self._student.save()

    def _steps(self, farm: Farm) -> Iterator[Progress]:
        """Play the games that the next checkpoint takes, learn from them, and make it."""
        yield from self._play(farm)
        yield from self._learn()
        self._keep_checkpoint()
        yield self._progress("training", 1.0)

    def _play(self, farm: Farm) -> Iterator[Progress]:
        plan = self.plan
        first = len(self._games)
        missing = plan.teacher_games + self.round * plan.round_games - first
        if missing <= 0:
            return
        with closing(farm.run(self._pieces(missing))) as done:
            for _, found in done:
                for game in unpacked(found, kakomi.game):
                    self._log.add(game)
                    self._games.append(game)
                    self.rows += len(game.policies)
                yield self._progress("games", min(1.0, (len(self._games) - first) / missing))

    def _pieces(self, missing: int) -> Iterator[Piece[bytes]]:
        """Assignments for so many games at least, board after board."""
        first = 1 + max((game.batch for game in self._games), default=-1)
        games = self.plan.piece_games if self.checkpoints else self._lesson_games
        assign = self._self_play if self.checkpoints else self._lesson
        for number in range(first, first + -(-missing // games)):
            yield Piece(f"games {number}", play_assignment, (assign(number),))

    def _board(self, number: int) -> Game:
        """That of a batch of games."""
        return self.boards[number % len(self.boards)]

    def _self_play(self, number: int) -> Assignment:
        """Games that the last checkpoint plays, some of them against a rival."""
        plan, game, (*earlier, last) = self.plan, self._board(number), self.checkpoints
        how, player = plan.how.of_round(self.round), f"checkpoint {last.stem}"
        rival = how.rivals.draw(game, earlier, how.halving or how.thorough, (plan.seed, number))
        if rival:
            player += f" and {rival.name}"
        return Assignment(
            plan.game,
            dict(game.options),
            plan.piece_games,
            plan.seed,
            number,
            how,
            str(last),
            plan.student,
            player,
            rival,
        )

    @property
    def _lesson_games(self) -> int:
        return min(self.plan.piece_games, TEACHER_PIECE_GAMES)

    def _lesson(self, number: int) -> Assignment:
        """Games that the teacher plays. Nobody waits for an evaluation there, so they are played in turn."""
        plan, game = self.plan, self._board(number)
        how = replace(plan.how.of_round(0), lockstep=1, halving=0, noise=0.0)
        lesson = Assignment(
            plan.game, dict(game.options), self._lesson_games, plan.seed, number, how, player=SEARCH
        )
        if plan.teacher == SEARCH:
            return lesson
        file = own_patterns(game)
        if file is None:
            raise PlanError(f"no patterns come with {plan.game}, which could teach; the search can")
        how = replace(how, mix=PATTERN_MIX)
        return replace(lesson, how=how, advisor=str(file), adviser=PATTERNS, player=PATTERNS)

    def _learn(self) -> Iterator[Progress]:
        for part in self._student.learn(self._games, self.rows):
            yield self._progress("training", part)

    def _keep_checkpoint(self) -> None:
        student, games, name = self._student, len(self._games), f"{self.round:04}"
        student.keep(self.folder / "checkpoints" / f"{name}{student.suffix}")
        losses = {head: round(loss, 4) for head, loss in student.losses.items()}
        self._rounds.add(Round(name, games, self.rows, student.steps, losses, self._rounds.hours()))

    def _progress(self, doing: str, part: float) -> Progress:
        return Progress(
            self.round,
            len(self._games),
            self.rows,
            self._student.steps,
            dict(self._student.losses),
            part,
            doing,
        )
