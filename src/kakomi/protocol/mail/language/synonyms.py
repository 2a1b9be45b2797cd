"""What people call colours, offers, games and topics, in both languages."""

from kakomi.protocol.mail.commands import Which
from kakomi.session.events import OfferKind

COLOURS = {
    "black": 0, "schwarz": 0, "b": 0, "first": 0, "1": 0, "white": 1, "weiß": 1, "weiss": 1, "w": 1,
    "second": 1, "2": 1,
}  # fmt: skip
OFFERS: dict[str, OfferKind] = {
    "draw": "draw", "remis": "draw", "takeback": "takeback", "undo": "takeback", "rücknahme": "takeback",
    "pause": "pause", "resume": "resume", "weiter": "resume",
}  # fmt: skip
WHICH: dict[str, Which] = {
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
