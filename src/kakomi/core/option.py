"""Options of a game, checked before anything is built from them."""

import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kakomi.core.i18n import lazy_join, lazy_message
from kakomi.core.wording import range_in_words, truncated_repr

Options = Mapping[str, int]
"""Option name -> value, complete and in the order of the game's description."""

_BESIDE_OPTIONS = """
actions bank board casual clock clock_days clock_live csrfmiddlewaretoken days game games handicap is_rated
key kind least leavers level match nagtime name negotiate next node opponent pace ply position rated
rating_high rating_low sent shuffle side swap times to total unrated value version
action elements form help id length method reset submit target
autoreset autoreset_mode illegal num_envs option options pixels render_mode seat seed self threads
"""
"""What fields of the site's forms and links and words of mails are called, then what a form has in
scripts, then what commands and environments take."""
RESERVED = frozenset(_BESIDE_OPTIONS.split())
"""Names that no option may have, as they mean something else where options are given by name."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
OTHER_SUFFIX = "_other"
"""At the end of a form's field for a value that isn't offered."""


@dataclass(frozen=True)
class Option:
    """One whole-number option; `default` and `allowed` may depend on the options before it."""

    name: str
    help: str
    default: int | Callable[[Options], int]
    allowed: Sequence[int] | Callable[[Options], Sequence[int]]
    presets: tuple[int, ...] = ()
    """Values worth offering first."""
    words: Callable[[int], str] | None = None
    """What a value means for a game; empty for one that goes without saying. None: as `help` puts it."""

    def __post_init__(self) -> None:
        """Raises ValueError for a name that can't be told from another where options are given by name."""
        taken = self.name in RESERVED or self.name.endswith(OTHER_SUFFIX) or keyword.iskeyword(self.name)
        if taken or not _NAME.fullmatch(self.name):
            why = "means something else beside a game's options" if taken else "is no name of an option"
            raise ValueError(
                f"{self.name!r} {why}: take another one, of small letters, digits and underscores, "
                "such as size or max_stones"
            )

    @property
    def title(self) -> str:
        """What it is called: its name as words."""
        return self.name.replace("_", " ").capitalize()

    def in_words(self, value: int) -> str:
        """What a value means: `a lead of 6 points wins at once`; empty if it goes without saying."""
        return (
            lazy_message("{help}: {value}", help=self.help, value=value)
            if self.words is None
            else self.words(value)
        )

    def default_given(self, options: Options) -> int:
        """The default, once the options before this one are known."""
        return self.default(options) if callable(self.default) else self.default

    def allowed_given(self, options: Options) -> Sequence[int]:
        """What it may be, once the options before this one are known."""
        return self.allowed(options) if callable(self.allowed) else self.allowed


def resolve(game: str, known: Sequence[Option], given: Mapping[str, Any]) -> dict[str, int]:
    """All options of a game, defaults filled in.

    Raises ValueError naming the option that is unknown or out of range and what it may be.
    """
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            raise ValueError(
                lazy_message(
                    "{game} has no option {name}; its options are: {names}",
                    game=game,
                    name=repr(name),
                    names=", ".join(names),
                )
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
        raise ValueError(
            lazy_message(
                "{option} {value} isn't possible in {where}: it may be {allowed}",
                option=option.name,
                value=truncated_repr(value),
                where=_where(game, option, chosen),
                allowed=range_in_words(allowed),
            )
        )
    return number


def _where(game: str, option: Option, chosen: Options) -> str:
    """A game, and what was chosen before if what is possible depends on it."""
    if not callable(option.allowed):
        return game
    before = [
        lazy_message("with {option} {value}", option=name, value=value) for name, value in chosen.items()
    ]
    return lazy_join(" ", [game, *before])
