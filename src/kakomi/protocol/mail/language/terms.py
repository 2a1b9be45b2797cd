"""The parameters of challenges and seeks: `-size=4 -days=3 -rated`."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kakomi import catalog
from kakomi.core import Description
from kakomi.core.i18n import LazyMessage, lazy_message, lazy_plural
from kakomi.core.wording import truncated_repr
from kakomi.protocol.mail.commands import Terms
from kakomi.protocol.mail.language.arguments import Misread
from kakomi.records.record import reason_of
from kakomi.session import MatchConfig, TimeControl
from kakomi.session.match_config import MOST_GAMES
from kakomi.session.time_control import DAY

_PARAMETER = re.compile(r"(?P<dash>-{1,2})?(?P<name>[^\W\d][\w-]*)(?:=(?P<value>.*))?")
_EQUALS = re.compile(r"\s*=\s*")
_BANK = re.compile(r"(\d{1,4}(?:[.,]\d+)?)(?:\+(\d{1,3}(?:[.,]\d+)?))?(?:/(\d{1,4}))?", re.ASCII)
_YES = ("", "yes", "on", "true", "1", "ja", "an")
_NO = ("no", "off", "false", "0", "nein", "aus")
_ALIASES = {
    "größe": "size", "groesse": "size", "spieler": "players", "tage": "days", "forfeittime": "days",
    "gesamt": "total",
    "totaltime": "total", "konto": "bank", "partien": "games", "match": "games", "gewertet": "rated",
    "casual": "unrated",
    "ungewertet": "unrated", "tausch": "swap", "verhandeln": "negotiate", "linie": "line",
    "vorsprung": "lead",
}  # fmt: skip
MATCH_PARAMETERS = (
    "days",
    "total",
    "bank",
    "games",
    "negotiate",
    "swap",
    "rated",
    "unrated",
    "leavers",
    "nagtime",
    "handicap",
)
"""What can be said besides the game's own options."""


