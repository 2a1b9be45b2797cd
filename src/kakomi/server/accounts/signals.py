"""Signals about guests for other apps."""

from django.dispatch import Signal

guest_replaced = Signal()
"""A browser that was the guest `left` has become the guest `guest`."""

browser_changing_guest = Signal()
"""The browser of a `request` is about to become another guest."""

signed_out = Signal()
"""All browsers of a `guest` are signed out."""

guests_joining = Signal()
"""Sent before `guests_joined`, with the same two guests. Receivers that will move something shared with other
guests return the primary keys of these, whose rows are then locked as well."""

guests_joined = Signal()
"""All that the guest `left` has moves to `guest`, the guest of a user whose browser was `left`. Sent inside
the transaction, with all rows locked; receivers move the rows of their apps."""
