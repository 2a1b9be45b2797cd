"""Options of a game, and checks of their values."""

import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kakomi.core.i18n import lazy_error, lazy_join, lazy_message, range_in_words, truncated_repr

Options = Mapping[str, int]
"""Option name -> value, with all options in the order of the game's description."""

_BESIDE_OPTIONS = """
actions bank board casual clock clock_days clock_live csrfmiddlewaretoken days game games handicap is_rated
key kind least leavers level match nagtime name negotiate next node opponent pace ply position rated
rating_high rating_low sent shuffle side swap times to total unrated value version
action elements form help id length method reset submit target
autoreset autoreset_mode illegal num_envs option options pixels render_mode seat seed self threads
"""
"""Names of fields in the site's forms and links and of words in mails, then attributes of a form in scripts,
then arguments of commands and environments."""
RESERVED = frozenset(_BESIDE_OPTIONS.split())
"""Names that options can't have, because they have another meaning where options are given by name."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
OTHER_SUFFIX = "_other"
"""Suffix of a form's field for a value that isn't among the presets."""


@dataclass(frozen=True)
class Option:
    """An integer option; `default` and `allowed` may depend on the options before it."""

    name: str
    help: str
    default: int | Callable[[Options], int]
    allowed: Sequence[int] | Callable[[Options], Sequence[int]]
    presets: tuple[int, ...] = ()
    """Values to offer first."""
    words: Callable[[int], str] | None = None
    """The meaning of a value, empty for one that needs no mention; None: `help` and the value."""

    def __post_init__(self) -> None:
        """Raise ValueError for a name that isn't an identifier or is reserved."""
        taken = self.name in RESERVED or self.name.endswith(OTHER_SUFFIX) or keyword.iskeyword(self.name)
        if taken or not _NAME.fullmatch(self.name):
            why = "is reserved (docs/adding-a-game.md lists such names)" if taken else "can't name an option"
            raise ValueError(
                f"{self.name!r} {why}: choose a name of small letters, digits and underscores, "
                "such as size or max_stones"
            )

    @property
    def title(self) -> str:
        """The name as words, with a capital."""
        return self.name.replace("_", " ").capitalize()

    def in_words(self, value: int) -> str:
        """The meaning of a value, such as `a lead of 6 points wins at once`; empty if it needs no mention."""
        return (
            lazy_message("{help}: {value}", help=self.help, value=value)
            if self.words is None
            else self.words(value)
        )

    def default_given(self, options: Options) -> int:
        """The default, given the options before this one."""
        return self.default(options) if callable(self.default) else self.default

    def allowed_given(self, options: Options) -> Sequence[int]:
        """The allowed values, given the options before this one."""
        return self.allowed(options) if callable(self.allowed) else self.allowed


def resolve(game: str, known: Sequence[Option], given: Mapping[str, Any]) -> dict[str, int]:
    """All options of a game, with defaults filled in.

    Raises ValueError for an unknown option, and for a value out of range, with the allowed values.
    """
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            raise lazy_error(
                ValueError,
                "{game} has no option {name}; it has {names}",
                game=game,
                name=repr(name),
                names=", ".join(names),
            )
    chosen: dict[str, int] = {}
    for option in known:
        value = given.get(option.name)
        chosen[option.name] = (
            option.default_given(chosen) if value is None else _checked(game, option, value, chosen)
        )
    return chosen


def _checked(game: str, option: Option, value: Any, chosen: Options) -> int:
    allowed = option.allowed_given(chosen)
    try:
        number = None if isinstance(value, bool) else int(value)
        if number is None or number != (int(value) if isinstance(value, str) else value):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number not in allowed:
        raise lazy_error(
            ValueError,
            "{option} {value} isn't possible in {where}: choose {allowed}",
            option=option.name,
            value=truncated_repr(value),
            where=_where(game, option, chosen),
            allowed=range_in_words(allowed),
        )
    return number


def _where(game: str, option: Option, chosen: Options) -> str:
    """The game, with the options chosen before if the allowed values depend on them."""
    if not callable(option.allowed):
        return game
    before = [
        lazy_message("with {option} {value}", option=name, value=value) for name, value in chosen.items()
    ]
    return lazy_join(" ", [game, *before])
