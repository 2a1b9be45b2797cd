"""Plans of seats."""

from collections.abc import Sequence
from typing import Any

from django.db import models

from kakomi.server.tables.models import Seat, Table
from kakomi.session import Plan as PlanTree
from kakomi.session import PlanEnd
from kakomi.session.plans import branches_from_json


class Plan(models.Model):
    """A seat's plan: a draft, armed, or ended. Change it only with its table's row locked."""

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="plan")
    table = models.ForeignKey(Table, models.CASCADE, related_name="plans")
    version = models.PositiveIntegerField(default=0)
    """Incremented by every change. A change must name the current version."""
    is_armed = models.BooleanField(default=False)
    """Whether the site plays it."""
    branches: "models.JSONField[list[Any], list[Any]]" = models.JSONField(default=list)
    entries = models.PositiveIntegerField(default=0)
    """The length of the table's log up to which the plan has been followed."""
    game = models.PositiveSmallIntegerField(default=1)
    """The game of the match, from 1."""
    ply = models.PositiveIntegerField(default=0)
    """The ply of that game at the plan's root."""
    end: "models.JSONField[Any, Any]" = models.JSONField(null=True)
    """Why it ended, from `PlanEnd.to_json`; None if it hasn't, or its owner dismissed the message."""
    played: "models.JSONField[list[Any], list[Any]]" = models.JSONField(default=list)
    """What it has played since it was armed: objects with `to` and `turn`, each a list of actions."""
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        indexes = (models.Index("table", condition=models.Q(is_armed=True), name="plans_armed"),)

    def __str__(self) -> str:
        return f"plan of {self.seat}"

    @property
    def tree(self) -> PlanTree:
        """The tree, as of log length `entries`."""
        branches = branches_from_json(self.branches)
        return PlanTree(self.seat.number, self.entries, self.game, self.ply, branches)

    def keep(self, tree: PlanTree) -> None:
        """Set the tree and increment the version. The caller saves."""
        self.branches = [branch.to_json() for branch in tree.branches]
        self.entries, self.game, self.ply = tree.entries, tree.game, tree.ply
        self.version += 1

    @property
    def ended(self) -> PlanEnd | None:
        """Why it ended; None if it hasn't."""
        return PlanEnd.from_json(self.end) if self.end else None

    def note_played(self, to: Sequence[str], turn: Sequence[str]) -> None:
        """Append a turn to `played`. The caller saves."""
        self.played = [*self.played, {"to": list(to), "turn": list(turn)}]
