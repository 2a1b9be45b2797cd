"""A bot's decision in a match: the request to an engine, and the answer as an event."""

import hashlib
from typing import Any

from kakomi.server.engines.fair_queue import Payload
from kakomi.session import Event, Match, MatchGame, Refused

REPORT_MS = 200
"""The interval between reports on a bot's progress, in milliseconds."""
DRAW_SIMULATIONS = 1_000
"""Simulations that judge an offer of a draw, for all bots."""
DRAW_MARGIN = 0.02
"""By how much one's share of the win may be better than even, and a draw is still accepted."""


def seed_of_decision(match: Match, seed: int) -> int:
    """The seed for what a bot does next: of the bot's own seed and of how much has happened.

    So a decision doesn't depend on those before it, and asking again after a restart gives the same.
    """
    number = len(match.events)
    return int.from_bytes(hashlib.sha256(f"{seed} {number}".encode()).digest()[:6])


def decision_request(match: Match, seat: int, bot: str, seed: int) -> dict[str, Any]:
    """The request for a seat's decision. Raises Refused if the seat isn't to act."""
    if match.to_act is None:
        raise Refused("the match is over")
    if match.to_act != seat:
        raise Refused(f"it isn't seat {seat}'s turn but seat {match.to_act}'s")
    leg = match.current_game
    request = {**_position(leg), "bot": bot, "seed": seed_of_decision(match, seed)}
    match match.phase:
        case "komi":
            return {"command": "name_komi", **request}
        case "colour":
            return {"command": "choose_player", "komi": leg.komi or 0, **request}
    return {"command": "genmove", "may_swap": leg.may_swap, "every_ms": REPORT_MS, **request}


def decided(seat: int, found: Payload) -> Event:
    """An engine's answer to such a request as what the seat does."""
    if "komi" in found:
        return Event(seat, "komi", found["komi"])
    if "player" in found:
        return Event(seat, "colour", found["player"])
    return Event(seat, "swap") if found.get("swap") else Event(seat, "play", found["action"])


def draw_request(match: Match, seed: int) -> dict[str, Any]:
    """The request by which an offer of a draw is judged."""
    limits = {"simulations": DRAW_SIMULATIONS, "lines": 1, "seed": seed_of_decision(match, seed)}
    return {"command": "analyse", **_position(match.current_game), **limits}


def accepts_draw(match: Match, seat: int, found: Payload) -> bool:
    """Whether a seat is content with a draw: it sees no more than an even share of the win for itself."""
    assert match.current_game.players is not None
    chances = found["chances"]
    return bool(chances[match.current_game.players[seat]] <= 1 / len(chances) + DRAW_MARGIN)


def _position(leg: MatchGame) -> dict[str, Any]:
    texts = leg.game.action_texts
    return {
        "game": leg.game.name,
        "options": dict(leg.game.options),
        "actions": [texts[action] for action in leg.actions()],
    }
