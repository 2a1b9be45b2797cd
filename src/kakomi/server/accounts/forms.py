"""The forms for guests' names and preferences, for tokens and for bots."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from kakomi.server.accounts.models import NAME_LENGTH
from kakomi.server.accounts.name_rules import has_forbidden_word
from kakomi.server.accounts.tokens import SCOPES

THEMES = ("auto", "light", "dark")
SWITCHES = ("confirms_turns", "shows_games")
"""The preferences that are on or off, as `yes` or `no` in forms."""


def preferences_in(form: Mapping[str, str]) -> dict[str, str | bool]:
    """The valid preferences in a form, by the guest's field."""
    found: dict[str, str | bool] = {"name": name_in(form)} if "name" in form else {}
    if form.get("theme") in THEMES:
        found["theme"] = form["theme"]
    return found | {name: form[name] == "yes" for name in SWITCHES if form.get(name) in ("yes", "no")}


def name_in(form: Mapping[str, str]) -> str:
    """The name in a form, on one line, without invisible characters."""
    return "".join(letter for letter in " ".join(form.get("name", "").split()) if letter.isprintable())


def why_not(name: str) -> str:
    """The error message for an invalid name; empty for a valid one."""
    if has_forbidden_word(name):
        return gettext("This name isn’t allowed here. Choose another one.")
    if len(name) <= NAME_LENGTH:
        return ""
    return gettext("Names can have up to {most} characters; this one has {count}.").format(
        most=NAME_LENGTH, count=len(name)
    )


LIFETIMES = {
    "30": gettext_lazy("30 days"),
    "90": gettext_lazy("90 days"),
    "365": gettext_lazy("1 year"),
    "": gettext_lazy("until revoked"),
}
"""Lifetimes of tokens: days, empty for unlimited -> in words."""


class TokenForm(forms.Form):
    """The form that makes a token."""

    name = forms.CharField(
        max_length=60,
        label=gettext_lazy("Name"),
        error_messages={"required": gettext_lazy("Enter a name for the token, such as the program’s name.")},
    )
    scopes = forms.MultipleChoiceField(
        choices=list(SCOPES.items()),
        label=gettext_lazy("Permissions"),
        error_messages={"required": gettext_lazy("Choose at least one permission.")},
    )
    days = forms.ChoiceField(
        choices=list(LIFETIMES.items()), required=False, label=gettext_lazy("Expires after")
    )

    @property
    def lifetime(self) -> int | None:
        """The requested lifetime of a valid form in days; None if the token doesn't expire."""
        days: Any = self.cleaned_data["days"]
        return int(days) if days else None


class BotForm(forms.Form):
    """The form that makes a bot account."""

    username = forms.CharField(
        max_length=NAME_LENGTH,
        label=gettext_lazy("Username"),
        error_messages={"required": gettext_lazy("Enter a name for the bot.")},
    )
