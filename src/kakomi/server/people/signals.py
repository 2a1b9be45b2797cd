"""What other apps hear of people."""

from django.dispatch import Signal

guest_erased = Signal()
"""All that belongs to a guest is being erased. Sent by the class `Guest` with `guest`, all `names` that they
went by and the `addresses` of their mail, inside the transaction and before their rows go: whoever
keeps words about them elsewhere takes them out."""
