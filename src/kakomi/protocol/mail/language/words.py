"""The words of the command language, in English and German: the names of commands, and the words for colours,
offers, boards and topics.
"""

from difflib import get_close_matches
from functools import cache

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.protocol.mail.commands import BoardFilter
from kakomi.session.events import OfferKind

COMMANDS: dict[str, tuple[str, ...]] = {
    "help": ("hilfe", "commands", "befehle", "rules", "regeln"),
    "signup": ("register", "anmelden", "registrieren"),
    "challenge": ("chall", "herausfordern", "herausforderung"),
    "move": ("board", "zug", "play", "ziehe", "m"),
    "pass": ("passe", "passen"),
    "komi": (),
    "colour": ("color", "farbe"),
    "swap": ("tausche", "tauschen"),
    "resign": ("aufgeben",),
    "propose": ("offer", "draw", "remis", "biete"),
    "undo": ("takeback", "rücknahme", "zurücknehmen"),
    "withdraw": ("cancel", "zurückziehen"),
    "accept": ("annehmen", "akzeptieren", "yes", "ja"),
    "reject": ("ablehnen", "decline", "refuse", "no", "nein"),
    "queue": ("premove", "vormerken"),
    "unqueue": ("streichen",),
    "preview": ("vorschau", "try"),
    "submit": ("einreichen",),
    "confirm": ("bestätigen",),
    "show": ("zeige", "zeigen"),
    "games": ("partien", "boards"),
    "list": ("liste", "who"),
    "types": ("spiele",),
    "standings": ("ratings", "wertungen", "rangliste"),
    "history": ("verlauf",),
    "chat": ("say", "sage"),
    "message": ("nachricht", "mail", "msg"),
    "subscribe": ("watch", "abonnieren"),
    "unsubscribe": ("unwatch", "abbestellen"),
    "notify": ("benachrichtigen",),
    "limit": ("grenze",),
    "seek": ("suche", "suchen"),
}
"""Each command and its other names."""

PBMSERV_COMMANDS: dict[str, LazyMessage] = {
    "add": lazy_message("add more addresses on the website, on your account page"),
    "change": lazy_message("change your password and address on the website, on your account page"),
    "signoff": lazy_message("unsubscribe stops these emails; delete your account on the website"),
    "delete": lazy_message("delete your account on the website, where you can download your data first"),
    "broadcast": lazy_message("you can’t message everyone: chat reaches the players at a board"),
    "multiple": lazy_message("this isn’t needed: an email can have several commands, one per line"),
    "showas": lazy_message("boards come as text and as an image: use show"),
}
"""Commands of pbmserv that don't exist here, and what to do instead."""

SHORTEST = 2
"""The fewest characters of an abbreviation."""
_NOT_SHORT = ("au", "auf", "game", "hi", "his", "not", "see", "ty", "with")
"""Words that begin sentences, and so aren't taken as abbreviations."""


@cache
def _names() -> dict[str, str]:
    names = {other: command for command, others in COMMANDS.items() for other in others}
    return names | {command: command for command in COMMANDS}


def full_names() -> tuple[str, ...]:
    """Return all names of commands in full."""
    return tuple(_names())


def commands_meant(word: str) -> tuple[str, ...]:
    """Return the commands that a word may mean: one for a name or an unambiguous abbreviation, several for an
    ambiguous one, none for any other word."""
    word = word.lower()
    if word in _names():
        return (_names()[word],)
    if len(word) < SHORTEST or word in _NOT_SHORT:
        return ()
    own = tuple(command for command in COMMANDS if command.startswith(word))
    return own or tuple(dict.fromkeys(command for name, command in _names().items() if name.startswith(word)))


def command_named(word: str) -> str:
    """Return the command with this full name; "" if there is none."""
    return _names().get(word.lower(), "")


def close_name(word: str, known: tuple[str, ...] | None = None) -> str:
    """Return the name that a misspelt word may stand for; "" if none is similar."""
    found = get_close_matches(word.lower()[:30], known or full_names(), n=1, cutoff=0.7)
    return found[0] if found else ""


COLOURS = {
    "black": 0, "schwarz": 0, "b": 0, "first": 0, "1": 0, "white": 1, "weiß": 1, "weiss": 1, "w": 1,
    "second": 1, "2": 1,
}  # fmt: skip
OFFERS: dict[str, OfferKind] = {
    "draw": "draw", "remis": "draw", "takeback": "takeback", "undo": "takeback", "rücknahme": "takeback",
    "pause": "pause", "resume": "resume", "weiter": "resume",
}  # fmt: skip
WHICH: dict[str, BoardFilter] = {
    "all": "all", "alle": "all", "active": "active", "aktiv": "active", "laufend": "active",
    "finished": "finished",
    "inactive": "finished", "over": "finished", "beendet": "finished", "next": "next", "dran": "next",
}  # fmt: skip
ON = ("on", "yes", "an", "ja", "accept")
OFF = ("off", "no", "aus", "nein", "none", "reject")
NO_LIMIT = ("accept", "none", "off", "all", "aus", "kein")
NO_GAMES = ("reject", "never", "ablehnen")
TOPICS = {
    "züge": "turns", "zug": "turns", "turn": "turns", "moves": "turns", "move": "turns",
    "reminder": "reminders",
    "erinnerungen": "reminders", "result": "results", "ergebnisse": "results", "challenge": "challenges",
    "herausforderungen": "challenges", "seek": "seeks", "suchen": "seeks", "remarks": "chat",
    "übersicht": "digest",
    "daily": "digest",
}  # fmt: skip
