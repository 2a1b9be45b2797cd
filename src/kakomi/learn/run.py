"""A learning run in a folder: games of a teacher, then alternating self-play and training.

The next step depends only on the folder's contents, so that a killed run can be resumed: games in
`games.jsonl`, the state of a network's learner in `learner.pt`, and a file in `checkpoints/` for every round.
`rounds.jsonl` is a log of the rounds.
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
"""The most of a teacher's games in one assignment: they share no evaluations, so small ones cost nothing."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    round: int
    """The number of the next checkpoint."""
    games: int
    rows: int
    """Positions to learn from in these games."""
    steps: int
    """The number of training steps."""
    losses: Mapping[str, float]
    """The mean loss of each head over the last steps."""
    part: float
    """The fraction of the current work that is done."""
    doing: str
    """The current work: `games` or `training`."""


class LearningRun:
    """A new or resumed run in a folder, which is locked until it is closed.

    Raises PlanError if the folder has a different plan, and GameLogError if its games can't be read or
    another process has it open.
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
        """The number of positions to learn from so far."""
        self._student = student_of(plan, folder, self.boards[0])
        self.notice = self._student.notice
        self._rounds = RoundLog(folder / "rounds.jsonl")

    def close(self) -> None:
        """Release the folder's lock."""
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
        """The number of the next checkpoint, which is the number of checkpoints so far."""
        return len(self.checkpoints)

    @property
    def checkpoints(self) -> Sequence[Path]:
        """The checkpoints so far, oldest first: files that advise bots."""
        return sorted((self.folder / "checkpoints").glob(f"[0-9]*{self._student.suffix}"))

    @property
    def rounds(self) -> Sequence[Round]:
        """The log of the rounds, oldest first."""
        return self._rounds.rounds

    def go(self, farm: Farm, goes_on: Callable[[], bool], tell: Callable[[Progress], None]) -> None:
        """Make one checkpoint after another while `goes_on` returns true; it is called every few seconds.

        Raises ValueError, without overwriting anything, if a loss isn't finite.
        """
        while goes_on():
            for progress in self._steps(farm):
                tell(progress)
                if not goes_on():
                    break
        self._student.save()

    def _steps(self, farm: Farm) -> Iterator[Progress]:
        """Play the games for the next checkpoint, learn from them, and write it."""
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
        """Assignments of at least `missing` games, alternating between boards."""
        first = 1 + max((game.batch for game in self._games), default=-1)
        games = self.plan.piece_games if self.checkpoints else self._lesson_games
        assign = self._self_play if self.checkpoints else self._lesson
        for number in range(first, first + -(-missing // games)):
            yield Piece(f"games {number}", play_assignment, (assign(number),))

    def _board(self, number: int) -> Game:
        """The board of a batch of games."""
        return self.boards[number % len(self.boards)]

    def _self_play(self, number: int) -> Assignment:
        """Games of the last checkpoint, perhaps against a rival."""
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
        """Games of the teacher, played one after another because no evaluations are batched."""
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
