"""The actions of a recorded game one by one, and lines of play as turns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kakomi.core import Game, Position
from kakomi.records import Record, Turn


@dataclass(frozen=True)
class Ply:
    """One action of the game itself."""

    turn: int
    """The number of its turn in the record, from 1."""
    place: int
    """Which action of the turn it is, from 1."""
    of: int
    """How many actions the turn has."""
    before: Position
    after: Position
    action: int
    is_forced: bool
    """Whether there was nothing else to play, or the match played for somebody who had resigned."""

    @property
    def player(self) -> int:
        """Who acted."""
        return self.before.to_move

    @property
    def player_name(self) -> str:
        """What the one who acted is called."""
        return self.before.game.player_names[self.player]

    @property
    def action_text(self) -> str:
        """The action as it is spelled."""
        return self.before.game.action_texts[self.action]

    @property
    def number(self) -> str:
        """The turn's number, with the action's place in a turn of several: `12.2`."""
        return f"{self.turn}.{self.place}" if self.of > 1 else str(self.turn)

    @property
    def moment(self) -> float:
        """When it had been played, in turns from the start of the game."""
        return self.turn - 1 + self.place / self.of


def plies(record: Record, game: Game, turns: range | None = None) -> list[Ply]:
    """The actions of the game itself, or of some of its turns; variations are left out.

    Raises IllegalAction, unless the record has been checked.
    """
    resigned = {resignation.player: resignation.after for resignation in record.resignations}
    found = []
    position = game.start()
    for number, turn in enumerate(record.turns[: record.length], 1):
        has_left = number > resigned.get(turn.player, number)
        for ply in _of_turn(position, number, turn.actions, has_left):
            position = ply.after
            if turns is None or number in turns:
                found.append(ply)
    return found


def _of_turn(before: Position, number: int, texts: tuple[str, ...], has_left: bool) -> Iterator[Ply]:
    for place, text in enumerate(texts, 1):
        action = before.game.action(text)
        is_forced = has_left or len(before.legal_actions()) == 1
        after = before.play_action(action)
        yield Ply(number, place, len(texts), before, after, action, is_forced)
        before = after


LONGEST = 10
"""Actions of a line that anybody is shown: further on a search has hardly looked."""


def turns_of(start: Position, actions: Sequence[int]) -> list[Turn]:
    """The turns that actions from a position on make up, with what was played of the first one before.

    At most `LONGEST` actions are taken, and a turn that they leave unfinished only if it is the first.
    """
    turns: list[Turn] = []
    played = list(start.turn)
    position = start
    for action in actions[:LONGEST]:
        player = position.to_move
        position = position.play_action(action)
        played.append(action)
        if not position.turn:
            turns.append(_turn(start, player, played))
            played = []
    return turns or [_turn(start, start.to_move, played)]


def _turn(position: Position, player: int, actions: Sequence[int]) -> Turn:
    return Turn(player=player, actions=tuple(position.game.action_texts[action] for action in actions))
