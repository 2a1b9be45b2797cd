"""The puzzles API: the puzzles of a day, answering one, and your own answers."""

from collections.abc import Sequence
from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema
from pydantic import ConfigDict, Field

from kakomi.puzzles import Puzzle
from kakomi.server.accounts.auth import anyone, guests, optional_guest, required_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.puzzles import collection, selectors, services
from kakomi.server.puzzles.models import ANSWER_LENGTH, NAME_LENGTH, Attempt
from kakomi.server.puzzles.presenters import PuzzleHead, heads_of
from kakomi.server.site.api import PositionOut, Strict, answers, position_out

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
    """All winning first turns, one for each position that they lead to, and a line of best play."""

    answers: list[str]
    line: str


class PuzzleOut(Schema):
    """A puzzle: `seat` is to act and can win by `winning_turns` different turns. A bot of `level` missed them
    in `misses` of `tries` tries. `text` is the position in the format of docs/positions.md. `attempt` and
    `proof` are null until you have answered."""

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
    """The puzzles of a day, which ends at midnight UTC. `older` is the day before; null if that is no longer
    available."""

    day: str
    puzzles: list[PuzzleOut]
    older: str | None


class AnswerIn(Strict):
    """A whole turn: its actions, separated by spaces."""

    turn: Annotated[str, Field(max_length=ANSWER_LENGTH)]
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"turn": "3,4 2,2"}]})


class OwnPuzzlesOut(Schema):
    """How many puzzles you have answered, how many of them correctly, and your answers, latest first."""

    answered: int
    solved: int
    attempts: list[AttemptOut]
    older: str | None


@router.get("", auth=anyone("read"), response=answers(DayOut), url_name="puzzles_of_day")
def puzzles_of_day(request: HttpRequest, day: Day = "") -> DayOut:
    """Your puzzles of today, or of one of the seven days before, matched to your strength. Solutions are
    included for the puzzles that you have answered."""
    today, guest = selectors.today(), optional_guest(request)
    chosen = selectors.shown_day(day, today)
    before = collection.day_before(chosen, today)
    return DayOut(
        day=chosen.isoformat(),
        puzzles=_puzzles(selectors.puzzles_for(guest, chosen), guest),
        older=before.isoformat() if before else None,
    )


@router.get("/mine", auth=guests("read"), response=answers(OwnPuzzlesOut), url_name="own_puzzles")
def own_puzzles(request: HttpRequest, before: Before = "") -> OwnPuzzlesOut:
    """Your answers, latest first, 24 at a time."""
    guest = required_guest(request)
    page, score = selectors.attempts_of(guest, before), selectors.score_of(guest)
    return OwnPuzzlesOut(
        answered=score.answered,
        solved=score.solved,
        attempts=list(map(_attempt, page.attempts)),
        older=page.older,
    )


@router.get("/{name}", auth=anyone("read"), response=answers(PuzzleOut), url_name="puzzle")
def puzzle(request: HttpRequest, name: Name) -> PuzzleOut:
    """A puzzle, with its proof if you have answered it."""
    return _puzzle(selectors.find_puzzle(name), optional_guest(request))


@router.post("/{name}/answer", auth=guests("play"), response=answers(PuzzleOut), url_name="answer_puzzle")
def answer(request: HttpRequest, name: Name, answer: AnswerIn) -> PuzzleOut:
    """Answer a puzzle. Only the first answer counts; later requests return that one."""
    guest, found = required_guest(request), selectors.find_puzzle(name)
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
