"""Cases with their reports, measures with their appeals, and the audit log."""

from typing import Any

from django.db import models
from django.db.models import Q, QuerySet

from kakomi.server.accounts.models import NAME_LENGTH, Guest, User
from kakomi.server.tables.models import Table

KEY_LENGTH = 120
TEXT_LENGTH = 500
"""The longest text of a report, a reason or an appeal."""


class Case(models.Model):
    """A case about one person, from the first report until staff close it."""

    about = models.ForeignKey(Guest, models.CASCADE, related_name="cases")
    opened_at = models.FloatField()
    """In seconds since the epoch, like all other times."""
    closed_at = models.FloatField(null=True)
    version = models.PositiveIntegerField(default=1)
    """Grows with each action of staff. A decision must name the current version."""

    class Meta:
        permissions = (  # up to 50 characters, which PostgreSQL enforces in Django's first auth migration
            ("moderate", "Can decide cases of moderation"),
            ("erase", "Can ask for erasures and confirm them"),
        )
        constraints = (
            models.UniqueConstraint(fields=("about",), condition=Q(closed_at=None), name="case_open_once"),
        )

    def __str__(self) -> str:
        return f"case {self.pk} about {self.about}"


class Report(models.Model):
    """A person's report to staff about somebody else."""

    class Kind(models.TextChoices):
        """What it is about."""

        NAME = "name"
        CHAT = "chat"
        TOURNAMENT = "tournament"
        CONDUCT = "conduct"
        ENGINE = "engine"
        ARRANGED = "arranged"
        OTHER = "other"

    class Outcome(models.TextChoices):
        """The outcome of a report."""

        OPEN = ""
        ACTED = "acted"
        NOTHING = "nothing"

    case = models.ForeignKey(Case, models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(Guest, models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=10, choices=Kind)
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="reports")
    text = models.CharField(max_length=TEXT_LENGTH, blank=True)
    quote = models.CharField(max_length=TEXT_LENGTH, blank=True)
    """The reported text, as it was when it was reported."""
    address = models.CharField(max_length=100, blank=True, default="")
    """The address of its subject, if that is neither the person nor a table."""
    message = models.BigIntegerField(null=True)
    """The number of the table message that it is about."""
    at = models.FloatField()
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default=Outcome.OPEN)
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    """Combines the case, the reporter and the subject, so that each is reported once."""

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("reporter", "-at"), name="reports_of_guest"),)

    def __str__(self) -> str:
        return f"{self.kind} in {self.case}"


class Measure(models.Model):
    """A decision by staff about a person. It expires by itself, without a job."""

    class Kind(models.TextChoices):
        """The kind of restriction or reversal."""

        MUTE = "mute"
        SUSPENSION = "suspension"
        NAME = "name"
        ANNULMENT = "annulment"

    about = models.ForeignKey(Guest, models.CASCADE, related_name="measures")
    case = models.ForeignKey(Case, models.SET_NULL, null=True, related_name="measures")
    kind = models.CharField(max_length=10, choices=Kind)
    reason = models.CharField(max_length=TEXT_LENGTH)
    """The reason shown to the person."""
    at = models.FloatField()
    until = models.FloatField(null=True)
    """When it ends. None for a name, which ends when it is changed, and an annulment, which never ends."""
    lifted_at = models.FloatField(null=True)
    """When staff lifted it."""
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    """The name that must be changed."""
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="+")
    """The game whose result was annulled."""

    class Meta:
        ordering = ("-pk",)
        indexes = (
            models.Index(fields=("about", "kind"), condition=Q(lifted_at=None), name="measures_in_force"),
        )

    def __str__(self) -> str:
        return f"{self.kind} of {self.about}"


class Appeal(models.Model):
    """The one appeal that a person can make against a measure."""

    measure = models.OneToOneField(Measure, models.CASCADE, related_name="appeal")
    by = models.ForeignKey(Guest, models.CASCADE, related_name="appeals")
    text = models.CharField(max_length=TEXT_LENGTH)
    at = models.FloatField()
    decided_at = models.FloatField(null=True)
    is_granted = models.BooleanField(null=True)
    answer = models.CharField(max_length=TEXT_LENGTH, blank=True)

    def __str__(self) -> str:
        return f"appeal against {self.measure}"


class ErasureRequest(models.Model):
    """A staff member's request to erase a person. Another one must confirm it in time, or it lapses."""

    about = models.OneToOneField(Guest, models.CASCADE, related_name="erasure_request")
    asked_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    reason = models.CharField(max_length=TEXT_LENGTH)
    at = models.FloatField()

    def __str__(self) -> str:
        return f"erasure of {self.about}"


class AuditEntries(models.QuerySet["AuditEntry"]):
    """A query of the audit log, which is append-only."""

    def update(self, **values: Any) -> int:
        """Raise TypeError: log entries can't be changed."""
        raise TypeError("the audit log only grows")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Raise TypeError: log entries can't be deleted."""
        raise TypeError("the audit log only grows")

    def forget(self, guest: Guest) -> None:
        """Remove reasons and data from the entries about an erased person, but keep the entries."""
        QuerySet.update(self.filter(about=guest), reason="", data={})

    def hand_over(self, left: Guest, guest: Guest) -> None:
        """Move the entries about one guest to another guest who is the same person."""
        QuerySet.update(self.filter(about=left), about=guest)


class AuditEntry(models.Model):
    """An action of a staff member, logged in the action's transaction. The key makes it idempotent."""

    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    about = models.ForeignKey(Guest, models.SET_NULL, null=True, related_name="+")
    act = models.CharField(max_length=20)
    """A key of `wording.ACTS`."""
    reason = models.CharField(max_length=TEXT_LENGTH, blank=True)
    data: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField(default=dict)
    """The numbers and codes involved."""
    at = models.FloatField()

    objects = AuditEntries.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ("-pk",)
        indexes = (models.Index(fields=("about", "-id"), name="audit_about"),)

    def __str__(self) -> str:
        return f"{self.act} by {self.by}"

    def save(self, *args: Any, **named: Any) -> None:
        """Write a new entry. Raises TypeError for an existing one."""
        if not self._state.adding:
            raise TypeError("the audit log only grows")
        super().save(*args, **named)

    def delete(self, *args: Any, **named: Any) -> tuple[int, dict[str, int]]:
        """Raise TypeError: log entries can't be deleted."""
        raise TypeError("the audit log only grows")
