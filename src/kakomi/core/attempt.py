"""How far a reader has come in an example."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kakomi.core.action import Action, IllegalAction
from kakomi.core.example import Example, Step
from kakomi.core.game import Game
from kakomi.core.i18n import lazy_message
from kakomi.core.position import Position

_MOST_TRIED = 5_000
"""Positions looked at to find out whether a task can still be done."""


@dataclass(frozen=True)
class Attempt:
    """An example with what its reader has played in it."""

    example: Example
    played: tuple[str, ...]
    number: int
    """How many tasks are fulfilled."""
    seat: int
    """Who acts first in the example."""
    begun: Position
    """Where the present task began."""
    position: Position
    since: tuple[str, ...] = ()
    """What has been played for the present task."""
    is_missed: bool = False
    """Whether the present task can't be fulfilled any more."""

    @property
    def step(self) -> Step | None:
        """The present task; None when all are fulfilled."""
        steps = self.example.steps
        return steps[self.number] if self.number < len(steps) else None

    @property
    def is_open(self) -> bool:
        """Whether the reader is to play."""
        return self.step is not None and not self.is_missed

    def then(self, text: str) -> "Attempt":
        """The attempt after one more action. Raises IllegalAction, also if no action is wanted."""
        if self.step is None or self.is_missed:
            raise IllegalAction(lazy_message("this example wants no further action"))
        position = self.position.play_action(self.position.game.action(text))
        played, since = (*self.played, text), (*self.since, text)
        if self.step.is_fulfilled(position):
            return Attempt(self.example, played, self.number + 1, self.seat, position, position)
        left = len(self.step.actions) - len(since)
        missed = not _is_within_reach(self.step, position, left, iter(range(_MOST_TRIED)))
        return replace(self, played=played, since=since, position=position, is_missed=missed)

    @property
    def line(self) -> tuple[str, ...]:
        """How play may go on from here, where the example says so of what has been played."""
        return tuple(self.example.lines.get(" ".join(self.played), "").split())

    @property
    def reply(self) -> tuple[str, ...]:
        """That line up to the end of the opponents' next turn; nothing if it doesn't come so far."""
        position = self.position
        for number, action in enumerate(self.line, 1):
            acts = position.to_move
            position = position.play(action)
            if acts != self.seat and position.is_between_turns:
                return self.line[:number]
        return ()

    @property
    def shown(self) -> Position:
        """What there is to see: of a miss what the opponents reply, if that is known."""
        return self.position.play(" ".join(self.reply)) if self.is_missed and self.reply else self.position

    @property
    def again(self) -> tuple[str, ...]:
        """What was played before the present task, to try that once more."""
        return self.played[: len(self.played) - len(self.since)]

    @property
    def shown_next(self) -> tuple[str, ...]:
        """What was played and the next action of the solution, after whatever still belongs to that."""
        if self.step is None:
            return self.played
        solution = self.step.actions
        if not self.is_missed and self.since == solution[: len(self.since)]:
            return (*self.played, solution[len(self.since)])
        return (*self.again, solution[0])

    def action_at(self, target: str) -> str:
        """What somebody means who touches a point or cell, or names an action that touches none.

        Raises IllegalAction if the board has nothing of that name.
        """
        return action_at(self.position, target)

    @property
    def off_board(self) -> list[str]:
        """What can be done now without touching the board: pass, end the turn."""
        actions = self.position.game.actions
        legal = self.position.legal_actions() if self.is_open else []
        return [actions[number].text for number in legal if actions[number].target is None]


def attempt_at(game: Game, example: Example, played: Sequence[str] = ()) -> Attempt:
    """The attempt after some actions, in a game with the example's options.

    Raises IllegalAction if they can't be played.
    """
    position = example.begin(game)
    attempt = Attempt(example, (), 0, position.to_move, position, position)
    for action in played:
        attempt = attempt.then(action)
    return attempt


def action_at(position: Position, target: str) -> str:
    """What somebody means who touches a point or cell, or names an action that touches none.

    Raises IllegalAction if the board has nothing of that name.
    """
    actions, legal = position.game.actions, position.legal_actions()
    meant = [number for number, action in enumerate(actions) if target in (action.target, action.text)]
    if not meant:
        raise IllegalAction(lazy_message("the board has no such point"))
    open_now = [number for number in meant if number in set(legal)]
    return actions[
        (open_now or sorted(meant, key=lambda number: not _is_kin(actions, number, legal)))[0]
    ].text


def _is_kin(actions: Sequence[Action], number: int, legal: Sequence[int]) -> bool:
    """Whether actions of that kind are wanted now: a removal, say, and not a placement."""
    return actions[number].kind in {actions[other].kind for other in legal}


def _is_within_reach(step: Step, position: Position, left: int, tries: Iterator[int]) -> bool:
    """Whether so many more actions can fulfil the task; taken to be so if that takes too long to find out."""
    if left == 0 or position.is_over:
        return False
    for action in position.legal_actions():
        if next(tries, None) is None:
            return True
        after = position.play_action(action)
        if step.is_fulfilled(after) or _is_within_reach(step, after, left - 1, tries):
            return True
    return False
