"""A game as it has gone so far."""

from collections.abc import Iterable, Sequence

from kakomi.core import Game, IllegalAction, Position
from kakomi.protocol.exceptions import Refusal


class Course:
    """The positions from a game's start to now. Immutable.

    Courses that begin alike share those positions, by which a search knows that it can go on with its tree.
    """

    def __init__(self, positions: Sequence[Position]) -> None:
        self._positions = tuple(positions)

    @classmethod
    def begun(cls, game: Game) -> "Course":
        """Nothing is played yet."""
        return cls([game.start()])

    @property
    def position(self) -> Position:
        """Where it has come to."""
        return self._positions[-1]

    @property
    def game(self) -> Game:
        """What is played."""
        return self.position.game

    @property
    def actions(self) -> list[int]:
        """Everything played, by number."""
        return self.position.actions_since(self._positions[0]) or []

    def with_played(self, texts: Iterable[str]) -> "Course":
        """The course after more actions. Raises Refusal naming the first that can't be played."""
        positions = list(self._positions)
        for number, text in enumerate(texts):
            try:
                positions.append(positions[-1].play_action(self.game.action(text)))
            except IllegalAction as error:
                raise Refusal("illegal-action", f"actions[{number}]: {error}") from None
        return Course(positions)

    def without_last(self, count: int) -> "Course":
        """The course before the last actions. Raises Refusal if there aren't so many."""
        played = len(self._positions) - 1
        if count > played:
            raise Refusal("nothing-to-undo", f"{count} can't be taken back: {played} have been played")
        return Course(self._positions[: len(self._positions) - count])

    def changed_to(self, game: Game, texts: Sequence[str]) -> "Course":
        """The course of these actions from the start, sharing what is the same. Raises Refusal."""
        if game != self.game:
            return Course.begun(game).with_played(texts)
        names = self.game.action_texts
        played = [names[action] for action in self.actions]
        pairs = zip(played, texts, strict=False)
        shared = next(
            (n for n, (ours, theirs) in enumerate(pairs) if ours != theirs), min(len(played), len(texts))
        )
        try:
            return Course(self._positions[: shared + 1]).with_played(texts[shared:])
        except Refusal:
            return Course.begun(game).with_played(texts)  # refuses with the number counted from the start
