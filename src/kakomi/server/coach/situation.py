"""A game at a table as it stands, for the only person there."""

from dataclasses import dataclass

from kakomi import catalog
from kakomi.core import Position
from kakomi.records import Record, game_of, position_after
from kakomi.server.analysis.game_analysis import Kept, kept_in_memory
from kakomi.server.analysis.selectors import game_count, record_at_table
from kakomi.server.tables import models
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused, Table


@dataclass(frozen=True)
class Situation:
    """What a coach has to judge."""

    record: Record
    position: Position
    player: int
    """Whom the coach helps."""
    own_turn: int | None
    """The number of that player's last turn, from 1; None before the first."""
    may_take_back: bool
    """Whether that turn can be taken back."""
    kept: Kept
    """What was found in this game before, to be added to."""

    @property
    def is_to_act(self) -> bool:
        """Whether the person is to begin a turn."""
        position = self.position
        return not position.is_over and position.to_move == self.player and not position.turn


def situation_of(row: models.Table, table: Table, viewer: Viewer) -> Situation | None:
    """The last game of a table's match; None while colours aren't settled, and for who has resigned."""
    number = game_count(row) - 1
    game = table.match.current_game
    if game.players is None or viewer.own[0] in game.resigned_seats:
        return None
    try:
        record = record_at_table(row, number)
    except Refused:
        return None
    player = game.players[viewer.own[0]]
    first = 2 if game.swapped else 1  # what was taken over by a swap was the bot's
    turns = enumerate(record.turns[: record.length], 1)
    own = [turn for turn, played in turns if played.player == player and turn >= first]
    return Situation(
        record,
        position_after(record, game_of(record, catalog.game)),
        player,
        own[-1] if own else None,
        any(table.may(seat, "takeback") for seat in viewer.own),
        kept_in_memory(row.code, number),
    )
