"""Notices, their deliveries, and people's preferences."""

from typing import Any

from django.db import models

from kakomi.server.accounts.models import Guest, SignIn
from kakomi.server.site import clock
from kakomi.server.tables.models import Table

KEY_LENGTH = 120


class Notice(models.Model):
    """An event that a guest is told about. Its text is generated whenever it is read."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=30)
    """The name of a `kinds.Kind`."""
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    """Identifies the event and the guest, so that repeated events create only one notice."""
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="notices")
    """The table that it is about, if any."""
    about = models.ForeignKey(Guest, models.CASCADE, null=True, related_name="+")
    """The person whose `{name}` the text contains. Erasing them deletes the notice."""
    data: "models.JSONField[dict[str, Any] | None, dict[str, Any] | None]" = models.JSONField(null=True)
    """Other values for the text. Texts written by other people are references (`services.text_reference`)."""
    at = models.FloatField()
    """When it happened, in seconds since the epoch."""
    occurrence = models.PositiveIntegerField(default=0)
    """Changes each time the notice becomes true again: for a turn, the length of the log."""
    read_at = models.FloatField(null=True)
    """When the guest read it, in seconds since the epoch."""
    mailed_at = models.FloatField(null=True)
    """When a mail with it was queued, or decided against, in seconds since the epoch."""
    needs_push = models.BooleanField(default=False)
    """Whether push deliveries still have to be created from it."""

    class Meta:
        indexes = (
            models.Index(fields=("guest", "-at"), name="notices_of_guest"),
            models.Index(fields=("guest",), condition=models.Q(read_at=None), name="notices_unread"),
            models.Index(fields=("at",), condition=models.Q(needs_push=True), name="notices_needing_push"),
        )

    def __str__(self) -> str:
        return f"{self.kind} for {self.guest}"


class Endpoint(models.Model):
    """A browser's push subscription, for one person and session."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="endpoints")
    sign_in = models.ForeignKey(SignIn, models.CASCADE, null=True, related_name="endpoints")
    """The session, with which it ends; None for a guest without an account."""
    address = models.CharField(max_length=1000)
    """The URL to post messages to."""
    label = models.CharField(max_length=60)
    """The name that its owner gave it."""
    secret = models.CharField(max_length=200)
    """The browser's public key and its secret, separated by a space."""
    is_on = models.BooleanField(default=True)
    failures = models.PositiveIntegerField(default=0)
    """Successive failures to reach it."""
    retry_at = models.FloatField(default=0.0)
    """Nothing is sent there before this time, in seconds since the epoch."""
    off_reason = models.CharField(max_length=200, blank=True)
    """Why the site switched it off; empty if it is on."""
    used_at = models.FloatField(null=True)
    """When it last accepted a message, in seconds since the epoch."""
    created_at = models.FloatField(default=clock.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("guest", "address"), name="endpoint_once"),)

    def __str__(self) -> str:
        return f"{self.label} of {self.guest}"


class Delivery(models.Model):
    """A message in the outbox, stored in its cause's transaction and tried until it is sent or given up.

    It may be tried from `due_at` on. A sender first postpones `due_at` by a lease, which excludes others and
    lets another process take over if the sender dies.
    """

    class State(models.TextChoices):
        """The state of the delivery."""

        WAITING = "waiting"
        SENT = "sent"
        KEPT = "kept"
        """Not sent, because the site has no mail server."""
        DROPPED = "dropped"
        """Not sent, because its content no longer holds."""
        FAILED = "failed"

    key = models.CharField(max_length=200, unique=True)
    """Identifies it: nothing is sent twice under the same key, as far as the channel allows."""
    channel = models.CharField(max_length=10)
    """`mail` or `push`."""
    guest = models.ForeignKey(Guest, models.CASCADE, null=True, related_name="deliveries")
    endpoint = models.ForeignKey(Endpoint, models.CASCADE, null=True, related_name="deliveries")
    content: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    due_at = models.FloatField()
    """In seconds since the epoch."""
    attempts = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)
    """Why the last attempt failed."""
    created_at = models.FloatField()
    """In seconds since the epoch."""
    done_at = models.FloatField(null=True)
    """When it reached its final state, in seconds since the epoch."""

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = (
            models.Index(
                fields=("channel", "due_at"), condition=models.Q(state="waiting"), name="deliveries_due"
            ),
            models.Index(fields=("done_at",), name="deliveries_done"),
        )

    def __str__(self) -> str:
        return f"{self.channel} {self.key}"


class Preference(models.Model):
    """A preference that differs from the default: whether a person gets a kind of notice by a channel."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="notice_preferences")
    kind = models.CharField(max_length=30)
    channel = models.CharField(max_length=10)
    """`page`, `mail` or `push`."""
    is_on = models.BooleanField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("guest", "kind", "channel"), name="preference_once"),)

    def __str__(self) -> str:
        return f"{self.kind} by {self.channel}: {'on' if self.is_on else 'off'}"


class Mailing(models.Model):
    """A person's mail preferences, and what was written so far. Without a row the defaults apply."""

    guest = models.OneToOneField(Guest, models.CASCADE, related_name="mailing")
    pace = models.CharField(max_length=10, default="hour")
    """A key of `preferences.PACES`."""
    hour = models.PositiveSmallIntegerField(default=18)
    """The local hour of the daily mail."""
    quiet_from = models.PositiveSmallIntegerField(null=True)
    """The local hour at which quiet hours begin, without mail or push; None for no quiet hours."""
    quiet_to = models.PositiveSmallIntegerField(null=True)
    """The local hour at which they end."""
    language = models.CharField(max_length=10, default="en")
    next_at = models.FloatField(default=0.0)
    """Nothing but urgent notices is mailed before this time, in seconds since the epoch."""
    written = models.PositiveIntegerField(default=0)
    """The number of digests written."""
    written_at = models.FloatField(default=0.0)
    """When the last one was written, in seconds since the epoch."""
    refusals = models.PositiveIntegerField(default=0)
    """Successive refusals of the address by its mail server."""
    plays_by_mail = models.BooleanField(default=False)
    """Whether turns of correspondence games are mailed promptly, with the board, to be answered by mail."""

    def __str__(self) -> str:
        return f"mail for {self.guest}"
