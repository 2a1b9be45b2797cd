"""What somebody wishes who opens a table, made into terms and seats."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from kakomi import catalog
from kakomi.bots import make_bot
from kakomi.core import Description, Game
from kakomi.core.option import resolve
from kakomi.server.accounts.models import Guest
from kakomi.server.language import translate
from kakomi.server.tables.exceptions import InvalidTableRequest
from kakomi.server.tables.labels import allowed_label
from kakomi.server.tables.seat_assignment import BESIDE, FRIEND, ME, seating_of
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.time_control import CUSTOM, control_of
from kakomi.session import MatchConfig, TimeControl

OTHER = "other"
"""The choice that stands for a value written beside it, in a field named `..._other`."""


@dataclass(frozen=True)
class TableRequest:
    """A wish that can be granted. Values as they come from a form are checked by `of`."""

    game: Game
    who: tuple[str, ...]
    """For every player of the game: ME, BESIDE, FRIEND or a bot's level."""
    legs: int = 1
    negotiate: bool = False
    swap: bool = False
    control: TimeControl | None = None

    @staticmethod
    def of(description: Description, form: Mapping[str, str]) -> "TableRequest":
        """The wish of a form. Raises Unclear, saying of every wrong field what would be right.

        Fields: the game's options by name (OTHER: the value is in `NAME_other`); those of `seating_of`;
        `negotiate`, `swap`, `match` when they are on; `clock` (empty: none; CUSTOM: it is in `clock_other`).
        """
        errors: dict[str, str] = {}
        game = _game(description, form, errors)
        who: tuple[str, ...] = ()
        control = None
        try:
            who = seating_of(game, form)
        except InvalidTableRequest as unclear:
            errors.update(unclear.errors)
        try:
            control = control_of(_clock(form))
        except InvalidTableRequest as unclear:
            errors.update(unclear.errors)
        negotiate = bool(form.get("negotiate")) and bool(description.komi_option)
        swap = bool(form.get("swap")) and game.players == 2
        if negotiate and swap:
            errors["swap"] = gettext(
                "Either the komi is negotiated or colours can be swapped: switch one off."
            )
        if errors:
            raise InvalidTableRequest(errors)
        legs = max(description.match_games, game.players) if form.get("match") else 1
        return TableRequest(game, who, legs, negotiate, swap, control)

    @property
    def terms(self) -> MatchConfig:
        """Raises Refused if they contradict each other."""
        return MatchConfig(self.game, legs=self.legs, negotiate=self.negotiate, swap=self.swap)

    def sitters(self, guest: Guest) -> list[Sitter]:
        """Who is to sit in each seat; seats are numbered like players."""
        return [_sitter(who, guest) for who in self.who]


def written(form: Mapping[str, str], name: str) -> str:
    """An option's value as it was sent, wherever it was written."""
    value = form.get(name, "").strip()
    return form.get(f"{name}_other", "").strip() if value == OTHER else value


def _game(description: Description, form: Mapping[str, str], errors: dict[str, str]) -> Game:
    """The game with the options that were sent, and with the default for each that is wrong."""
    chosen: dict[str, int] = {}
    for number, option in enumerate(description.options):
        value = written(form, option.name)
        is_given = bool(form.get(option.name)) and not _is_settled(description, form, option.name)
        given = {**chosen, option.name: value} if is_given else chosen
        known = description.options[: number + 1]
        try:
            chosen = resolve(description.name, known, given)
        except ValueError:
            said = gettext("{option} may be {allowed} here, not “{given}”.")
            errors[option.name] = said.format(
                option=translate(option.title),
                allowed=allowed_label(option.allowed_given(chosen)),
                given=value[:20],
            )
            chosen = resolve(description.name, known, chosen)
    return catalog.game(description.name, **chosen)


def _is_settled(description: Description, form: Mapping[str, str], option: str) -> bool:
    """Whether an option is left to the players: the komi, where they negotiate it."""
    return option == description.komi_option and bool(form.get("negotiate"))


def _clock(form: Mapping[str, str]) -> str:
    clock = form.get("clock", "")
    return form.get("clock_other", "") or "?" if clock == CUSTOM else clock


def _sitter(who: str, guest: Guest) -> Sitter:
    if who == ME:
        return Sitter(guest, name=guest.name)
    if who == BESIDE:
        return Sitter(guest)
    if who == FRIEND:
        return Sitter()
    return Sitter(bot=who, name=make_bot(who).name)
