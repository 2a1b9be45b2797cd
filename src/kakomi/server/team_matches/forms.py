"""The form by which a team challenges another one."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from kakomi.core import Description
from kakomi.server import clock
from kakomi.server.labels import span_label
from kakomi.server.language import why
from kakomi.server.lobby.terms import SeekTerms, boards_of
from kakomi.server.panel_form import PanelForm
from kakomi.server.tables.clock_texts import DAY_CLOCKS, LIVE_CLOCKS, clock_choices, parse_time_control
from kakomi.server.team_matches.terms import MOST_BOARDS, MatchTerms
from kakomi.server.teams.models import Team
from kakomi.session import Refused
from kakomi.session.time_control import DAY

BEGINS_IN = (1, 3, 7, 14, 30)
"""The days until it begins that are offered."""


class ChallengeForm(PanelForm):
    """What a challenger chooses; `agreed` is what it comes to once the form is valid."""

    home = forms.ChoiceField(label=gettext_lazy("For which team?"))
    size = forms.ChoiceField(label=gettext_lazy("Board"))
    clock = forms.ChoiceField(label=gettext_lazy("Clock"), initial="3d")
    boards = forms.IntegerField(
        min_value=1,
        max_value=MOST_BOARDS,
        initial=4,
        label=gettext_lazy("Boards at most"),
        help_text=gettext_lazy("The strongest play the strongest; where a team has fewer, there are fewer."),
    )
    games = forms.TypedChoiceField(coerce=int, initial=1, label=gettext_lazy("Games at each board"))
    begins_in = forms.TypedChoiceField(
        coerce=int,
        initial=3,
        label=gettext_lazy("Begins in"),
        help_text=gettext_lazy("Or sooner, as soon as both teams say that they are ready."),
    )
    is_rated = forms.BooleanField(required=False, label=gettext_lazy("Rated"))

    def __init__(self, description: Description, teams: Sequence[Team], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.description, self.teams = description, {team.code: team for team in teams}
        self.agreed: MatchTerms | None = None
        self.offer("home", {code: team.name for code, team in self.teams.items()})
        self.offer("size", {str(size): str(size) for size in boards_of(description)} or {"": "–"})
        self.offer("clock", clock_choices((*DAY_CLOCKS, *LIVE_CLOCKS)))
        self.offer("games", {"1": gettext("one"), "2": gettext("two, with the seats swapped")})
        self.offer("begins_in", {str(days): span_label(days * DAY) for days in BEGINS_IN})
        if not boards_of(description):
            del self.fields["size"]
        self.mark_faults()

    def clean(self) -> None:
        """Make what is asked for, or say what would be right."""
        super().clean()
        if self.errors:
            return
        given, now = self.cleaned_data, clock.now()
        control = parse_time_control(given["clock"])
        assert control is not None  # one of the choices
        sizes = (int(given["size"]),) if given.get("size") else ()
        agreed = MatchTerms(
            SeekTerms(self.description.name, control, sizes=sizes),
            boards=given["boards"],
            games=given["games"],
            begins_at=now + given["begins_in"] * DAY,
            is_rated=given["is_rated"],
        )
        try:
            agreed.check(now)
        except Refused as error:
            self.add_error(None, why(error))
        else:
            self.agreed = agreed
