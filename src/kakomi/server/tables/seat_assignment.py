"""Who is to sit where, as a form says it."""

import secrets
from collections.abc import Mapping

from django.utils.translation import gettext

from kakomi.bots import NUMBERS
from kakomi.core import Game
from kakomi.server.tables.exceptions import InvalidTableRequest

ME, BESIDE, FRIEND = "me", "beside", "friend"
"""Who may sit in a seat, besides bots: the guest, somebody at the same screen, somebody by link."""
LEVELS = tuple(str(level) for level in NUMBERS)
BOT = "bot"
"""As an opponent: a bot of the level in the field `level`."""
BY_LOT = "random"


def seating_of(game: Game, form: Mapping[str, str]) -> tuple[str, ...]:
    """For every player ME, BESIDE, FRIEND or a level. Raises Unclear, by field.

    Fields: for every player `seat-0`, `seat-1`, ... and `shuffle` if lots are to be drawn for them; or,
    without these, `opponent` (BESIDE, FRIEND, a level, or BOT and a `level`) and `side` (a player's number
    or BY_LOT).
    """
    named = [form.get(f"seat-{player}", "") for player in range(game.players)]
    if not any(named):
        return _opposed(game, form)
    wrong = {f"seat-{player}": _nobody(who) for player, who in enumerate(named) if not _can_sit(who)}
    if wrong:
        raise InvalidTableRequest(wrong)
    if ME not in named:
        raise InvalidTableRequest({"seats": gettext("One of the seats should be yours.")})
    if form.get("shuffle"):
        secrets.SystemRandom().shuffle(named)
    return tuple(named)


def _opposed(game: Game, form: Mapping[str, str]) -> tuple[str, ...]:
    opponent, side = form.get("opponent", ""), form.get("side", BY_LOT)
    field = "opponent"
    if opponent == BOT:
        opponent, field = form.get("level", ""), "level"
    errors = {} if _can_sit(opponent) and opponent != ME else {field: _nobody(opponent)}
    if side != BY_LOT and side not in map(str, range(game.players)):
        errors["side"] = gettext("There is no such side: choose one of those offered, or let lots decide.")
    if errors:
        raise InvalidTableRequest(errors)
    own = secrets.randbelow(game.players) if side == BY_LOT else int(side)  # RULES G1
    return tuple(ME if player == own else opponent for player in range(game.players))


def _can_sit(who: str) -> bool:
    return who in (ME, BESIDE, FRIEND, *LEVELS)


def _nobody(who: str) -> str:
    said = gettext(
        "“{who}” can't sit here: choose somebody beside you, a friend, or a bot of level {first} to {last}."
    )
    return said.format(who=who[:20], first=LEVELS[0], last=LEVELS[-1])
