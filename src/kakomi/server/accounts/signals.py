"""What other apps hear of guests."""

from django.dispatch import Signal

guest_replaced = Signal()
"""A browser that was the guest `left` is the guest `guest` from now on."""

guests_joined = Signal()
"""All that the guest `left` has goes to the guest `guest` for good: a user's, whose browser was `left`.
Sent inside the transaction, both rows locked: who keeps something of guests moves it."""
