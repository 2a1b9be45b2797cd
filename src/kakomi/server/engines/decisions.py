"""A bot's decisions in a match: requests to an engine, and its results as events."""

import hashlib
from base64 import b64encode
from typing import Any

from kakomi.bots.spec import PATTERNS, strongest_spec
from kakomi.core import Position
from kakomi.core.level_config import Adviser
from kakomi.server.engines.fair_queue import Payload
from kakomi.session import Event, Match, MatchGame, Refused

REPORT_MS = 200
"""The interval between reports on a bot's progress, in milliseconds."""
DRAW_SIMULATIONS = 1_000
"""The number of simulations that judge an offer of a draw, for all bots."""
DRAW_MARGIN = 0.02
"""How much more than an even share of the win a bot may expect and still accept a draw."""


def seed_of_decision(match: Match, seed: int) -> int:
    """The seed for a bot's next decision, derived from the bot's own seed and the number of events.

    So decisions don't depend on earlier ones, and a repeated request after a restart has the same result.
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


def device_question(position: Position, seed: int = 0, **others: object) -> dict[str, Any]:
    """What the engine in a visitor's browser is asked (static/engine/worker.js), by default to search as the
    analysis board does."""
    state = b64encode(position.states().tobytes().rstrip(b"\0")).decode()
    place = {"options": dict(position.game.options), "state": state, "to_move": position.to_move}
    return {**place, "seed": seed, **others}


def device_decision(match: Match, level: int, seed: int) -> dict[str, Any]:
    """A level's decision as a question for a browser, which then plays as an engine here would."""
    leg = match.current_game
    config = leg.game.description.levels[level - 1]
    limits = {"simulations": config.simulations, "temperature": config.temperature}
    others = {"search": config.adviser or "nobody", "level": level, "may_swap": leg.may_swap}
    return device_question(leg.position, seed_of_decision(match, seed), **limits, **others)


def device_analysis(position: Position, seed: int, simulations: int) -> dict[str, Any]:
    """A limited analysis as a question for a browser, with the search that an engine here would use."""
    has_patterns = strongest_spec(position.game).kind == PATTERNS
    search = Adviser.PATTERNS if has_patterns else Adviser.PRIOR
    return device_question(position, seed, search=search, simulations=simulations)


def decided(seat: int, found: Payload) -> Event:
    """Convert an engine's result for a decision request to the seat's event."""
    if "komi" in found:
        return Event(seat, "komi", found["komi"])
    if "player" in found:
        return Event(seat, "colour", found["player"])
    return Event(seat, "swap") if found.get("swap") else Event(seat, "play", found["action"])


def draw_request(match: Match, seed: int) -> dict[str, Any]:
    """The request that judges an offer of a draw."""
    limits = {"simulations": DRAW_SIMULATIONS, "lines": 1, "seed": seed_of_decision(match, seed)}
    return {"command": "analyse", **_position(match.current_game), **limits}


def accepts_draw(match: Match, seat: int, found: Payload) -> bool:
    """Whether a seat accepts a draw: if it expects at most an even share of the win, plus `DRAW_MARGIN`."""
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
