"""The forms of the study pages: validation, and conversion into commands."""

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
from kakomi.server.site.language import why
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables.forms import resolve_options
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
"""The `kind` field of a form -> a command made from its `value`."""


def parse_node(text: str | None) -> int:
    """A node number from a query or a form; 0, the start, if it isn't a whole number."""
    return whole_number(text) or 0


def node_in(asked: Mapping[str, str], record: Record) -> int:
    """The node in a query, at most the last one; the end of the main line if the query has none."""
    named = asked.get("node")
    return record.length if named is None else min(parse_node(named), len(record.turns))


class EditForm(forms.Form):
    """An edit of a study. Scripts and buttons fill it in, so it reports only the first error."""

    kind = forms.Field(required=False)
    value = forms.Field(required=False)
    node = forms.Field(required=False)
    version = forms.RegexField(r"^[0-9]{1,9}$", required=False)

    def submission(self) -> Submission:
        """The command, with the node and version its sender saw. Raises `Refused` if the form is invalid."""
        self.is_valid()
        data = {name: value or "" for name, value in self.cleaned_data.items()}
        if not data.get("version"):
            raise Refused(lazy_message("'version' must be the study’s version number"))
        kind, value = data["kind"], data["value"]
        if kind == "play":
            value = str(self.data.get("written", value)).strip()  # typed instead of clicked
        if kind not in _COMMANDS:
            raise Refused(
                lazy_message(
                    "{kind} isn’t a study command; available: {kinds}",
                    kind=repr(kind[:20]),
                    kinds=", ".join(_COMMANDS),
                )
            )
        if kind == "play":
            check_length(lazy_message("characters in an action"), len(value), LONGEST_ACTION)
        return Submission(_COMMANDS[kind](value), parse_node(data["node"]), int(data["version"]))


class TitleForm(forms.Form):
    """A study's title, truncated to `TITLE_LENGTH`."""

    title = forms.Field(required=False)

    def clean_title(self) -> str:
        """The title on a single line."""
        return tidy_line(self.cleaned_data["title"] or "").strip()[:TITLE_LENGTH]


class NewStudyForm(forms.Form):
    """Where a new study begins: the game's options, and a position other than the game's start.

    `game` is the chosen game, with defaults in place of invalid options.
    """

    position = forms.CharField(required=False)

    def __init__(self, description: Description, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.description = description
        self.game = catalog.game(description.name)
        for option in description.options:
            self.fields[option.name] = forms.CharField(required=False)

    def clean(self) -> None:
        """Set `game` from the options, and add an error to each invalid field."""
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
        """The record of the empty study. Requires a valid form."""
        options, position = dict(self.game.options), self.cleaned_data["position"]
        return Record(game=self.game.name, options=options, position=position)

    def message(self, name: str) -> str:
        """The errors of a field; empty if it is valid."""
        return " ".join(map(str, self.errors.get(name, ())))


class UploadForm(forms.Form):
    """A file with a record, and the game to assume if the file doesn't name one."""

    record = forms.FileField(required=False, allow_empty_file=True, widget=forms.FileInput)
    game = forms.Field(required=False)
