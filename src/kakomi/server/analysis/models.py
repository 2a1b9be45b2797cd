"""What is kept of an analysis board: a record with its variations, what it was before, and win chances."""

import json
from typing import Any

from django.db import models
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core.i18n import LazyMessage
from kakomi.server.accounts.models import Guest, new_token
from kakomi.server.language import translate
from kakomi.server.listings import listed_indexes
from kakomi.server.tables.models import Table

TITLE_LENGTH = 100


class Study(models.Model):
    """A game as its owner studies it. Who knows the code may look."""

    code = models.CharField(max_length=32, unique=True, default=new_token)
    owner = models.ForeignKey(Guest, models.CASCADE, related_name="studies")
    title = models.CharField(max_length=TITLE_LENGTH, blank=True)
    game = models.CharField(max_length=40)
    record = models.TextField()
    """As `records.write_json` gives it."""
    version = models.PositiveIntegerField(default=1)
    """Grows with every edit; nobody may edit who has not seen this one."""
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="studies")
    """Where the game was played: while it is running between people its players don't see the study."""
    leg = models.PositiveSmallIntegerField(default=0)
    """Which game of the table's match, from 0."""
    is_deleted = models.BooleanField(default=False)
    plies = models.PositiveIntegerField(default=0)
    """Actions of the main line, kept for studies that are listed."""
    listed_at = models.DateTimeField(null=True)
    """When it came into the public list; None: it is not there."""
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "studies"
        indexes = (
            *listed_indexes("analysis"),
            models.Index(fields=("owner", "-changed_at"), name="analysis_of_owner"),
        )

    def __str__(self) -> str:
        return self.title or f"{self.game} {self.code}"

    @property
    def game_title(self) -> str:
        """The game's name."""
        return gettext(catalog.describe(self.game).title)

    @property
    def author(self) -> str:
        """The owner's name as strangers see it."""
        return self.owner.name or gettext("a guest")

    @property
    def heading(self) -> str:
        """The title, or else the game's."""
        return self.title or self.game_title


class Revision(models.Model):
    """What a study was before an edit, so that the edit can be undone."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="revisions")
    version = models.PositiveIntegerField()
    """The study's before the edit."""
    record = models.TextField()
    node = models.PositiveIntegerField(default=0)
    """What was being looked at."""

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"version {self.version} of {self.study}"


class Survey(models.Model):
    """The win chances over a study's game: what searches have answered so far."""

    class State(models.TextChoices):
        """How far it has come."""

        RUNNING = "running"
        DONE = "done"
        STOPPED = "stopped"
        FAILED = "failed"

    study = models.OneToOneField(Study, models.CASCADE, related_name="survey")
    record = models.TextField()
    """The game itself, as it was when the survey was asked for."""
    state = models.CharField(max_length=8, choices=State, default=State.RUNNING)
    answers: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField(default=dict)
    """Question -> what a search said, so that after a restart nothing is searched twice."""
    stage = models.CharField(max_length=20, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    trouble = models.TextField(blank=True)
    """Why it failed, as `dump_message` spells it."""
    seen_at = models.FloatField(default=0.0)
    """When a process last worked on it, in seconds since the epoch; if that is long ago, another may."""

    class Meta:
        indexes = (
            models.Index("state", condition=models.Q(state="running"), name="analysis_running_surveys"),
        )

    def __str__(self) -> str:
        return f"survey of {self.study}"

    @property
    def error(self) -> str:
        """Why it failed, in the viewer's language."""
        return load_message(self.trouble)


def dump_message(text: str) -> str:
    """A sentence with its template and values as JSON, to be read later in any language."""
    return json.dumps(_data(text))


def load_message(text: str) -> str:
    """What `dump_message` wrote, in the viewer's language."""
    try:
        return translate(_sentence(json.loads(text)))
    except ValueError:  # nothing, or written by a version that kept the English alone
        return translate(text)


def _data(value: Any) -> Any:
    if not isinstance(value, LazyMessage):
        return value
    values = {name: _data(each) for name, each in value.values.items()}
    return {"one": value.one, "many": value.many, "values": values}


def _sentence(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    values = {name: _sentence(each) for name, each in data["values"].items()}
    return LazyMessage(data["one"], data["many"], values)
