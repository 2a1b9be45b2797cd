"""What apps that are built on tables hear of them, inside the transaction that makes the change.

A receiver that raises undoes the change, so that what follows from it is written with it or not at all.
"""

from django.dispatch import Signal

table_opened = Signal()
"""A table was opened. Sent by the class `models.Table` with `row`, `table`, and `follows`: whether it is a
rematch."""
seat_taken = Signal()
"""A guest sat down. Sent by the class `models.Table` with `row`, `seat` and `guest`."""
seat_declined = Signal()
"""Somebody declined an invitation. Sent by the class `models.Table` with `row`, `seat` and `reason`, one of
`session.events.ABORTS`."""
time_running_out = Signal()
"""Somebody has not acted for a while, or their clock runs out soon. The table's row is locked, and its
`warned` is the turn.

Sent by the class `models.Table` with `row`, `table`, `seat` (the number of the one to act), `deadline` (in
seconds since the epoch; None for a game without a clock), and `is_last`: whether the clock runs out soon."""
entries_added = Signal()
"""Entries were added to a log, by a person, a bot, the site or a responder. The table's row is locked.

Sent by the class `models.Table` with `row`, `before` and `table` (the `session.Table`s), and `entries`, the
new `session.Entry`s in order."""
