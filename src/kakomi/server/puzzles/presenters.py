"""Puzzles as pages show them, with the line that proves the win, turn by turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.functional import cached_property
from django.utils.translation import gettext, ngettext

from kakomi.core import Action, Position
from kakomi.server.analysis.links import link_to
from kakomi.server.boardview.presenters import BoardPresenter
from kakomi.server.games import expectation, setup_label
from kakomi.server.language import translate
from kakomi.server.puzzles.collection import day_before
from kakomi.server.puzzles.models import Attempt
from kakomi.server.puzzles.selectors import Score
from kakomi.study.puzzles.puzzle import Puzzle, is_whole_turn, played


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
        """Whose it is."""
        return translate(self.after.game.player_names[self.seat])


def turns_in(begun: Position, line: str) -> list[LineTurn]:
    """The turns of a line from a position on; the last one may be cut off."""
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
    """What there is to say of a puzzle before and after it is answered."""

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
        """The board, and what is unusual about the game."""
        return setup_label(self.begun.game)

    @property
    def task(self) -> str:
        """What there is to do."""
        player = translate(self.begun.game.player_names[self.puzzle.seat])
        return gettext("{player} is to play, and wins.").format(player=player)

    @property
    def claim(self) -> str:
        """What is proved."""
        count = len(self.puzzle.answers)
        said = ngettext(
            "One turn wins. All others are proved not to.",
            "{count} turns win. All others are proved not to.",
            count,
        )
        return said.format(count=count)

    @property
    def missed(self) -> str:
        """How hard it is: what bots make of it."""
        counts = {"level": self.puzzle.level, "misses": self.puzzle.misses, "tries": self.puzzle.tries}
        return gettext("Level {level} misses it in {misses} of {tries} tries.").format(**counts)

    @property
    def picture(self) -> BoardPresenter:
        """The board to look at, in a list."""
        return BoardPresenter(self.begun, prefix=f"puzzle-{self.puzzle.name}", is_interactive=False)


@dataclass(frozen=True)
class DayPresenter:
    """The puzzles of a day."""

    day: date
    today: date
    heads: Sequence[PuzzleHead]
    score: Score
    """The viewer's."""

    @property
    def is_today(self) -> bool:
        return self.day == self.today

    @property
    def before(self) -> str:
        """The day before, for an address, if it can be looked at."""
        before = day_before(self.day, self.today)
        return before.isoformat() if before else ""

    @property
    def after(self) -> str:
        """The day after, if it has come."""
        return "" if self.is_today else (self.day + timedelta(days=1)).isoformat()


@dataclass(frozen=True)
class PuzzlePresenter:
    """A puzzle with what its viewer has played; once it is answered, with its proof."""

    head: PuzzleHead
    actions: tuple[str, ...] = ()
    """What was played of a turn that is no answer yet."""
    step: int = 1
    """How many turns of the line the board shows, once it is answered."""
    refused: str = ""
    """Why what was just touched can't be played."""

    @property
    def puzzle(self) -> Puzzle:
        return self.head.puzzle

    @property
    def attempt(self) -> Attempt | None:
        return self.head.attempt

    @cached_property
    def position(self) -> Position:
        """What there is to see."""
        if self.attempt:
            return self.line[self.step - 1].after if self.step else self.head.begun
        return played(self.head.begun, " ".join(self.actions))

    @cached_property
    def line(self) -> list[LineTurn]:
        """The turns of the line that proves the win."""
        return turns_in(self.head.begun, self.puzzle.line)

    @property
    def is_whole(self) -> bool:
        """Whether what was played is a whole turn, which can be given as the answer."""
        return is_whole_turn(self.head.begun, self.position)

    @property
    def is_open(self) -> bool:
        """Whether the board takes actions."""
        return not self.attempt and not self.is_whole

    @cached_property
    def board(self) -> BoardPresenter:
        """The board after what was played."""
        return BoardPresenter(self.position, prefix="puzzle-board", may_play=self.is_open)

    @property
    def off_board(self) -> list[Action]:
        """What can be done now without touching the board."""
        return self.board.off_board

    @property
    def so_far(self) -> str:
        """What was played."""
        return " ".join(self.actions)

    @property
    def feedback(self) -> str:
        """What there is to say of the last thing that was done."""
        if self.refused:
            return self.refused
        if self.is_whole:
            return gettext("Your turn: {turn}. It counts once you give it as your answer.").format(
                turn=self.so_far
            )
        if not self.actions:
            return ""
        said = gettext("Your turn so far: {turn}. {expectation}")
        return said.format(turn=self.so_far, expectation=expectation(self.position))

    @property
    def verdict(self) -> str:
        """Whether the answer was right, in a sentence or two."""
        if not self.attempt:
            return ""
        if self.attempt.is_right:
            return gettext("{turn} wins.").format(turn=self.attempt.answer)
        return gettext("You played {turn}, which does not win. What wins is {answers}.").format(
            turn=self.attempt.answer, answers=gettext(" or ").join(self.puzzle.answers)
        )

    @property
    def ending(self) -> str:
        """How the line ends, if it comes to the end of the game."""
        end = self.line[-1].after
        if not end.is_over:
            return ""
        return gettext("With best play it ends like this: {account}.").format(
            account=translate(end.game.description.explain.account(end))
        )

    @property
    def study(self) -> str:
        """The address of an analysis of the position, with the way that led there if it isn't too long."""
        puzzle, game = self.puzzle, self.head.begun.game
        return link_to(game, puzzle.before.split(), puzzle.position) or link_to(game, (), puzzle.at)


def heads_of(puzzles: Sequence[Puzzle], attempts: Mapping[str, Attempt]) -> list[PuzzleHead]:
    """What there is to say of some puzzles."""
    return [PuzzleHead(puzzle, attempts.get(puzzle.name)) for puzzle in puzzles]
