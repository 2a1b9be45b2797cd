"""What other apps hear of guests."""

from django.dispatch import Signal

guest_replaced = Signal()
"""A browser that was the guest `left` is the guest `guest` from now on."""

browser_changes_hands = Signal()
"""The browser of a `request` no longer belongs to the guest it belonged to."""

signed_out = Signal()
"""All browsers of a `guest` are signed out."""

guests_joining = Signal()
"""Sent before `guests_joined`, with the same two: who shares something of them with others, and will move it,
answers with the numbers of those guests, whose rows are locked as well."""

guests_joined = Signal()
"""All that the guest `left` has goes to the guest `guest` for good: a user's, whose browser was `left`.
Sent inside the transaction, all rows locked: who keeps something of guests moves it."""
