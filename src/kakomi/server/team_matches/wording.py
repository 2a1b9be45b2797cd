"""Words for team matches: states, points."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from kakomi.server.team_matches.models import TeamMatch

STATES: Mapping[str, Promise] = {
    TeamMatch.State.PROPOSED: gettext_lazy("not answered yet"),
    TeamMatch.State.OPEN: gettext_lazy("open for entry"),
    TeamMatch.State.RUNNING: gettext_lazy("running"),
    TeamMatch.State.OVER: gettext_lazy("over"),
    TeamMatch.State.DECLINED: gettext_lazy("declined"),
    TeamMatch.State.CANCELLED: gettext_lazy("called off"),
}


def points_label(points: float) -> str:
    """Points with a half as such."""
    whole, rest = divmod(points, 1)
    return f"{int(whole) or ''}½" if rest else str(int(whole))
