"""Studies: a record with variations, its earlier versions, and the analysis of its game."""

import json
from typing import Any

from django.db import models
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core.i18n import LazyMessage
from kakomi.server.accounts.models import Guest, new_token
from kakomi.server.site.language import translate
from kakomi.server.tables.listings import listed_indexes
from kakomi.server.tables.models import Table

TITLE_LENGTH = 100


class Study(models.Model):
    """A game with its owner's variations and comments. Anyone who knows the code may view it."""

    code = models.CharField(max_length=32, unique=True, default=new_token)
    owner = models.ForeignKey(Guest, models.CASCADE, related_name="studies")
    title = models.CharField(max_length=TITLE_LENGTH, blank=True)
    game = models.CharField(max_length=40)
    record = models.TextField()
    """In the format of `records.write_json`."""
    version = models.PositiveIntegerField(default=1)
    """Incremented by every edit. An edit must name the current version."""
    table = models.ForeignKey(Table, models.SET_NULL, null=True, related_name="studies")
    """Where the game was played. While it runs between people, its players can't view the study."""
    game_number = models.PositiveSmallIntegerField(default=0)
    """The number of the game in the table's match, from 0."""
    is_deleted = models.BooleanField(default=False)
    plies = models.PositiveIntegerField(default=0)
    """Number of actions in the main line, shown in the public list."""
    listed_at = models.DateTimeField(null=True)
    """When it was added to the public list; None if it isn't in it."""
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
        """The owner's public name."""
        return self.owner.display_name or gettext("a guest")

    @property
    def heading(self) -> str:
        """The title, or the game's name if it has none."""
        return self.title or self.game_title


class Revision(models.Model):
    """A study before an edit, so that the edit can be undone."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="revisions")
    version = models.PositiveIntegerField()
    """The study's version before the edit."""
    record = models.TextField()
    node = models.PositiveIntegerField(default=0)
    """The node that was shown."""

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"version {self.version} of {self.study}"


class GameAnalysis(models.Model):
    """The analysis of a study's game: its state, and the search results so far."""

    class State(models.TextChoices):
        """The state of the analysis."""

        RUNNING = "running"
        DONE = "done"
        STOPPED = "stopped"
        FAILED = "failed"

    study = models.OneToOneField(Study, models.CASCADE, related_name="game_analysis")
    record = models.TextField()
    """The game's main line when the analysis was requested."""
    state = models.CharField(max_length=8, choices=State, default=State.RUNNING)
    answers: "models.JSONField[dict[str, Any], dict[str, Any]]" = models.JSONField(default=dict)
    """The key of a question -> the search result, so that nothing is searched again after a restart."""
    stage = models.CharField(max_length=20, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    trouble = models.TextField(blank=True)
    """Why it failed, in the format of `dump_message`."""
    seen_at = models.FloatField(default=0.0)
    """When a process last worked on it, in seconds since the epoch. Another may take over a stale one."""

    class Meta:
        indexes = (models.Index("state", condition=models.Q(state="running"), name="analysis_running"),)

    def __str__(self) -> str:
        return f"analysis of {self.study}"

    @property
    def error(self) -> str:
        """Why it failed, in the viewer's language."""
        return load_message(self.trouble)


def dump_message(text: str) -> str:
    """A message's template and values as JSON, so that it can later be shown in any language."""
    return json.dumps(_data(text))


def load_message(text: str) -> str:
    """A message from `dump_message`, in the viewer's language."""
    try:
        return translate(_sentence(json.loads(text)))
    except ValueError:  # empty, or written by a version that stored only the English text
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
