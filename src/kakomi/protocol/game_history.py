"""A game as it has gone so far."""

from collections.abc import Iterable, Sequence

from kakomi.core import Game, IllegalAction, Position
from kakomi.protocol.exceptions import Refusal


class GameHistory:
    """The positions from where a game began to now. Immutable.

    Histories that begin alike share those positions, by which a search knows that it can go on with its tree.
    """

    def __init__(self, positions: Sequence[Position]) -> None:
        self._positions = tuple(positions)

    @classmethod
    def begun(cls, start: Position) -> "GameHistory":
        """Nothing is played yet."""
        return cls([start])

    @property
    def start(self) -> Position:
        """The first position: the game's start, or one that was set up."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The last position."""
        return self._positions[-1]

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def actions(self) -> list[int]:
        """Everything played since the start, by number."""
        return self.position.actions_since(self.start) or []

    def with_played(self, texts: Iterable[str]) -> "GameHistory":
        """The history after more actions. Raises Refusal naming the first that can't be played."""
        positions = list(self._positions)
        for number, text in enumerate(texts):
            try:
                positions.append(positions[-1].play_action(self.game.action(text)))
            except IllegalAction as error:
                raise Refusal("illegal-action", f"actions[{number}]: {error}") from None
        return GameHistory(positions)

    def without_last(self, count: int) -> "GameHistory":
        """The history before the last actions. Raises Refusal if there aren't so many."""
        played = len(self._positions) - 1
        if count > played:
            raise Refusal("nothing-to-undo", f"{count} can't be taken back: {played} have been played")
        return GameHistory(self._positions[: len(self._positions) - count])

    def changed_to(self, start: Position, texts: Sequence[str]) -> "GameHistory":
        """The history of these actions from a start, sharing what is the same. Raises Refusal."""
        if start != self.start:
            return GameHistory.begun(start).with_played(texts)
        names = self.game.action_texts
        played = [names[action] for action in self.actions]
        pairs = zip(played, texts, strict=False)
        shared = next(
            (n for n, (ours, theirs) in enumerate(pairs) if ours != theirs), min(len(played), len(texts))
        )
        try:
            return GameHistory(self._positions[: shared + 1]).with_played(texts[shared:])
        except Refusal:
            return GameHistory.begun(start).with_played(texts)  # refuses, counting from the start
