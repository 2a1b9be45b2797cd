"""Messages at tables, direct messages, and private notes on games."""

from django.db import models

from kakomi.server.accounts.models import Guest
from kakomi.server.tables.models import Table

LONGEST = 300
LONGEST_DIRECT = 2_000
"""The maximum length of a direct message."""
LONGEST_NOTE = 2_000
KEY_LENGTH = 80


class Message(models.Model):
    """A message at a table. When its author is erased, the row stays without its text."""

    class Room(models.TextChoices):
        """The group that it was written to."""

        PLAYERS = "players"
        SPECTATORS = "spectators"

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    author = models.ForeignKey(Guest, models.CASCADE, related_name="messages")
    room = models.CharField(max_length=10, choices=Room, default=Room.PLAYERS)
    text = models.CharField(max_length=LONGEST, blank=True)
    at = models.FloatField()
    """Seconds since the epoch."""
    removed_at = models.FloatField(null=True)
    """When its text was removed, by staff or because its author was erased."""
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    """The idempotency key, which includes the author's number."""

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("author", "-at"), name="messages_of_guest"),
            models.Index(fields=("table", "room", "-id"), name="messages_of_room"),
        )

    def __str__(self) -> str:
        return f"message {self.pk} at {self.table}"


class DirectMessage(models.Model):
    """A message from one person to another. It is deleted when either of them is erased."""

    author = models.ForeignKey(Guest, models.CASCADE, related_name="direct_messages")
    reader = models.ForeignKey(Guest, models.CASCADE, related_name="direct_messages_to")
    text = models.CharField(max_length=LONGEST_DIRECT)
    at = models.FloatField()
    """Seconds since the epoch."""
    read_at = models.FloatField(null=True)
    """When its reader read it."""
    is_withheld = models.BooleanField(default=False)
    """Whether the reader had blocked the author. They never see it, and the author isn't told."""
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    """The idempotency key, which includes the numbers of author and reader."""

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("author", "reader", "-id"), name="direct_of_two"),
            models.Index(fields=("author", "-at"), name="direct_of_author"),
            models.Index(fields=("reader", "-id"), name="direct_of_reader"),
        )

    def __str__(self) -> str:
        return f"message {self.pk} from {self.author} to {self.reader}"


class ChatChoice(models.Model):
    """Whether a guest has switched all messages off. Without a row they haven't."""

    guest = models.OneToOneField(Guest, models.CASCADE, related_name="chat_choice")
    is_off = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.guest}: {'off' if self.is_off else 'on'}"


class Note(models.Model):
    """A player's private note about the game at a table."""

    owner = models.ForeignKey(Guest, models.CASCADE, related_name="notes")
    table = models.ForeignKey(Table, models.CASCADE, related_name="+")
    text = models.CharField(max_length=LONGEST_NOTE)
    at = models.FloatField()
    """When it was last written, in seconds since the epoch."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "table"), name="one_note_per_table"),)

    def __str__(self) -> str:
        return f"note of {self.owner} at {self.table}"
