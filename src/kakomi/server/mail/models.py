"""Received mails and their handling, and the state of people who play by mail."""

from typing import Any

from django.db import models

from kakomi.server.accounts.models import Guest
from kakomi.server.tables.models import Seat, Table

ADDRESS_LENGTH = 320
"""Characters of a mail address, as RFC 5321 limits its parts."""
QUEUED_LENGTH = 400


class ReceivedMail(models.Model):
    """An acknowledged mail. Its content is deleted once the mail is settled.

    The mail may be handled from `due_at` on. A handler first postpones `due_at` by a lease, which excludes
    others and lets another process take over if the handler dies.
    """

    class State(models.TextChoices):
        """The state of the handling."""

        WAITING = "waiting"
        DONE = "done"
        PARKED = "parked"
        """It waits for its sender's confirmation."""
        IGNORED = "ignored"
        """It isn't answered; `note` says why."""
        FAILED = "failed"

    key = models.CharField(max_length=64, unique=True)
    """A digest of the mail, by which a repeated delivery is recognized."""
    content = models.BinaryField()
    sender = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    """The envelope's sender; `<>` is the null sender, empty means unknown."""
    recipient = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    """The envelope's recipient; empty if unknown."""
    guest = models.ForeignKey(Guest, models.CASCADE, null=True, related_name="received_mails")
    """The sender, certain or yet to be confirmed; None while unknown."""
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    note = models.CharField(max_length=300, blank=True)
    """Why it was ignored, or why the last attempt failed."""
    is_confirmed = models.BooleanField(default=False)
    """Whether its sender has confirmed it, through a secret address or link."""
    received_at = models.FloatField()
    """In seconds since the epoch, like the other times."""
    due_at = models.FloatField()
    attempts = models.PositiveIntegerField(default=0)
    done_at = models.FloatField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=("due_at",), condition=models.Q(state="waiting"), name="post_due"),
            models.Index(fields=("done_at",), name="post_done"),
        )

    def __str__(self) -> str:
        return f"mail {self.pk}"


class HandledCommand(models.Model):
    """A command of a mail that was done or refused; created in the same transaction."""

    mail = models.ForeignKey(ReceivedMail, models.CASCADE, related_name="commands")
    number = models.PositiveSmallIntegerField()
    """From 0, in the mail's order."""
    result: "models.JSONField[Any, Any]" = models.JSONField()
    """The command's part of the answer; emptied once the answer is written."""

    class Meta:
        constraints = (models.UniqueConstraint("mail", "number", name="command_once_a_mail"),)

    def __str__(self) -> str:
        return f"command {self.number} of {self.mail}"


class Confirmation(models.Model):
    """Something to be done once it is confirmed through its secret address or link."""

    class Kind(models.TextChoices):
        """The kind of thing to be confirmed."""

        MAIL = "mail"
        """The commands of a mail whose sender isn't proved by a secret address."""
        SUBMISSION = "submission"
        """A turn that was submitted for preview."""
        SIGN_UP = "signup"
        """A new account."""

    key = models.CharField(max_length=80, unique=True)
    """Identifies its cause: the mail, and for a turn the number of the command."""
    kind = models.CharField(max_length=10, choices=Kind)
    guest = models.ForeignKey(Guest, models.CASCADE, null=True, related_name="confirmations")
    """Who may confirm it; None for a new account."""
    mail = models.ForeignKey(ReceivedMail, models.CASCADE, null=True, related_name="confirmations")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="confirmations")
    data: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField(default=dict)
    created_at = models.FloatField()
    """In seconds since the epoch, like the other times."""
    expires_at = models.FloatField(db_index=True)
    done_at = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} to be confirmed"


class QueuedTurn(models.Model):
    """A turn that is played as soon as its seat is to act, if it is legal then."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="queued_turn")
    table = models.ForeignKey(Table, models.CASCADE, related_name="queued_turns")
    text = models.CharField(max_length=QUEUED_LENGTH)
    """The turn as its player wrote it."""
    dropped_at = models.PositiveIntegerField(null=True)
    """The length of the log when it turned out to be illegal; None while it waits."""
    reason = models.CharField(max_length=300, blank=True)
    """Why it was illegal, in English."""

    class Meta:
        indexes = (models.Index("table", condition=models.Q(dropped_at=None), name="post_queued"),)

    def __str__(self) -> str:
        return f"turn of {self.seat} that waits"


class Correspondent(models.Model):
    """Whether mail reaches a person."""

    guest = models.OneToOneField(Guest, models.CASCADE, primary_key=True, related_name="correspondent")
    bounces = models.PositiveSmallIntegerField(default=0)
    """Permanent bounces since the person last answered a mail."""
    bounced_to = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    """The address that bounced; the count restarts for another one."""

    def __str__(self) -> str:
        return f"mail to {self.guest}"


class Subscription(models.Model):
    """A subscription by mail to every turn of a table."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="subscriptions")
    table = models.ForeignKey(Table, models.CASCADE, related_name="subscriptions")
    created_at = models.FloatField()
    """In seconds since the epoch."""

    class Meta:
        constraints = (models.UniqueConstraint("guest", "table", name="subscription_once"),)

    def __str__(self) -> str:
        return f"{self.guest} follows {self.table}"


class AnswerCount(models.Model):
    """How many answers were sent to an address on a day."""

    address = models.CharField(max_length=64)
    """A keyed digest of the address."""
    day = models.PositiveIntegerField()
    """Days since the epoch, in UTC."""
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint("address", "day", name="count_once_a_day"),)

    def __str__(self) -> str:
        return f"{self.count} answers on day {self.day}"
