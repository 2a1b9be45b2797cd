"""The history of a game in progress."""

from collections.abc import Iterable, Sequence

from kakomi.core import Game, IllegalAction, Position
from kakomi.protocol.exceptions import RequestError


class GameHistory:
    """A game's positions, from its first to its current one. Immutable.

    Histories with the same beginning share its positions, so that a search can reuse its tree.
    """

    def __init__(self, positions: Sequence[Position]) -> None:
        self._positions = tuple(positions)

    @classmethod
    def begun(cls, start: Position) -> "GameHistory":
        """Return a history in which nothing has been played yet."""
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
        """The game being played."""
        return self.position.game

    @property
    def actions(self) -> list[int]:
        """Everything played since the start, by number."""
        return self.position.actions_since(self.start) or []

    def with_played(self, texts: Iterable[str]) -> "GameHistory":
        """Return the history with more actions. Raises RequestError, naming the first illegal one."""
        positions = list(self._positions)
        for number, text in enumerate(texts):
            try:
                positions.append(positions[-1].play_action(self.game.action(text)))
            except IllegalAction as error:
                raise RequestError("illegal-action", f"actions[{number}]: {error}") from None
        return GameHistory(positions)

    def without_last(self, count: int) -> "GameHistory":
        """Return the history without its last `count` actions. Raises RequestError if there are fewer."""
        played = len(self._positions) - 1
        if count > played:
            raise RequestError("nothing-to-undo", f"{count} can't be taken back: {played} have been played")
        return GameHistory(self._positions[: len(self._positions) - count])

    def changed_to(self, start: Position, texts: Sequence[str]) -> "GameHistory":
        """Return the history of these actions from `start`, sharing the common beginning.

        Raises RequestError.
        """
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
        except RequestError:
            return GameHistory.begun(start).with_played(texts)  # refuses with an index from the start
