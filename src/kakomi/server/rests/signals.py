"""What other apps hear of vacations. All have `vacation`.

Each is heard once, inside the transaction that notes it, but for the first.
"""

from django.dispatch import Signal

vacation_turns = Signal()
"""A vacation begins or ends, or will soon. Sent before any of those below and outside their transaction: at
least once, as a process may die before it notes that it has told."""

vacation_begun = Signal()
"""A vacation has begun, and still goes on. `is_one_more` says that it is one more day of one that began by
itself, of which nobody wants to hear every day."""

vacation_ending = Signal()
"""A long vacation ends soon."""

vacation_ended = Signal()
"""A vacation has come to its end, and no other goes on. One that its guest ends themselves is not told."""
