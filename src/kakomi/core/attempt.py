"""A reader's attempt at an example."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kakomi.core.action import Action, IllegalAction
from kakomi.core.example import Example, Step, owners_of
from kakomi.core.game import Game
from kakomi.core.i18n import lazy_message
from kakomi.core.position import Position

_MOST_TRIED = 5_000
"""The most positions searched to find out whether a task can still be fulfilled."""


@dataclass(frozen=True)
class Attempt:
    """An example and the actions that its reader has played."""

    example: Example
    played: tuple[str, ...]
    number: int
    """The number of fulfilled tasks."""
    seat: int
    """The player who acts first in the example."""
    begun: Position
    """The position in which the current task began."""
    position: Position
    since: tuple[str, ...] = ()
    """The actions played for the current task."""
    is_missed: bool = False
    """Whether the current task can no longer be fulfilled."""

    @property
    def step(self) -> Step | None:
        """The current task; None when all are fulfilled."""
        steps = self.example.steps
        return steps[self.number] if self.number < len(steps) else None

    @property
    def is_open(self) -> bool:
        """Whether the reader is to act."""
        return self.step is not None and not self.is_missed

    def then(self, text: str) -> "Attempt":
        """The attempt after one more action. Raises IllegalAction, also if it isn't open."""
        if self.step is None or self.is_missed:
            raise IllegalAction(lazy_message("this example is finished"))
        position = self.position.play_action(self.position.game.action(text))
        played, since = (*self.played, text), (*self.since, text)
        if is_fulfilled(self.step, position):
            return Attempt(self.example, played, self.number + 1, self.seat, position, position)
        left = len(self.step.actions) - len(since)
        missed = not _is_within_reach(self.step, position, left, iter(range(_MOST_TRIED)))
        return replace(self, played=played, since=since, position=position, is_missed=missed)

    @property
    def line(self) -> tuple[str, ...]:
        """The example's continuation of the actions played, if it has one."""
        return tuple(self.example.lines.get(" ".join(self.played), "").split())

    @property
    def reply(self) -> tuple[str, ...]:
        """That line up to the end of the opponents' next turn; empty if it is shorter."""
        position = self.position
        for number, action in enumerate(self.line, 1):
            acts = position.to_move
            position = position.play(action)
            if acts != self.seat and position.is_between_turns:
                return self.line[:number]
        return ()

    @property
    def shown(self) -> Position:
        """The position to show: after a miss the one after the opponents' reply, if there is one."""
        return self.position.play(" ".join(self.reply)) if self.is_missed and self.reply else self.position

    @property
    def again(self) -> tuple[str, ...]:
        """The actions played before the current task, to try it again."""
        return self.played[: len(self.played) - len(self.since)]

    @property
    def shown_next(self) -> tuple[str, ...]:
        """The actions to play to see the next one of the solution, after those that agree with it."""
        if self.step is None:
            return self.played
        solution = self.step.actions
        if not self.is_missed and self.since == solution[: len(self.since)]:
            return (*self.played, solution[len(self.since)])
        return (*self.again, solution[0])

    def action_at(self, target: str) -> str:
        """The action of a click on a point or cell; see `action_at`."""
        return action_at(self.position, target)

    @property
    def off_board(self) -> list[str]:
        """The legal actions that touch no point or cell, such as a pass."""
        actions = self.position.game.actions
        legal = self.position.legal_actions() if self.is_open else []
        return [actions[number].text for number in legal if actions[number].target is None]


def begin(example: Example, game: Game) -> Position:
    """The position of an example before the reader's actions, in a game with its options."""
    if example.position:
        position = game.position(example.position)
    else:
        position = game.arranged(owners_of(example.stones), example.to_move, **example.fields)
    for action in example.before.split():
        position = position.play(action)
    return position


def is_fulfilled(step: Step, position: Position) -> bool:
    """Whether a position has all properties that a step claims."""
    stones = position.stones()
    return (
        all(stones.get(point) == player for point, player in step.becomes.items())
        and (step.scores is None or tuple(position.scores()) == step.scores)
        and (step.to_move is None or position.to_move == step.to_move)
        and position.is_over >= step.is_last
        and all(set(wanted.split()) <= _marked(position, name) for name, wanted in step.marked.items())
    )


def _marked(position: Position, overlay: str) -> set[str]:
    return {mark.at for found in position.overlays() if found.name == overlay for mark in found.marks}


def attempt_at(game: Game, example: Example, played: Sequence[str] = ()) -> Attempt:
    """The attempt after some actions, in a game with the example's options.

    Raises IllegalAction if they can't be played.
    """
    position = begin(example, game)
    attempt = Attempt(example, (), 0, position.to_move, position, position)
    for action in played:
        attempt = attempt.then(action)
    return attempt


def action_at(position: Position, target: str) -> str:
    """The text of the action meant by a click on a point or cell, or by the text of another action.

    Legal actions come first, then those of a kind that is legal. Raises IllegalAction for an unknown target.
    """
    actions, legal = position.game.actions, position.legal_actions()
    meant = [number for number, action in enumerate(actions) if target in (action.target, action.text)]
    if not meant:
        raise IllegalAction(lazy_message("there is no such place on the board"))
    open_now = [number for number in meant if number in set(legal)]
    return actions[
        (open_now or sorted(meant, key=lambda number: not _is_kin(actions, number, legal)))[0]
    ].text


def _is_kin(actions: Sequence[Action], number: int, legal: Sequence[int]) -> bool:
    """Whether the legal actions include any of the same kind, such as removals."""
    return actions[number].kind in {actions[other].kind for other in legal}


def _is_within_reach(step: Step, position: Position, left: int, tries: Iterator[int]) -> bool:
    """Whether the task can be fulfilled within `left` actions; True if `tries` run out first."""
    if left == 0 or position.is_over:
        return False
    for action in position.legal_actions():
        if next(tries, None) is None:
            return True
        after = position.play_action(action)
        if is_fulfilled(step, after) or _is_within_reach(step, after, left - 1, tries):
            return True
    return False
