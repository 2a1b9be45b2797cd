"""Signals about people."""

from django.dispatch import Signal

guest_erased = Signal()
"""A guest is being erased. Sent by the class `Guest` with `guest`, all their `names` and mail `addresses`,
inside the transaction and before their rows are deleted. Receivers remove what they store about the guest
elsewhere."""
