"""What people are told."""

from typing import Any

from django.db import models

from kakomi.server import clock
from kakomi.server.accounts.models import Guest, SignIn
from kakomi.server.tables.models import Table

KEY_LENGTH = 120


class Notice(models.Model):
    """One thing that a guest is told. It says what happened; its words are made when somebody reads it."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=30)
    """The name of a `kinds.Kind`."""
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    """Names what happened, for this guest: it is told once, however often it is heard of."""
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="notices")
    """The table that it is about."""
    about = models.ForeignKey(Guest, models.CASCADE, null=True, related_name="+")
    """Whose `{name}` its words say. It goes when they are erased."""
    data: "models.JSONField[dict[str, Any] | None, dict[str, Any] | None]" = models.JSONField(null=True)
    """What else its words need; what somebody else wrote is a reference to it (`services.kept_in`)."""
    at = models.FloatField()
    """When it happened, in seconds since the epoch."""
    occurrence = models.PositiveIntegerField(default=0)
    """Grows each time that a notice of the same key becomes true again; of a turn the length of the log."""
    read_at = models.FloatField(null=True)
    """When the guest saw it, in seconds since the epoch."""
    mailed_at = models.FloatField(null=True)
    """When a mail was written that says it, in seconds since the epoch."""
    is_waiting = models.BooleanField(default=False)
    """Whether it has still to be handed on to browsers that take push."""

    class Meta:
        indexes = (
            models.Index(fields=("guest", "-at"), name="notices_of_guest"),
            models.Index(fields=("guest",), condition=models.Q(read_at=None), name="notices_unread"),
            models.Index(fields=("at",), condition=models.Q(is_waiting=True), name="notices_waiting"),
        )

    def __str__(self) -> str:
        return f"{self.kind} for {self.guest}"


class Endpoint(models.Model):
    """A browser that takes push: for one person, in the session in which they asked for it."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="endpoints")
    sign_in = models.ForeignKey(SignIn, models.CASCADE, null=True, related_name="endpoints")
    """That session, with which it ends; None for a guest without an account."""
    address = models.CharField(max_length=1000)
    """The URL to which is posted."""
    label = models.CharField(max_length=60)
    """What its owner calls it."""
    secret = models.CharField(max_length=200)
    """The browser's public key and its secret."""
    is_on = models.BooleanField(default=True)
    failures = models.PositiveIntegerField(default=0)
    """How often in succession it could not be reached."""
    retry_at = models.FloatField(default=0.0)
    """Before this moment nothing is sent there, in seconds since the epoch."""
    off_reason = models.CharField(max_length=200, blank=True)
    """Why the site has switched it off; empty if it has not."""
    used_at = models.FloatField(null=True)
    """When something was last taken there, in seconds since the epoch."""
    created_at = models.FloatField(default=clock.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("guest", "address"), name="endpoint_once"),)

    def __str__(self) -> str:
        return f"{self.label} of {self.guest}"


class Delivery(models.Model):
    """Something to be sent: written with its cause, and sent afterwards, until it was or cannot be.

    `due_at` is when it may be tried. Who tries moves it on by a lease first: so nobody else tries meanwhile,
    and somebody does if they die.
    """

    class State(models.TextChoices):
        """What has become of it."""

        WAITING = "waiting"
        SENT = "sent"
        KEPT = "kept"
        """It was a mail, and the site has no mail server."""
        DROPPED = "dropped"
        """It was no longer true."""
        FAILED = "failed"

    key = models.CharField(max_length=200, unique=True)
    """Names it: nothing is sent twice under the same key, as far as its way allows."""
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
    """When it was settled, in seconds since the epoch."""

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


class Wish(models.Model):
    """Whether somebody wants notices of a kind by a way, where that is not what everybody gets."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="notice_wishes")
    kind = models.CharField(max_length=30)
    channel = models.CharField(max_length=10)
    """`page`, `mail` or `push`."""
    is_on = models.BooleanField()

    class Meta:
        verbose_name_plural = "wishes"
        constraints = (models.UniqueConstraint(fields=("guest", "kind", "channel"), name="wish_once"),)

    def __str__(self) -> str:
        return f"{self.kind} by {self.channel}: {'on' if self.is_on else 'off'}"


class Mailing(models.Model):
    """How somebody wants mail, and what was written so far. Who has none gets what the defaults say."""

    guest = models.OneToOneField(Guest, models.CASCADE, related_name="mailing")
    pace = models.CharField(max_length=10, default="hour")
    """A name of `digests.PACES`."""
    hour = models.PositiveSmallIntegerField(default=18)
    """The hour of their day at which the daily mail comes."""
    quiet_from = models.PositiveSmallIntegerField(null=True)
    """From this hour of their day on nothing is mailed or pushed; None: at any hour it is."""
    quiet_to = models.PositiveSmallIntegerField(null=True)
    """Until this hour."""
    language = models.CharField(max_length=10, default="en")
    next_at = models.FloatField(default=0.0)
    """Before this moment nothing is mailed, but for what is urgent; in seconds since the epoch."""
    written = models.PositiveIntegerField(default=0)
    """How many digests were written."""
    written_at = models.FloatField(default=0.0)
    """When the last one was, in seconds since the epoch."""
    refusals = models.PositiveIntegerField(default=0)
    """How often in succession their mail server refused the address."""
    plays_by_mail = models.BooleanField(default=False)
    """Whether turns of games over days come at once, each with its board, to be answered by mail."""

    def __str__(self) -> str:
        return f"mail for {self.guest}"
