"""Messages of the protocol (docs/protocol.md): its requests, which are parsed strictly, and the JSON form of
positions and games. Search results are a `search.Report`.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from kakomi.core import Description, Game, Option, Position
from kakomi.core.option import resolve
from kakomi.protocol.exceptions import RequestError
from kakomi.protocol.lines import clipped, quoted

Id = Annotated[str, Meta(max_length=100)] | Annotated[int, Meta(ge=-(2**53), le=2**53)]
Name = Annotated[str, Meta(max_length=100)]
Actions = tuple[str, ...]
PositionText = Annotated[str, Meta(max_length=10_000)]
Simulations = Annotated[int, Meta(ge=1, le=10**12)]
Positions = Annotated[int, Meta(ge=1, le=10**15)]
Seconds = Annotated[float, Meta(gt=0, le=86400)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Count = Annotated[int, Meta(ge=1, le=10**6)]
Milliseconds = Annotated[int, Meta(ge=10, le=3_600_000)]


class Request(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="command"):
    """One line from a client."""

    id: Id

    @property
    def ends_by_itself(self) -> bool:
        """Whether the request finishes without a stop."""
        return True


class PlacedRequest(Request):
    """A request about the position that was set up, or about one that the request brings."""

    game: Name | None = None
    options: dict[Name, int] = {}
    position: PositionText | None = None
    """Where the actions begin, as `str(position)` writes it; None: at the game's start."""
    actions: Actions = ()

    def __post_init__(self) -> None:
        if self.game is None and (self.options or self.actions or self.position is not None):
            raise ValueError("options, position and actions need a game beside them")


class OpinionRequest(PlacedRequest):
    """A request for a bot's or a search's opinion."""

    seed: Seed | None = None
    """Use a new bot or search with this seed for this request alone."""


class LimitedRequest(OpinionRequest):
    """A request to think, with optional limits."""

    simulations: Simulations | None = None
    seconds: Seconds | None = None


class Hello(Request, tag="hello"):
    """Ask for the engine's name and version."""


class Games(Request, tag="games"):
    """Ask for the list of games."""


class Setup(PlacedRequest, tag="setup"):
    """Set up a position: a game, or a record, and what has been played."""

    record: str | dict[str, Any] | None = None
    turn: Annotated[int, Meta(ge=0)] | None = None
    """The turn of the record after which to begin; by default its last."""
    seed: Seed | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.game is None) == (self.record is None):
            raise ValueError("setup needs a game or a record, and not both")
        if self.turn is not None and self.record is None:
            raise ValueError("turn needs a record beside it")


class Play(Request, tag="play"):
    """Play actions."""

    actions: Annotated[Actions, Meta(min_length=1)]


class Undo(Request, tag="undo"):
    """Take actions back."""

    count: Count = 1


class Show(PlacedRequest, tag="show"):
    """Describe a position in full."""

    drawing: Literal["text", "svg"] | None = None
    theme: Literal["auto", "light", "dark"] = "auto"
    overlays: tuple[Name, ...] = ()


class Genmove(LimitedRequest, tag="genmove"):
    """Choose an action."""

    bot: Name | None = None
    may_swap: bool = False
    every_ms: Milliseconds | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bot is not None and (self.simulations or self.seconds):
            raise ValueError("a bot has limits of its own: give either a bot or simulations and seconds")
        if (self.may_swap or self.every_ms) and (self.simulations or self.seconds):
            raise ValueError("may_swap and every_ms are for bots, which have limits of their own")


class Analyse(LimitedRequest, tag="analyse"):
    """Search a position, with interim reports."""

    every_ms: Milliseconds | None = None
    lines: Count = 10
    playouts: Annotated[int, Meta(ge=0, le=10**6)] = 0
    """The playouts behind the likely owners and leads; with 0 there are none."""

    @property
    def ends_by_itself(self) -> bool:
        """Whether a limit is set."""
        return self.simulations is not None or self.seconds is not None


class Prove(PlacedRequest, tag="prove"):
    """Prove the outcomes of actions under best play, with interim reports."""

    positions: Positions | None = None
    """The most positions to look at."""
    every_ms: Milliseconds | None = None

    @property
    def ends_by_itself(self) -> bool:
        """Whether a limit is set; without one the proof may take very long."""
        return self.positions is not None


class NameKomi(OpinionRequest, tag="name_komi"):
    """Name a komi as the first player (RULES L5)."""

    bot: Name | None = None


