"""Cases with their reports, measures with their appeals, and the log of what staff did."""

from typing import Any

from django.db import models
from django.db.models import Q, QuerySet

from kakomi.server.accounts.models import NAME_LENGTH, Guest, User
from kakomi.server.tables.models import Table

KEY_LENGTH = 120
TEXT_LENGTH = 500
"""The longest text of a report, a reason or an appeal."""


class Case(models.Model):
    """What staff look at about one person, from the first report until they close it."""

    about = models.ForeignKey(Guest, models.CASCADE, related_name="cases")
    opened_at = models.FloatField()
    """Seconds since the epoch, as the other moments are."""
    closed_at = models.FloatField(null=True)
    version = models.PositiveIntegerField(default=1)
    """Grows with all that staff do: nobody decides who has not seen this one."""

    class Meta:
        permissions = (  # up to 50 characters: on PostgreSQL the first columns hold no more
            ("moderate", "Can decide cases of moderation"),
            ("erase", "Can ask for erasures and confirm them"),
        )
        constraints = (
            models.UniqueConstraint(fields=("about",), condition=Q(closed_at=None), name="case_open_once"),
        )

    def __str__(self) -> str:
        return f"case {self.pk} about {self.about}"


class Report(models.Model):
    """What somebody tells staff about somebody else."""

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
        """What became of it."""

        OPEN = ""
        ACTED = "acted"
        NOTHING = "nothing"

    case = models.ForeignKey(Case, models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(Guest, models.CASCADE, related_name="reports")
    kind = models.CharField(max_length=10, choices=Kind)
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="reports")
    text = models.CharField(max_length=TEXT_LENGTH, blank=True)
    quote = models.CharField(max_length=TEXT_LENGTH, blank=True)
    """What was said, as it stood when it was reported."""
    address = models.CharField(max_length=100, blank=True, default="")
    """The page of the thing that it is about, if that is neither the person nor a table."""
    message = models.BigIntegerField(null=True)
    """The number of the message at the table that it is about."""
    at = models.FloatField()
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True, default=Outcome.OPEN)
    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    """The case, the reporter and what the report is about: once is enough."""

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=("reporter", "-at"), name="reports_of_guest"),)

    def __str__(self) -> str:
        return f"{self.kind} in {self.case}"


class Measure(models.Model):
    """What staff have decided about somebody. It ends at its moment by itself: no job has to look."""

    class Kind(models.TextChoices):
        """What it forbids or undoes."""

        MUTE = "mute"
        SUSPENSION = "suspension"
        NAME = "name"
        ANNULMENT = "annulment"

    about = models.ForeignKey(Guest, models.CASCADE, related_name="measures")
    case = models.ForeignKey(Case, models.SET_NULL, null=True, related_name="measures")
    kind = models.CharField(max_length=10, choices=Kind)
    reason = models.CharField(max_length=TEXT_LENGTH)
    """What the person is told."""
    at = models.FloatField()
    until = models.FloatField(null=True)
    """When it ends. None: a name until there is another, an annulment never."""
    lifted_at = models.FloatField(null=True)
    """When staff took it back."""
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    """The name that has to be given up."""
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
    """What somebody has to say against a measure, once."""

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
    """One of staff asks that a person be erased. Another one confirms it in time, or it lapses."""

    about = models.OneToOneField(Guest, models.CASCADE, related_name="erasure_request")
    asked_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    reason = models.CharField(max_length=TEXT_LENGTH)
    at = models.FloatField()

    def __str__(self) -> str:
        return f"erasure of {self.about}"


class AuditEntries(models.QuerySet["AuditEntry"]):
    """The log as it is asked for. It only grows."""

    def update(self, **values: Any) -> int:
        """Raises TypeError: nothing in the log is changed."""
        raise TypeError("the audit log only grows")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Raises TypeError: nothing in the log is deleted."""
        raise TypeError("the audit log only grows")

    def forget(self, guest: Guest) -> None:
        """Take all words from what is kept of a person who is erased; that something was done stays."""
        QuerySet.update(self.filter(about=guest), reason="", data={})

    def hand_over(self, left: Guest, guest: Guest) -> None:
        """Let what is about one guest be about another one, who is the same person."""
        QuerySet.update(self.filter(about=left), about=guest)


class AuditEntry(models.Model):
    """One thing that one of staff did, written with the deed. Under its key the deed is done once."""

    key = models.CharField(max_length=KEY_LENGTH, unique=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    about = models.ForeignKey(Guest, models.SET_NULL, null=True, related_name="+")
    act = models.CharField(max_length=20)
    """A key of `wording.ACTS`."""
    reason = models.CharField(max_length=TEXT_LENGTH, blank=True)
    data: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField(default=dict)
    """Numbers and codes that belong to it."""
    at = models.FloatField()

    objects = AuditEntries.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ("-pk",)
        indexes = (models.Index(fields=("about", "-id"), name="audit_about"),)

    def __str__(self) -> str:
        return f"{self.act} by {self.by}"

    def save(self, *args: Any, **named: Any) -> None:
        """Write a new entry. Raises TypeError for one that is there already."""
        if not self._state.adding:
            raise TypeError("the audit log only grows")
        super().save(*args, **named)

    def delete(self, *args: Any, **named: Any) -> tuple[int, dict[str, int]]:
        """Raises TypeError: nothing in the log is deleted."""
        raise TypeError("the audit log only grows")
