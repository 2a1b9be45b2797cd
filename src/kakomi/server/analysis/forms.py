"""What pages of studies send, checked and turned into commands."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms

from kakomi import catalog
from kakomi.core import Description
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, tidy_line
from kakomi.server.analysis.commands import (
    Comment,
    Play,
    Promote,
    Remove,
    Shorten,
    StudyCommand,
    Submission,
    Undo,
    check_length,
)
from kakomi.server.analysis.models import TITLE_LENGTH
from kakomi.server.language import why
from kakomi.server.tables.forms import resolve_options
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Refused

LONGEST_ACTION = 100
_COMMANDS: Mapping[str, Callable[[str], StudyCommand]] = {
    "play": Play,
    "shorten": lambda _: Shorten(),
    "comment": Comment,
    "promote": lambda _: Promote(),
    "remove": lambda _: Remove(),
    "undo": lambda _: Undo(),
}
"""What can be done to a study, by name."""


def parse_node(text: str | None) -> int:
    """A node from an address or a form; what is no number is the start."""
    return whole_number(text) or 0


def node_in(asked: Mapping[str, str], record: Record) -> int:
    """The node that an address names, the end of the main line by default, and the last at the most."""
    named = asked.get("node")
    return record.length if named is None else min(parse_node(named), len(record.turns))


class EditForm(forms.Form):
    """An edit of a study. Pages' scripts and buttons fill it in, so that only one fault is named."""

    kind = forms.Field(required=False)
    value = forms.Field(required=False)
    node = forms.Field(required=False)
    version = forms.RegexField(r"^[0-9]{1,9}$", required=False)

    def submission(self) -> Submission:
        """The command with what its sender saw. Raises Refused for what makes no sense."""
        self.is_valid()
        data = {name: value or "" for name, value in self.cleaned_data.items()}
        if not data.get("version"):
            raise Refused(
                lazy_message("the form's 'version' should be the version of the study that was seen")
            )
        kind, value = data["kind"], data["value"]
        if kind == "play":
            value = str(self.data.get("written", value)).strip()  # written instead of clicked
        if kind not in _COMMANDS:
            raise Refused(
                lazy_message(
                    "{kind} can't be done to a study; there are: {kinds}",
                    kind=repr(kind[:20]),
                    kinds=", ".join(_COMMANDS),
                )
            )
        if kind == "play":
            check_length(lazy_message("characters of an action"), len(value), LONGEST_ACTION)
        return Submission(_COMMANDS[kind](value), parse_node(data["node"]), int(data["version"]))


class TitleForm(forms.Form):
    """A study's title; too long a one is cut off."""

    title = forms.Field(required=False)

    def clean_title(self) -> str:
        """The title in one line."""
        return tidy_line(self.cleaned_data["title"] or "").strip()[:TITLE_LENGTH]


class NewStudyForm(forms.Form):
    """Where a study begins: the options of a game, and a position if it isn't the start.

    `game` is what was chosen, with the defaults for options that are wrong.
    """

    position = forms.CharField(required=False)

    def __init__(self, description: Description, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.description = description
        self.game = catalog.game(description.name)
        for option in description.options:
            self.fields[option.name] = forms.CharField(required=False)

    def clean(self) -> None:
        """Make the game, or say of every wrong field what would be right."""
        options, wrong = resolve_options(self.description, self.cleaned_data)
        for name, message in wrong.items():
            self.add_error(name, message)
        self.game = catalog.game(self.description.name, **options)
        if not wrong and (text := self.cleaned_data.get("position", "")):
            try:
                self.cleaned_data["position"] = str(self.game.position(text))
            except ValueError as error:
                self.add_error("position", why(error))

    @property
    def record(self) -> Record:
        """The empty study. Only of a form that is valid."""
        options, position = dict(self.game.options), self.cleaned_data["position"]
        return Record(game=self.game.name, options=options, position=position)

    def message(self, name: str) -> str:
        """What is wrong with a field; nothing if it is right."""
        return " ".join(map(str, self.errors.get(name, ())))


class UploadForm(forms.Form):
    """A file with a record, and the game that it is of if the file doesn't say."""

    record = forms.FileField(required=False, allow_empty_file=True, widget=forms.FileInput)
    game = forms.Field(required=False)