class ChoosePlayer(OpinionRequest, kw_only=True, tag="choose_player"):
    """Choose a player after the opponent has named a komi (RULES L5)."""

    komi: int
    bot: Name | None = None


class WantsSwap(LimitedRequest, tag="wants_swap"):
    """Decide whether to take over the other side."""

    bot: Name | None = None


class Stop(Request, tag="stop"):
    """End the thinking of earlier requests, or of the one whose id is `target`."""

    target: Id | None = None


class Quit(Request, tag="quit"):
    """End the program."""


AnyRequest = (
    Hello
    | Games
    | Setup
    | Play
    | Undo
    | Show
    | Genmove
    | Analyse
    | Prove
    | NameKomi
    | ChoosePlayer
    | WantsSwap
    | Stop
    | Quit
)
COMMANDS = tuple(str(kind.__struct_config__.tag) for kind in AnyRequest.__args__)


class _Head(Struct):
    """The fields of a line that an error needs."""

    id: Any = None
    command: Any = None


_PLACE = re.compile(r" - at `(?:key in )?\$\.?(.*)`$", re.DOTALL)


def read_request(line: bytes) -> Request:
    """Parse a line as a request. Raises RequestError, naming what is wrong."""
    head = _head(line)
    known = _valid_id(head.id)
    if head.command not in COMMANDS:
        told = "no command" if head.command is None else f"no command {_quoted_command(head.command)}"
        raise RequestError("unknown-command", f"there is {told}; there are: {', '.join(COMMANDS)}", known)
    try:
        request: Request = msgspec.json.decode(line, type=AnyRequest)
    except msgspec.ValidationError as error:
        raise RequestError("bad-field", _located(error), known) from None
    return request


def _head(line: bytes) -> _Head:
    try:
        return msgspec.json.decode(line, type=_Head)
    except msgspec.ValidationError:
        raise RequestError("malformed", f"a request is a JSON object, not {quoted(line)}") from None
    except (ValueError, RecursionError) as error:
        told = (
            str(error).removeprefix("JSON is malformed: ")
            if isinstance(error, ValueError)
            else "nested too deep"
        )
        raise RequestError("malformed", f"no JSON in UTF-8: {told}") from None


def _valid_id(request: Any) -> Id | None:
    """Return an id if it is valid, else None."""
    try:
        return msgspec.convert(request, Id | None)  # type: ignore[no-any-return]
    except msgspec.ValidationError:
        return None


def _quoted_command(command: Any) -> str:
    return quoted(command.encode(errors="replace")) if isinstance(command, str) else "of that type"


def _located(error: msgspec.ValidationError) -> str:
    """Return an error of msgspec with the place first: `seconds: expected float, got str`."""
    place = _PLACE.search(str(error))
    told = _PLACE.sub("", str(error)).replace("`", "")
    told = told.replace("Object contains unknown field ", "there is no field ")
    told = told.replace("Object missing required field ", "it lacks the field ")
    told = told[:1].lower() + told[1:]
    return clipped(f"{place[1]}: {told}" if place and place[1] else told)


def description_json(description: Description) -> dict[str, Any]:
    """Describe a game and its options. Values that depend on other options assume the defaults of those."""
    defaults = resolve(description.name, description.options, {})
    return {
        "name": description.name,
        "title": description.title,
        "author": description.author,
        "year": description.year,
        "summary": description.summary,
        "options": [_option(option, defaults) for option in description.options],
        "komi_option": description.komi_option or None,
    }


def state_json(position: Position) -> dict[str, Any]:
    """Return the state of play: who is to act, the turn so far, scores and returns."""
    game = position.game
    return {
        "ply": position.ply,
        "to_move": None if position.is_over else position.to_move,
        "turn": texts(game, position.turn),
        "is_over": position.is_over,
        "scores": position.scores(),
        "contested": position.contested(),
        "returns": position.returns() if position.is_over else None,
    }


def game_json(game: Game) -> dict[str, Any]:
    """Return a game with its chosen options, player names and point names."""
    return {
        "game": game.name,
        "options": dict(game.options),
        "players": list(game.player_names),
        "points": list(game.geometry.names),
    }


def texts(game: Game, actions: Iterable[int]) -> list[str]:
    """Return the texts of actions."""
    return [game.action_texts[action] for action in actions]


def _option(option: Option, defaults: dict[str, int]) -> dict[str, Any]:
    allowed: Sequence[int] = option.allowed_given(defaults)
    return {
        "name": option.name,
        "help": option.help,
        "default": defaults[option.name],
        "allowed": list(allowed),
        "presets": list(option.presets),
    }
