"""What other apps hear of guests."""

from django.dispatch import Signal

guest_replaced = Signal()
"""A browser that was the guest `left` is the guest `guest` from now on."""
