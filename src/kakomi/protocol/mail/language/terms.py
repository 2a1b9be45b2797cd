"""The parameters of challenges and seeks: `-size=4 -days=3 -rated`."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kakomi import catalog
from kakomi.core import Description
from kakomi.core.i18n import LazyMessage, lazy_error, lazy_message, lazy_plural, truncated_repr
from kakomi.protocol.mail.commands import Terms
from kakomi.protocol.mail.language.arguments import CommandError
from kakomi.records.record import reason_of
from kakomi.session import MatchConfig, TimeControl, usual_terms
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
"""Parameters besides the game's own options."""


def split_parameters(words: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the parameters among words, by their names as written, and the other words.

    Raises CommandError if a parameter occurs twice.
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
            raise CommandError(lazy_message("{name} is given twice", name=name))
        given[name] = (found["value"] or "").lower()
    return given, others


class _Parameter(NamedTuple):
    """One parameter of the match or the game, in the sender's own words."""

    name: str
    value: str


def parameter_meant(name: str) -> str:
    """Return the standard name of a parameter that may have several."""
    return _ALIASES.get(name, name)


def read_terms(game: str, given: dict[str, str], people: int | None = None) -> Terms:
    """Return the terms that parameters describe, with defaults for what they leave out.

    `people` is the number of people challenged. In games with a komi option the komi is negotiated unless one
    is given or there is a swap. Raises CommandError for unknown, impossible or contradictory parameters.
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
    wanted = _flag(terms["negotiate"]) if "negotiate" in terms else None
    leavers = terms["leavers"].value if "leavers" in terms else ""
    try:
        board, negotiate = usual_terms(description, options, negotiate=wanted, is_settled=swap)
        if people is not None and people + 1 != board.players:
            raise CommandError(
                lazy_plural(
                    "{title} for {players} needs {count} name besides yours, not {given}",
                    "{title} for {players} needs {count} names besides yours, not {given}",
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
    except CommandError:
        raise
    except ValueError as error:
        raise CommandError(_in_own_words(reason_of(error), terms)) from None
    is_rated = _rated(terms)
    return Terms(game, dict(board.options), config.games, negotiate, swap, time, is_rated, leavers, nag)


def _in_own_words(reason: str, terms: dict[str, _Parameter]) -> str:
    """Return why an option is impossible, under the name that its sender used."""
    if isinstance(reason, LazyMessage) and reason.values.get("option") in terms:
        own = {**reason.values, "option": terms[reason.values["option"]].name}
        return LazyMessage(reason.one, reason.many, own)
    return reason


def _sorted_out(description: Description, given: dict[str, str]) -> dict[str, _Parameter]:
    """Return the parameters of the game and the match by their standard names."""
    known = [*(option.name for option in description.options), *MATCH_PARAMETERS]
    terms: dict[str, _Parameter] = {}
    for name, value in given.items():
        meant = _meant(parameter_meant(name), known)
        if not meant:
            raise lazy_error(
                CommandError,
                "{title} has no parameter {name}: available are {known}",
                title=description.title,
                name=truncated_repr(name),
                known=", ".join(f"-{known}" for known in known),
            )
        if meant in terms:
            raise lazy_error(
                CommandError, "-{first} and -{second} mean the same", first=terms[meant].name, second=name
            )
        terms[meant] = _Parameter(name, value)
    return terms


def _meant(name: str, known: list[str]) -> str:
    """Return the parameter with this name or this unambiguous beginning; "" if there is none."""
    if name in known:
        return name
    found = [other for other in known if other.startswith(name)]
    return found[0] if len(found) == 1 else ""


def _players(description: Description, options: dict[str, str | int], people: int | None) -> int | None:
    """Return the number of players implied by the number of people challenged; None if it is given or is no
    option."""
    is_option = any(option.name == "players" for option in description.options)
    return people + 1 if is_option and people is not None and "players" not in options else None


def _games(description: Description, players: int, terms: dict[str, _Parameter]) -> int:
    if "games" not in terms:
        return 1
    name, value = terms["games"]
    if value in _YES and value != "1":
        return max(description.match_games, players)
    if not value.isdecimal():
        raise lazy_error(
            CommandError,
            "-{name} must be a whole number, not {value}",
            name=name,
            value=truncated_repr(value),
        )
    return int(_number(terms["games"], 1, MOST_GAMES))


def _rated(terms: dict[str, _Parameter]) -> bool | None:
    """Return whether the game is rated. With pbmserv's `handicap` the result doesn't count."""
    if "handicap" in terms and _flag(terms["handicap"]):
        if "rated" in terms and _flag(terms["rated"]):
            raise CommandError(lazy_message("handicap games can’t be rated: leave out one of the two"))
        return False
    if "unrated" in terms:
        return not _flag(terms["unrated"])
    return _flag(terms["rated"]) if "rated" in terms else None


def _flag(said: _Parameter) -> bool:
    if said.value in _YES or said.value in _NO:
        return said.value in _YES
    raise lazy_error(
        CommandError,
        "-{name} must be yes or no, not {value}",
        name=said.name,
        value=truncated_repr(said.value),
    )


def _time(terms: dict[str, _Parameter]) -> TimeControl | None:
    """Return the time control. Raises CommandError for two clocks, Refused for an invalid one."""
    named = [name for name in _CLOCKS if name in terms]
    if len(named) > 1:
        first, second = (terms[name].name for name in named[:2])
        raise lazy_error(
            CommandError, "choose one time control: -{first} or -{second}", first=first, second=second
        )
    return _CLOCKS[named[0]](terms[named[0]]) if named else None


def _days(said: _Parameter) -> TimeControl:
    return TimeControl(_number(said, 1, 30) * DAY, kind="days")


def _total(said: _Parameter) -> TimeControl:
    return TimeControl(_number(said, 1, 365) * DAY, kind="total")


def _bank(said: _Parameter) -> TimeControl:
    found = _BANK.fullmatch(said.value)
    if not found:
        raise lazy_error(
            CommandError,
            "-{name} takes starting days, days added per turn and the cap, as in "
            "-{name}=10+1/20, not {value}",
            name=said.name,
            value=truncated_repr(said.value),
        )
    initial, increment = _decimal(found[1]), _decimal(found[2] or "0")
    cap = float(found[3]) if found[3] else initial
    return TimeControl(initial * DAY, increment * DAY, kind="bank", cap=cap * DAY)


_CLOCKS: dict[str, Callable[[_Parameter], TimeControl]] = {"days": _days, "total": _total, "bank": _bank}


def _decimal(value: str) -> float:
    return float(value.replace(",", "."))


def _number(said: _Parameter, least: int, most: int) -> float:
    value = said.value
    if re.fullmatch(r"\d{1,4}(?:[.,]\d{1,3})?", value, re.ASCII) and least <= _decimal(value) <= most:
        return _decimal(value)
    raise lazy_error(
        CommandError,
        "-{name} must be a number from {least} to {most}, not {value}",
        name=said.name,
        least=least,
        most=most,
        value=truncated_repr(value),
    )
