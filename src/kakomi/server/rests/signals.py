"""What other apps hear of vacations, each once, inside the transaction that notes it. All have `vacation`."""

from django.dispatch import Signal

vacation_begun = Signal()
"""A vacation has begun, and still goes on. `is_one_more` says that it is one more day of one that began by
itself, of which nobody wants to hear every day."""

vacation_ending = Signal()
"""A long vacation ends soon."""

vacation_ended = Signal()
"""A vacation has come to its end, and no other goes on. One that its guest ends themselves is not told."""
