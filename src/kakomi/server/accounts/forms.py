"""The forms in which guests say who they are and what they like, and those of tokens and of bots."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext, gettext_lazy

from kakomi.server.accounts.models import NAME_LENGTH, Guest
from kakomi.server.accounts.name_rules import has_forbidden_word
from kakomi.server.accounts.tokens import SCOPES

THEMES = ("auto", "light", "dark")


@dataclass(frozen=True)
class Preferences:
    """The preferences in a form; None for those that it leaves out. Invalid values count as left out."""

    name: str | None = None
    theme: str | None = None
    language: str | None = None
    confirms_turns: bool | None = None

    @staticmethod
    def of(form: Mapping[str, str]) -> "Preferences":
        """Fields: `name`, `theme`, `language`, and `confirms_turns` (`yes` or `no`)."""
        theme, language, confirms = (form.get(field) for field in ("theme", "language", "confirms_turns"))
        name = form.get("name")
        return Preferences(
            name=None if name is None else _clean(name),
            theme=theme if theme in THEMES else None,
            language=language if language in dict(settings.LANGUAGES) else None,
            confirms_turns=confirms == "yes" if confirms in ("yes", "no") else None,
        )

    @property
    def concerns_guest(self) -> bool:
        """Whether there is anything to keep with the guest; a language is kept by the browser."""
        return (self.name, self.theme, self.confirms_turns) != (None, None, None)

    def apply(self, guest: Guest) -> None:
        """Keep them."""
        for field in ("name", "theme", "confirms_turns"):
            wished = getattr(self, field)
            if wished is not None:
                setattr(guest, field, wished)
        guest.save(update_fields=["name", "theme", "confirms_turns"])


def _clean(name: str) -> str:
    """A name on one line, without invisible characters."""
    return "".join(letter for letter in " ".join(name.split()) if letter.isprintable())


def why_not(name: str) -> str:
    """What is wrong with a name, and what would be right; empty for a valid name."""
    if has_forbidden_word(name):
        return gettext("This site doesn’t take that name: choose another one.")
    if len(name) <= NAME_LENGTH:
        return ""
    return gettext("A name may have {most} characters; this one has {count}.").format(
        most=NAME_LENGTH, count=len(name)
    )


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
