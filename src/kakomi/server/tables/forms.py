"""The form that opens a table."""

import secrets
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.core.option import resolve
from kakomi.server.site.games import allowed_label
from kakomi.server.site.language import translate, why
from kakomi.server.tables.clock_texts import parse_time_control
from kakomi.server.tables.table_request import (
    LEVELS,
    NEEDS_ACCOUNTS,
    InvalidTableRequest,
    SeatAssignment,
    TableRequest,
    contradictions,
    levels_for,
    unknown_sitter,
)
from kakomi.session import TimeControl, usual_terms

OTHER = "other"
"""The value of an option that refers to a typed one, in the field `..._other`."""
CUSTOM = "custom"
"""The value of the field `clock` that refers to a typed one, in `clock_other`."""
LIVE_CLOCK, DAY_CLOCK = "live", "days"
"""Values of the field `clock` that refer to the clock chosen for this pace."""
_CLOCK_FIELDS = {CUSTOM: "clock_other", LIVE_CLOCK: "clock_live", DAY_CLOCK: "clock_days"}
"""The fields that values of `clock` refer to."""
BOT = "bot"
"""The value of `opponent` for a bot of the level in the field `level`."""
LONGEST_POSITION = 6_000
"""The most characters of a position as text, far more than any board needs."""
_MORE = ("3", "4", "5", "6")
"""The numbers of players for which the usual board is a large one."""
BY_LOT = "random"
"""The value of `side` for either side."""


def _text() -> forms.CharField:
    return forms.CharField(required=False, strip=False)


def _switch() -> forms.BooleanField:
    return forms.BooleanField(required=False)


