"""Mails that came in, what was done with them, and how people who play by mail stand."""

from typing import Any

from django.db import models

from kakomi.server.accounts.models import Guest
from kakomi.server.tables.models import Seat, Table

ADDRESS_LENGTH = 320
"""Characters of a mail address, as RFC 5321 limits its parts."""
QUEUED_LENGTH = 400


class ReceivedMail(models.Model):
    """A mail that was acknowledged. Its content goes as soon as nothing more is to be done with it.

    `due_at` is when it may be handled. Who handles it moves that on by a lease first: so nobody else does
    meanwhile, and somebody does if they die.
    """

    class State(models.TextChoices):
        """What has become of it."""

        WAITING = "waiting"
        DONE = "done"
        PARKED = "parked"
        """Its sender has to confirm it."""
        IGNORED = "ignored"
        """It gets no answer, and `note` says why."""
        FAILED = "failed"

    key = models.CharField(max_length=64, unique=True)
    """A digest of the mail: delivered again it is the same one."""
    content = models.BinaryField()
    sender = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    """Of the envelope: `<>` is the null sender; empty where that is not known."""
    recipient = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    """Of the envelope; empty where that is not known."""
    guest = models.ForeignKey(Guest, models.CASCADE, null=True, related_name="received_mails")
    """Whoever it comes from, or would if it is confirmed; None while that is not known."""
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    note = models.CharField(max_length=300, blank=True)
    """Why it was ignored, or why the last attempt failed."""
    is_confirmed = models.BooleanField(default=False)
    """Whether its sender has confirmed it, from a secret address or by a secret link."""
    received_at = models.FloatField()
    """In seconds since the epoch, as the other moments are."""
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
    """A command of a mail that was done or refused, written in the transaction that did it."""

    mail = models.ForeignKey(ReceivedMail, models.CASCADE, related_name="commands")
    number = models.PositiveSmallIntegerField()
    """From 0, in the order of the mail."""
    result: "models.JSONField[Any, Any]" = models.JSONField()
    """What the answer says of it, until the answer is written."""

    class Meta:
        constraints = (models.UniqueConstraint("mail", "number", name="command_once_a_mail"),)

    def __str__(self) -> str:
        return f"command {self.number} of {self.mail}"


class Confirmation(models.Model):
    """Something that is done once somebody says so who has its secret address or link."""

    class Kind(models.TextChoices):
        """What it is about."""

        MAIL = "mail"
        """The commands of a mail whose sender is known by their mail server alone."""
        SUBMISSION = "submission"
        """A turn that was submitted to be looked at first."""
        SIGN_UP = "signup"
        """An account."""

    key = models.CharField(max_length=80, unique=True)
    """Names its cause: the mail, and the number of the command."""
    kind = models.CharField(max_length=10, choices=Kind)
    guest = models.ForeignKey(Guest, models.CASCADE, null=True, related_name="confirmations")
    """Who may confirm it; None for an account that does not exist yet."""
    mail = models.ForeignKey(ReceivedMail, models.CASCADE, null=True, related_name="confirmations")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="confirmations")
    data: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField(default=dict)
    created_at = models.FloatField()
    """In seconds since the epoch, as the other moments are."""
    expires_at = models.FloatField(db_index=True)
    done_at = models.FloatField(null=True)

    def __str__(self) -> str:
        return f"{self.kind} to be confirmed"


class QueuedTurn(models.Model):
    """A turn that is played as soon as it is its seat's, if it is legal then."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="queued_turn")
    table = models.ForeignKey(Table, models.CASCADE, related_name="queued_turns")
    text = models.CharField(max_length=QUEUED_LENGTH)
    """As its player wrote it."""
    dropped_at = models.PositiveIntegerField(null=True)
    """The length of the log when it turned out to be illegal; None: it waits."""
    reason = models.CharField(max_length=300, blank=True)
    """Why it was, in English."""

    class Meta:
        indexes = (models.Index("table", condition=models.Q(dropped_at=None), name="post_queued"),)

    def __str__(self) -> str:
        return f"turn of {self.seat} that waits"


class Correspondent(models.Model):
    """How mail reaches somebody."""

    guest = models.OneToOneField(Guest, models.CASCADE, primary_key=True, related_name="correspondent")
    bounces = models.PositiveSmallIntegerField(default=0)
    """Mails that have come back for good since the last sign that mail arrives."""
    bounced_to = models.CharField(max_length=ADDRESS_LENGTH, blank=True)
    """The address that was mailed then: another one begins anew."""

    def __str__(self) -> str:
        return f"mail to {self.guest}"


class Subscription(models.Model):
    """Somebody's wish to be mailed every turn of a game that others play."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="subscriptions")
    table = models.ForeignKey(Table, models.CASCADE, related_name="subscriptions")
    created_at = models.FloatField()
    """In seconds since the epoch."""

    class Meta:
        constraints = (models.UniqueConstraint("guest", "table", name="subscription_once"),)

    def __str__(self) -> str:
        return f"{self.guest} follows {self.table}"


class AnswerCount(models.Model):
    """How many answers an address was sent on a day."""

    address = models.CharField(max_length=64)
    """A keyed digest of it."""
    day = models.PositiveIntegerField()
    """Days since the epoch, in UTC."""
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint("address", "day", name="count_once_a_day"),)

    def __str__(self) -> str:
        return f"{self.count} answers on day {self.day}"
