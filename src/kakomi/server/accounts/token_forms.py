"""The forms of tokens and of bots."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from kakomi.server.accounts.models import NAME_LENGTH
from kakomi.server.accounts.scopes import SCOPES

LIFETIMES = {
    "30": gettext_lazy("30 days"),
    "90": gettext_lazy("90 days"),
    "365": gettext_lazy("a year"),
    "": gettext_lazy("until you end it"),
}
"""Days -> in words."""


class TokenForm(forms.Form):
    """A token to make."""

    name = forms.CharField(
        max_length=60,
        label=gettext_lazy("Name"),
        error_messages={"required": gettext_lazy("Give the token a name, such as that of the program.")},
    )
    scopes = forms.MultipleChoiceField(
        choices=list(SCOPES.items()),
        label=gettext_lazy("It may"),
        error_messages={"required": gettext_lazy("Allow the token something.")},
    )
    days = forms.ChoiceField(
        choices=list(LIFETIMES.items()), required=False, label=gettext_lazy("It is good for")
    )

    @property
    def lifetime(self) -> int | None:
        """The days that a valid form asks for; None: it doesn't expire."""
        days: Any = self.cleaned_data["days"]
        return int(days) if days else None


class BotForm(forms.Form):
    """A bot account to make."""

    username = forms.CharField(
        max_length=NAME_LENGTH,
        label=gettext_lazy("Its username"),
        error_messages={"required": gettext_lazy("Give the bot a name.")},
    )
