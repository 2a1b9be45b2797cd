"""Teams and who belongs to them. Whoever changes a team or its members has locked the team's row."""

from django.db import models
from django.db.models import Q

from kakomi.server.accounts.models import Guest
from kakomi.server.prefixes import FoldedField
from kakomi.server.tables.models import new_code

LONGEST_NAME = 40
LONGEST_LINE = 200
KEY_LENGTH = 60


class Team(models.Model):
    """A team. Its row stays when it is closed: games of others name it."""

    code = models.CharField(max_length=10, unique=True, default=new_code)
    key = models.CharField(max_length=KEY_LENGTH)
    """The founder's: the same form is the same team, however often it is sent."""
    founder = models.ForeignKey(Guest, models.PROTECT, related_name="teams_founded")
    name = models.CharField(max_length=LONGEST_NAME)
    name_folded = FoldedField("name")
    line = models.CharField(max_length=LONGEST_LINE, blank=True, default="")
    """What the team says of itself."""
    game = models.CharField(max_length=40, blank=True, default="")
    """The game that it prefers; empty: all."""
    is_open = models.BooleanField(default=False)
    """Whether people join at once; else a leader accepts them."""
    created_at = models.FloatField()
    """Seconds since the epoch, as all moments are."""
    closed_at = models.FloatField(null=True)
    """When it was dissolved, by a leader or by staff."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("founder", "key"), name="team_once_a_key"),
            models.UniqueConstraint(
                fields=("name_folded",), condition=Q(closed_at=None), name="team_name_once"
            ),
        )
        indexes = (models.Index(fields=("-id",), condition=Q(closed_at=None), name="teams_listed"),)

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    @property
    def is_going(self) -> bool:
        """Whether it has not been dissolved."""
        return self.closed_at is None


class Member(models.Model):
    """Somebody who belongs to a team, asks to, or was removed from it."""

    class State(models.TextChoices):
        """What they are to the team."""

        ASKING = "asking"
        IN = "in"
        LEADER = "leader"
        REMOVED = "removed"
        """They can't join at once any more, but may ask."""

    team = models.ForeignKey(Team, models.CASCADE, related_name="members")
    guest = models.ForeignKey(Guest, models.CASCADE, related_name="team_memberships")
    state = models.CharField(max_length=7, choices=State)
    since = models.FloatField()
    """When they became what they are."""

    class Meta:
        ordering = ("since", "pk")
        constraints = (models.UniqueConstraint(fields=("team", "guest"), name="member_once_a_team"),)
        indexes = (models.Index(fields=("guest", "state"), name="teams_of_guest"),)

    def __str__(self) -> str:
        return f"{self.guest} ({self.state}) in {self.team}"

    @property
    def belongs(self) -> bool:
        """Whether they are in the team."""
        return self.state in BELONGING


BELONGING = (Member.State.IN, Member.State.LEADER)
"""States of those who are in a team."""