class TableForm(forms.Form):
    """The form that opens a table; `table_request` is its result once it is valid.

    The game's options are fields by name. The seats are `seat-0`, `seat-1`, ... (and `shuffle` to draw lots),
    or else `opponent` and `side`. `form_presenter` shows it.
    """

    opponent, level, side = _text(), _text(), _text()
    negotiate, swap, match, shuffle, rated = (_switch() for _ in range(5))
    clock, clock_live, clock_days, clock_other = (_text() for _ in range(4))
    position, leavers = _text(), _text()

    def __init__(
        self, description: Description, *args: Any, may_be_rated: bool = False, **named: Any
    ) -> None:
        """`may_be_rated` says whether its sender may play rated games."""
        super().__init__(*args, **named)
        self.may_be_rated = may_be_rated
        self.description = description
        self.table_request: TableRequest | None = None
        for option in description.options:
            self.fields[option.name] = _text()
            self.fields[f"{option.name}_other"] = _text()
        for player in range(len(description.player_names)):
            self.fields[f"seat-{player}"] = _text()

    @property
    def given(self) -> Mapping[str, str]:
        """The values that were sent, or the initial ones."""
        return self.data if self.is_bound else self.initial

    @property
    def messages(self) -> dict[str, str]:
        """The errors by field; `seats` is for all seats together."""
        return {
            "seats" if name == NON_FIELD_ERRORS else name: " ".join(map(str, errors))
            for name, errors in self.errors.items()
        }

    def clean(self) -> None:
        """Build the table request, or add an error that states the valid values to every wrong field."""
        options, wrong = resolve_options(self.description, self.cleaned_data, skipped=self._negotiated)
        for name, message in wrong.items():
            self.add_error(name, message)
        game = catalog.game(self.description.name, **options)
        terms = {"negotiate": bool(self._negotiated), "swap": self._is_on("swap") and game.players == 2}
        position = self._position(game)
        seats, control = self._seats(game), self._control()
        if len(seats) == game.players:
            for name, message in contradictions(seats, **terms, position=position).items():
                self.add_error(name if name in self.fields else None, message)
        if self._is_on("rated") and not self.may_be_rated:
            self.add_error("rated", translate(NEEDS_ACCOUNTS))
        if not self.errors:
            try:
                self.table_request = TableRequest.of(
                    self.description,
                    options,
                    seats,
                    is_match=self._is_on("match"),
                    control=control,
                    position=position,
                    leavers=self._leavers(),
                    is_rated=self._is_on("rated"),
                    **terms,
                )
            except InvalidTableRequest as wrong_request:
                for name, message in wrong_request.errors.items():
                    name = "opponent" if name == "seats" and game.players == 2 else name
                    self.add_error(name if name in self.fields else None, message)

    @property
    def _negotiated(self) -> str | None:
        """The option that the players negotiate, or None; the form doesn't offer that against a bot."""
        is_against_bot = self.cleaned_data.get("opponent") == BOT
        return self.description.komi_option if self._is_on("negotiate") and not is_against_bot else None

    def _is_on(self, name: str) -> bool:
        return bool(self.cleaned_data.get(name))

    def _seats(self, game: Game) -> list[SeatAssignment]:
        """The seats; fewer than the game has players if there are errors."""
        named = {f"seat-{player}": "" for player in range(game.players)}
        named = {name: self.cleaned_data.get(name, "") for name in named}
        if not any(named.values()):
            return self._seats_of_two(game)
        seats = [self._seat(name, who) for name, who in named.items()]
        if self._is_on("shuffle"):
            secrets.SystemRandom().shuffle(seats)
        return [seat for seat in seats if seat]

    def _seats_of_two(self, game: Game) -> list[SeatAssignment]:
        field, opponent = "opponent", self.cleaned_data.get("opponent", "")
        if opponent == BOT:
            field, opponent = "level", self.cleaned_data.get("level", "")
        other, own = self._seat(field, opponent), self._side(game)
        if other and other.kind == "me":
            self.add_error(field, unknown_sitter(opponent, levels_for(self.description)))
            return []
        if other is None or own is None:
            return []
        return [SeatAssignment("me") if player == own else other for player in range(game.players)]

    def _seat(self, field: str, text: str) -> SeatAssignment | None:
        try:
            return SeatAssignment.parse(text, levels_for(self.description))
        except ValueError as error:
            self.add_error(field, str(error))
            return None

    def _side(self, game: Game) -> int | None:
        """The player that the guest is, drawn by lot unless chosen (RULES G1)."""
        side = self.cleaned_data.get("side") or BY_LOT
        if side == BY_LOT:
            return secrets.randbelow(game.players)
        if side in map(str, range(game.players)):
            return int(side)
        said = gettext("Choose one of the sides in the list, or “random”.")
        self.add_error("side", said)
        return None

    def _position(self, game: Game) -> str:
        """The position at which the game begins, as text; empty for the start."""
        text = self.cleaned_data.get("position", "").strip()[:LONGEST_POSITION]
        if not text:
            return ""
        try:
            position = game.position(text)
        except ValueError as error:
            self.add_error("position", why(error))
            return ""
        if position.is_over:
            self.add_error("position", gettext("The game is already over in this position."))
        return str(position)

    def _leavers(self) -> str:
        """The level of the bot that replaces a player who leaves; empty for none."""
        level: str = self.cleaned_data.get("leavers", "")
        return level if level in LEVELS else ""

    def _control(self) -> TimeControl | None:
        clock = self.cleaned_data.get("clock", "")
        if clock in _CLOCK_FIELDS:
            clock = self.cleaned_data.get(_CLOCK_FIELDS[clock], "") or "?"
        try:
            return parse_time_control(clock)
        except InvalidTableRequest as error:
            self.add_error("clock", error.errors["clock"])
            return None


def written(form: Mapping[str, str], name: str) -> str:
    """An option's value as it was sent, chosen or typed."""
    value = form.get(name, "").strip()
    return form.get(f"{name}_other", "").strip() if value == OTHER else value


def resolve_options(
    description: Description, form: Mapping[str, str], *, skipped: str | None = None
) -> tuple[dict[str, int], dict[str, str]]:
    """The game's options as chosen, the usual ones if missing or wrong, and error messages by name."""
    named = {option.name: written(form, option.name) for option in description.options}
    is_settled = bool(form.get("position") or form.get("swap"))
    players = {name: value for name, value in named.items() if name == "players" and value in _MORE}
    chosen: dict[str, int] = {}
    errors: dict[str, str] = {}
    for number, option in enumerate(description.options):
        value, known = named[option.name], description.options[: number + 1]
        is_given = bool(form.get(option.name)) and option.name != skipped
        usual = usual_terms(description, {**players, **chosen}, negotiate=False, is_settled=is_settled)
        default = {**chosen, option.name: usual.game.options[option.name]}
        try:
            chosen = resolve(description.name, known, {**chosen, option.name: value} if is_given else default)
        except ValueError:
            said = gettext("{option}: choose {allowed}, not “{given}”.")
            errors[option.name] = said.format(
                option=translate(option.title),
                allowed=allowed_label(option.allowed_given(chosen)),
                given=value[:20],
            )
            chosen = default
    return chosen, errors
