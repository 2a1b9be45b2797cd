"""Puzzles as pages show them, with the turns of the proven line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlencode

from django.utils.functional import cached_property
from django.utils.translation import gettext

from kakomi.core import Action, Position
from kakomi.puzzles import Puzzle, is_whole_turn, played
from kakomi.server.analysis.links import link_to
from kakomi.server.boards.presenters import BoardPresenter
from kakomi.server.puzzles.collection import day_before
from kakomi.server.puzzles.models import Attempt
from kakomi.server.puzzles.selectors import Score
from kakomi.server.site.games import expectation, setup_label
from kakomi.server.site.language import translate


@dataclass(frozen=True)
class LineTurn:
    """A turn of a line."""

    number: int
    """From 1."""
    seat: int
    text: str
    after: Position

    @property
    def player(self) -> str:
        """The name of its player."""
        return translate(self.after.game.player_names[self.seat])


def turns_in(begun: Position, line: str) -> list[LineTurn]:
    """The turns of a line from a position; the last one may be incomplete."""
    turns: list[LineTurn] = []
    position, actions = begun, line.split()
    for place, action in enumerate(actions):
        seat = position.to_move
        so_far = (*position.turn, position.game.action(action))
        position = position.play(action)
        if position.is_between_turns or place == len(actions) - 1:
            text = " ".join(position.game.action_texts[number] for number in so_far)
            turns.append(LineTurn(len(turns) + 1, seat, text, position))
    return turns


@dataclass(frozen=True)
class PuzzleHead:
    """A puzzle with the viewer's attempt, if any."""

    puzzle: Puzzle
    attempt: Attempt | None = None

    @cached_property
    def begun(self) -> Position:
        """The position to solve."""
        return self.puzzle.shown()

    @property
    def title(self) -> str:
        """The game's name."""
        return translate(self.begun.game.description.title)

    @property
    def setup(self) -> str:
        """The board, and any unusual options."""
        return setup_label(self.begun.game)

    @property
    def task(self) -> str:
        """The task, in words."""
        player = translate(self.begun.game.player_names[self.puzzle.seat])
        return gettext("{player} to move and win.").format(player=player)

    @property
    def picture(self) -> BoardPresenter:
        """A static board, for lists."""
        return BoardPresenter(self.begun, prefix=f"puzzle-{self.puzzle.name}", is_interactive=False)


@dataclass(frozen=True)
class DayPresenter:
    """The puzzles of a day."""

    day: date
    today: date
    heads: Sequence[PuzzleHead]
    score: Score
    """The viewer's score."""

    @property
    def is_today(self) -> bool:
        return self.day == self.today

    @property
    def before(self) -> str:
        """The day before, as text for an address; empty if it can't be viewed."""
        before = day_before(self.day, self.today)
        return before.isoformat() if before else ""

    @property
    def after(self) -> str:
        """The day after, as text for an address; empty if this is today."""
        return "" if self.is_today else (self.day + timedelta(days=1)).isoformat()


@dataclass(frozen=True)
class PuzzlePresenter:
    """A puzzle with the viewer's actions so far, or once answered, with its proof."""

    head: PuzzleHead
    actions: tuple[str, ...] = ()
    """The actions of the turn so far."""
    step: int = 1
    """Once answered, how many turns of the line the board shows."""
    wants_solution: bool = False
    """Whether a viewer whose answer was wrong asks for the solution rather than for another try."""
    tried: str = ""
    """The answer of another try, if it is the one shown."""
    is_again: bool = False
    """Whether the viewer has answered before and tries again."""
    refused: str = ""
    """Why the last action can't be played."""

    @property
    def puzzle(self) -> Puzzle:
        return self.head.puzzle

    @property
    def attempt(self) -> Attempt | None:
        return self.head.attempt

    @cached_property
    def position(self) -> Position:
        """The position on the board."""
        if self.is_solved:
            return self.line[self.step - 1].after if self.step else self.head.begun
        return played(self.head.begun, " ".join(self.actions))

    @cached_property
    def line(self) -> list[LineTurn]:
        """The turns of the proven line."""
        return turns_in(self.head.begun, self.puzzle.line)

    @property
    def extra(self) -> str:
        """What links to steps of the line have to keep."""
        return f"&{urlencode({'tried': self.tried})}" if self.tried else ""

    @property
    def is_solved(self) -> bool:
        """Whether the solution is shown."""
        return self.attempt is not None and (self.attempt.is_right or self.wants_solution)

    @property
    def is_whole(self) -> bool:
        """Whether the actions so far are a whole turn, which can be submitted."""
        return is_whole_turn(self.head.begun, self.position)

    @property
    def is_open(self) -> bool:
        """Whether the board accepts actions."""
        return not self.attempt and not self.is_whole

    @cached_property
    def board(self) -> BoardPresenter:
        """The board after the actions so far."""
        return BoardPresenter(self.position, prefix="puzzle-board", may_play=self.is_open)

    @property
    def off_board(self) -> list[Action]:
        """The legal actions without a place on the board."""
        return self.board.off_board

    @property
    def so_far(self) -> str:
        """The actions so far, as text."""
        return " ".join(self.actions)

    @property
    def feedback(self) -> str:
        """The message after the last action."""
        if self.refused:
            return self.refused
        if self.is_whole:
            return gettext("Your move: {turn}. Submit it as your answer.").format(turn=self.so_far)
        if not self.actions:
            return ""
        said = gettext("Your move so far: {turn}. {expectation}")
        return said.format(turn=self.so_far, expectation=expectation(self.position))

    @property
    def ending(self) -> str:
        """How the game ends, in words; empty if the line stops earlier."""
        end = self.line[-1].after
        if not end.is_over:
            return ""
        return gettext("With best play: {account}.").format(
            account=translate(end.game.description.explain.account(end))
        )

    @property
    def study(self) -> str:
        """The address of an analysis of the position, with the actions that led to it if the link permits."""
        puzzle, game = self.puzzle, self.head.begun.game
        return link_to(game, puzzle.before.split(), puzzle.position) or link_to(game, (), puzzle.at)

    def playing_on(self) -> dict[str, object]:
        """The fields of a form that begins a game from the position against the level that missed it."""
        options, seat = self.head.begun.game.options, self.puzzle.seat
        return {**options, "position": str(self.head.begun), "opponent": self.puzzle.level, "side": seat}


def heads_of(puzzles: Sequence[Puzzle], attempts: Mapping[str, Attempt]) -> list[PuzzleHead]:
    """Puzzles with the viewer's attempts, given by the puzzles' names."""
    return [PuzzleHead(puzzle, attempts.get(puzzle.name)) for puzzle in puzzles]
