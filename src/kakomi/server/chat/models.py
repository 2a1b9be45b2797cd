"""Messages at tables and from one person to another, and private notes on games."""

from django.db import models

from kakomi.server.accounts.models import Guest
from kakomi.server.tables.models import Table

LONGEST = 300
LONGEST_DIRECT = 2_000
"""The longest message from one person to another."""
LONGEST_NOTE = 2_000
KEY_LENGTH = 80


class Message(models.Model):
    """What somebody wrote at a table. Its row stays when they are erased, without its text."""

    class Room(models.TextChoices):
        """Among whom it was written."""

        PLAYERS = "players"
        SPECTATORS = "spectators"

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    author = models.ForeignKey(Guest, models.CASCADE, related_name="messages")
    room = models.CharField(max_length=10, choices=Room, default=Room.PLAYERS)
    text = models.CharField(max_length=LONGEST, blank=True)
    at = models.FloatField()
    """Seconds since the epoch."""
    removed_at = models.FloatField(null=True)
    """When staff took its text away, or its author was erased."""
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    """The author's: the same key is the same message, however often it is sent."""

    class Meta:
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("author", "-at"), name="messages_of_guest"),
            models.Index(fields=("table", "room", "-id"), name="messages_of_room"),
        )

    def __str__(self) -> str:
        return f"message {self.pk} at {self.table}"


class DirectMessage(models.Model):
    """What one person wrote to another. It goes when either of them is erased."""

    author = models.ForeignKey(Guest, models.CASCADE, related_name="direct_messages")
    reader = models.ForeignKey(Guest, models.CASCADE, related_name="direct_messages_to")
    text = models.CharField(max_length=LONGEST_DIRECT)
    at = models.FloatField()
    """Seconds since the epoch."""
    read_at = models.FloatField(null=True)
    """When its reader saw it."""
    is_withheld = models.BooleanField(default=False)
    """Whether its reader had blocked its author: then they never see it, and the author isn't told."""
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    """The author's: the same key is the same message, however often it is sent."""

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
    """Whether somebody wants messages at all. Without a row they do."""

    guest = models.OneToOneField(Guest, models.CASCADE, related_name="chat_choice")
    is_off = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.guest}: {'off' if self.is_off else 'on'}"


class Note(models.Model):
    """What somebody who plays at a table has noted down about the game, for themselves alone."""

    owner = models.ForeignKey(Guest, models.CASCADE, related_name="notes")
    table = models.ForeignKey(Table, models.CASCADE, related_name="+")
    text = models.CharField(max_length=LONGEST_NOTE)
    at = models.FloatField()
    """When it was last written, in seconds since the epoch."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "table"), name="one_note_per_table"),)

    def __str__(self) -> str:
        return f"note of {self.owner} at {self.table}"
