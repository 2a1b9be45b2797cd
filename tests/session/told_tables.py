"""Tables for tests, and a short notation for entries."""

from collections.abc import Sequence

import kakomi
from kakomi.session import Entry, MatchConfig, Seat, Table, TimeControl

PEOPLE = (Seat("Ada"), Seat("Ben"))
WITH_BOT = (Seat("Ada"), Seat("Level 1", bot="1"))


def begun(
    name: str = "rin",
    seats: Sequence[Seat] = PEOPLE,
    *,
    time: TimeControl | None = None,
    games: int = 1,
    negotiate: bool = False,
    swap: bool = False,
    start: float | None = None,
    leavers: str = "",
    is_binding: bool = False,
    **options: int,
) -> Table:
    """A table with a small board, begun at time 1000."""
    game = kakomi.game(name, **({"size": 4} | options))
    config = MatchConfig(game, games=games, negotiate=negotiate, swap=swap, leavers=leavers)
    return Table.begun(config, seats, time=time, at=1000.0, start=start, is_binding=is_binding)


def told(table: Table, *lines: str) -> Table:
    """The table after entries written like `0 play 0,0 @1010`: seat, kind, value, time.

    The default time is that of the entry before. Seat `-` is the site.
    """
    for line in lines:
        words, _, moment = line.partition(" @")
        seat, kind, *value = words.split(" ", 2)
        given = (
            int(value[0])
            if value and kind in ("komi", "colour", "flag", "forfeit")
            else value[0]
            if value
            else None
        )
        at = float(moment) if moment else table.at
        table = table.apply(Entry(None if seat == "-" else int(seat), kind, given, at))
    return table


def texts(table: Table) -> list[str]:
    """The texts of all actions in the current game."""
    leg = table.match.current_game
    return [leg.game.action_texts[action] for action in leg.actions()]
