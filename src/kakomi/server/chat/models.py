"""Messages at tables."""

from django.db import models

from kakomi.server.accounts.models import Guest
from kakomi.server.tables.models import Table

LONGEST = 300
KEY_LENGTH = 80


class Message(models.Model):
    """What somebody wrote at a table. Its row stays when they are erased, without its text."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    author = models.ForeignKey(Guest, models.CASCADE, related_name="messages")
    text = models.CharField(max_length=LONGEST, blank=True)
    at = models.FloatField()
    """Seconds since the epoch."""
    removed_at = models.FloatField(null=True)
    """When staff took its text away, or its author was erased."""
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    """The author's: the same key is the same message, however often it is sent."""

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("author", "-at"), name="messages_of_guest"),)

    def __str__(self) -> str:
        return f"message {self.pk} at {self.table}"


class ChatChoice(models.Model):
    """Whether somebody wants messages at all. Without a row they do."""

    guest = models.OneToOneField(Guest, models.CASCADE, related_name="chat_choice")
    is_off = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.guest}: {'off' if self.is_off else 'on'}"