def split_parameters(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """The parameters among words, by the names that they are given, and the other words.

    Raises Misread for a parameter that comes twice.
    """
    given: dict[str, str] = {}
    others = []
    for word in _EQUALS.sub("=", " ".join(words)).split():
        found = _PARAMETER.fullmatch(word)
        if not found or (found["dash"] is None and found["value"] is None):
            others.append(word)
            continue
        name = found["name"].lower().replace("-", "_")
        if name in given:
            raise Misread(lazy_message("{name} is given twice", name=name))
        given[name] = (found["value"] or "").lower()
    return given, others


class _Said(NamedTuple):
    """What is said of the match or of the game, in the sender's own words."""

    name: str
    value: str


def parameter_meant(name: str) -> str:
    """The usual name of a parameter that has several."""
    return _ALIASES.get(name, name)


def read_terms(game: str, given: dict[str, str], people: int | None = None) -> Terms:
    """The terms that parameters say of a game; what they don't say is as usual.

    `people` is how many are challenged. Where a komi is negotiated in the game, it is unless one is given.
    Raises Misread for what is unknown, impossible or contradicts itself.
    """
    description = catalog.describe(game)
    terms = _sorted_out(description, given)
    options: dict[str, str | int] = {
        option.name: terms[option.name].value for option in description.options if option.name in terms
    }
    players = _players(description, options, people)
    if players is not None:
        options["players"] = players
    swap = "swap" in terms and _flag(terms["swap"])
    usual = bool(description.komi_option) and description.komi_option not in options and not swap
    negotiate = _flag(terms["negotiate"]) if "negotiate" in terms else usual
    leavers = terms["leavers"].value if "leavers" in terms else ""
    try:
        board = catalog.game(game, **options)
        if people is not None and people + 1 != board.players:
            raise Misread(
                lazy_plural(
                    "{title} for {players} needs {count} name beside yours, not {given}",
                    "{title} for {players} needs {count} names beside yours, not {given}",
                    count=board.players - 1,
                    title=description.title,
                    players=board.players,
                    given=people,
                )
            )
        games = _games(description, board.players, terms)
        config = MatchConfig(board, games=games, negotiate=negotiate, swap=swap, leavers=leavers)
        time = _time(terms)
        nag = _number(terms["nagtime"], 1, 365) * DAY if "nagtime" in terms else 0.0
    except Misread:
        raise
    except ValueError as error:
        raise Misread(_in_own_words(reason_of(error), terms)) from None
    is_rated = _rated(terms)
    return Terms(game, dict(board.options), config.games, negotiate, swap, time, is_rated, leavers, nag)


def _in_own_words(reason: str, terms: dict[str, _Said]) -> str:
    """Why an option can't be, with the name that its sender gave it."""
    if isinstance(reason, LazyMessage) and reason.values.get("option") in terms:
        own = {**reason.values, "option": terms[reason.values["option"]].name}
        return LazyMessage(reason.one, reason.many, own)
    return reason


def _sorted_out(description: Description, given: dict[str, str]) -> dict[str, _Said]:
    """What is said of the game and of the match, by the usual names."""
    known = [*(option.name for option in description.options), *MATCH_PARAMETERS]
    terms: dict[str, _Said] = {}
    for name, value in given.items():
        meant = _meant(parameter_meant(name), known)
        if not meant:
            raise Misread(
                lazy_message(
                    "{title} has no parameter {name}: there are {known}",
                    title=description.title,
                    name=truncated_repr(name),
                    known=", ".join(f"-{known}" for known in known),
                )
            )
        if meant in terms:
            raise Misread(
                lazy_message("-{first} and -{second} say the same", first=terms[meant].name, second=name)
            )
        terms[meant] = _Said(name, value)
    return terms


def _meant(name: str, known: list[str]) -> str:
    """A parameter by its name or the beginning that it alone has; "" if there is none."""
    if name in known:
        return name
    found = [other for other in known if other.startswith(name)]
    return found[0] if len(found) == 1 else ""


def _players(description: Description, options: dict[str, str | int], people: int | None) -> int | None:
    """The number of players that follows from the number of people; None where it is said, or is no
    option."""
    is_option = any(option.name == "players" for option in description.options)
    return people + 1 if is_option and people is not None and "players" not in options else None


def _games(description: Description, players: int, terms: dict[str, _Said]) -> int:
    if "games" not in terms:
        return 1
    name, value = terms["games"]
    if value in _YES and value != "1":
        return max(description.match_games, players)
    if not value.isdecimal():
        raise Misread(
            lazy_message("-{name} is a whole number, not {value}", name=name, value=truncated_repr(value))
        )
    return int(_number(terms["games"], 1, MOST_GAMES))


def _rated(terms: dict[str, _Said]) -> bool | None:
    """With a handicap, of pbmserv's, the result doesn't count."""
    if "handicap" in terms and _flag(terms["handicap"]):
        if "rated" in terms and _flag(terms["rated"]):
            raise Misread(lazy_message("a game with a handicap is not rated: leave one of the two out"))
        return False
    if "unrated" in terms:
        return not _flag(terms["unrated"])
    return _flag(terms["rated"]) if "rated" in terms else None


def _flag(said: _Said) -> bool:
    if said.value in _YES or said.value in _NO:
        return said.value in _YES
    raise Misread(
        lazy_message("-{name} is yes or no, not {value}", name=said.name, value=truncated_repr(said.value))
    )


def _time(terms: dict[str, _Said]) -> TimeControl | None:
    """Raises Misread for two clocks, Refused for one that can't be."""
    named = [name for name in _CLOCKS if name in terms]
    if len(named) > 1:
        first, second = (terms[name].name for name in named[:2])
        raise Misread(lazy_message("a game has one clock: -{first} or -{second}", first=first, second=second))
    return _CLOCKS[named[0]](terms[named[0]]) if named else None


def _days(said: _Said) -> TimeControl:
    return TimeControl(_number(said, 1, 30) * DAY, kind="days")


def _total(said: _Said) -> TimeControl:
    return TimeControl(_number(said, 1, 365) * DAY, kind="total")


def _bank(said: _Said) -> TimeControl:
    found = _BANK.fullmatch(said.value)
    if not found:
        raise Misread(
            lazy_message(
                "-{name} is days to begin with, days more for each turn, and the most that are kept, "
                "as in -{name}=10+1/20, not {value}",
                name=said.name,
                value=truncated_repr(said.value),
            )
        )
    initial, increment = _decimal(found[1]), _decimal(found[2] or "0")
    cap = float(found[3]) if found[3] else initial
    return TimeControl(initial * DAY, increment * DAY, kind="bank", cap=cap * DAY)


_CLOCKS: dict[str, Callable[[_Said], TimeControl]] = {"days": _days, "total": _total, "bank": _bank}


def _decimal(value: str) -> float:
    return float(value.replace(",", "."))


def _number(said: _Said, least: int, most: int) -> float:
    value = said.value
    if re.fullmatch(r"\d{1,4}(?:[.,]\d{1,3})?", value, re.ASCII) and least <= _decimal(value) <= most:
        return _decimal(value)
    raise Misread(
        lazy_message(
            "-{name} is a number from {least} to {most}, not {value}",
            name=said.name,
            least=least,
            most=most,
            value=truncated_repr(value),
        )
    )
