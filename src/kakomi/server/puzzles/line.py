"""The line that proves a puzzle's win, turn by turn."""

from dataclasses import dataclass

from kakomi.core import Position
from kakomi.server.language import translate


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
