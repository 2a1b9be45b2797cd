"""The form by which somebody founds a team, or changes what it says of itself."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from kakomi import catalog
from kakomi.server.language import translate, why
from kakomi.server.panel_form import PanelForm
from kakomi.server.teams.models import LONGEST_LINE, LONGEST_NAME, Team
from kakomi.server.teams.terms import TeamTerms
from kakomi.session import Refused


class TeamForm(PanelForm):
    """What a leader chooses; `wanted` is what it comes to once the form is valid."""

    name = forms.CharField(max_length=LONGEST_NAME, label=gettext_lazy("Name"))
    line = forms.CharField(
        max_length=LONGEST_LINE,
        required=False,
        label=gettext_lazy("A line about it"),
        help_text=gettext_lazy("Everybody reads it. You may leave it empty."),
    )
    game = forms.ChoiceField(required=False, label=gettext_lazy("Which game do you prefer?"))
    is_open = forms.BooleanField(
        required=False, label=gettext_lazy("Anybody with an account joins at once, without being accepted")
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.wanted: TeamTerms | None = None
        game = self.fields["game"]
        assert isinstance(game, forms.ChoiceField)
        titles = [(name, translate(catalog.describe(name).title)) for name in catalog.names()]
        game.choices = [("", gettext("all of them")), *titles]
        self.mark_faults()

    @staticmethod
    def of(row: Team) -> "TeamForm":
        """The form as a team stands."""
        return TeamForm(
            initial={"name": row.name, "line": row.line, "game": row.game, "is_open": row.is_open}
        )

    def clean(self) -> None:
        """Make what is wanted, or say what would be right."""
        super().clean()
        if self.errors:
            return
        given = self.cleaned_data
        wanted = TeamTerms.of(given["name"], given["line"], given["game"], is_open=given["is_open"])
        try:
            wanted.check()
        except Refused as error:
            self.add_error(None, why(error))
        else:
            self.wanted = wanted
