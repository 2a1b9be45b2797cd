"""Puzzles, for programs: those of a day, an answer that counts once, and what one has answered."""

from collections.abc import Sequence
from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema
from pydantic import ConfigDict, Field

from kakomi.server.accounts.auth import anyone, asking_guest, guest_behind, guests
from kakomi.server.accounts.models import Guest
from kakomi.server.api.errors import answers
from kakomi.server.api.schemas import PositionOut, Strict, position_out
from kakomi.server.puzzles import collection, selectors, services
from kakomi.server.puzzles.models import ANSWER_LENGTH, NAME_LENGTH, Attempt
from kakomi.server.puzzles.presenters import PuzzleHead, heads_of
from kakomi.study.puzzles.puzzle import Puzzle

router = Router(tags=["puzzles"])

Name = Annotated[str, Path(max_length=NAME_LENGTH, pattern=r"^[a-z0-9]+$")]
Day = Annotated[str, Query(max_length=10, description="such as 2026-11-25; today if it is left out")]
Before = Annotated[
    str, Query(max_length=NAME_LENGTH, description="attempts before that at this puzzle: `older` of a page")
]


class AttemptOut(Schema):
    """An answer that counted. `at` is in seconds since the epoch."""

    puzzle: str
    turn: str
    is_right: bool
    at: float


class ProofOut(Schema):
    """All first turns that win, one for each position that they lead to, and a line of best play."""

    answers: list[str]
    line: str


class PuzzleOut(Schema):
    """A puzzle: `seat` is to act and wins by one of `winning_turns` turns. A bot of `level` missed that in
    `misses` of `tries` tries. `text` is the position as docs/positions.md describes it. `attempt` and
    `proof` are null until the asking person has answered."""

    name: str
    game: str
    options: dict[str, int]
    text: str
    position: PositionOut
    seat: int
    winning_turns: int
    level: int
    misses: int
    tries: int
    attempt: AttemptOut | None
    proof: ProofOut | None


class DayOut(Schema):
    """The puzzles of a day, which ends at midnight UTC. `older` is the day before; null if that is shown no
    more."""

    day: str
    puzzles: list[PuzzleOut]
    older: str | None


class AnswerIn(Strict):
    """A whole turn: its actions with spaces between them."""

    turn: Annotated[str, Field(max_length=ANSWER_LENGTH)]
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"turn": "3,4 2,2"}]})


class OwnPuzzlesOut(Schema):
    """How many puzzles one has answered, and how many of these rightly; the answers, the last first."""

    answered: int
    solved: int
    attempts: list[AttemptOut]
    older: str | None


@router.get("", auth=anyone("read"), response=answers(DayOut), url_name="puzzles_of_day")
def puzzles_of_day(request: HttpRequest, day: Day = "") -> DayOut:
    """One's puzzles of today, or of one of the seven days before. They are matched to how strong one is.
    What wins is told who has answered."""
    today, guest = selectors.today(), guest_behind(request)
    chosen = selectors.shown_day(day, today)
    before = collection.day_before(chosen, today)
    return DayOut(
        day=chosen.isoformat(),
        puzzles=_puzzles(selectors.puzzles_for(guest, chosen), guest),
        older=before.isoformat() if before else None,
    )


@router.get("/mine", auth=guests("read"), response=answers(OwnPuzzlesOut), url_name="own_puzzles")
def own_puzzles(request: HttpRequest, before: Before = "") -> OwnPuzzlesOut:
    """One's answers, 24 at a time."""
    guest = asking_guest(request)
    page, score = selectors.attempts_of(guest, before), selectors.score_of(guest)
    return OwnPuzzlesOut(
        answered=score.answered,
        solved=score.solved,
        attempts=list(map(_attempt, page.attempts)),
        older=page.older,
    )


@router.get("/{name}", auth=anyone("read"), response=answers(PuzzleOut), url_name="puzzle")
def puzzle(request: HttpRequest, name: Name) -> PuzzleOut:
    """A puzzle; once one has answered it, with its proof."""
    return _puzzle(selectors.find_puzzle(name), guest_behind(request))


@router.post("/{name}/answer", auth=guests("play"), response=answers(PuzzleOut), url_name="answer_puzzle")
def answer(request: HttpRequest, name: Name, answer: AnswerIn) -> PuzzleOut:
    """Answer a puzzle. The first answer counts; sent again, whatever it is, the first one is told."""
    guest, found = asking_guest(request), selectors.find_puzzle(name)
    services.answer(guest, found, answer.turn)
    return _puzzle(found, guest)


def _puzzle(found: Puzzle, guest: Guest | None) -> PuzzleOut:
    (shown,) = _puzzles([found], guest)
    return shown


def _puzzles(found: Sequence[Puzzle], guest: Guest | None) -> list[PuzzleOut]:
    heads = heads_of(found, selectors.attempts_at(guest, found))
    return [_out(head) for head in heads]


def _out(head: PuzzleHead) -> PuzzleOut:
    puzzle, attempt = head.puzzle, head.attempt
    return PuzzleOut(
        name=puzzle.name,
        game=puzzle.game,
        options=puzzle.options,
        text=puzzle.at,
        position=position_out(head.begun),
        seat=puzzle.seat,
        winning_turns=len(puzzle.answers),
        level=puzzle.level,
        misses=puzzle.misses,
        tries=puzzle.tries,
        attempt=_attempt(attempt) if attempt else None,
        proof=ProofOut(answers=list(puzzle.answers), line=puzzle.line) if attempt else None,
    )


def _attempt(attempt: Attempt) -> AttemptOut:
    return AttemptOut(puzzle=attempt.puzzle, turn=attempt.answer, is_right=attempt.is_right, at=attempt.at)
