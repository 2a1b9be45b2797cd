"""Hostile sessions for the soak: more or less malformed engine requests and GTP commands."""

import json
import random
from typing import Any

import kakomi
from kakomi.bots import RandomBot
from kakomi.protocol.engine import Engine, Settings
from kakomi.protocol.gtp import GtpEngine
from kakomi.protocol.gtp import serve as serve_gtp
from kakomi.protocol.messages import COMMANDS
from kakomi.protocol.serving import serve

_ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    1.5,
    10**30,
    "",
    "x" * 3000,
    "\x00\u202e",
    "\ud800",
    [],
    {},
    [[]],
    {"a": 1},
]
GTP_COMMANDS = [
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "komi",
    "boardsize",
    "clear_board",
    "showboard",
    "final_score",
    "time_settings",
    "time_left",
    "known_command",
    "list_commands",
    "loadsgf",
    "fixed_handicap",
    "set_free_handicap",
    "name",
    "fly",
]
_GTP_WORDS = [
    *"bwW",
    "black",
    "pass",
    "0",
    "-1",
    "6.5",
    "1e999",
    "nan",
    "9" * 5000,
    "",
    "#",
    "ß",
    "\u202e",
    "/",
    ".",
]


def converse_with_engine(chance: random.Random) -> None:
    """Check that every request of an engine session gets a result or a one-line error of ours."""
    asks = [_request(number, chance) for number in range(chance.randrange(1, 12))]
    written: list[bytes] = []
    serve(Engine(Settings(bot="random")), [json.dumps(ask).encode() for ask in asks], written.append)
    told = [json.loads(line) for line in written]
    assert len(told) == len(asks)
    for answer in told:
        if "error" in answer:
            assert answer["error"]["code"] != "internal", (answer, asks)
            assert "\n" not in answer["error"]["message"] and len(answer["error"]["message"]) < 600


def converse_in_gtp(chance: random.Random) -> None:
    """Check that every command of a GTP session gets one response, never an internal error."""
    name = chance.choice(["lin", "ren", "rin"])
    lines = [_gtp_line(chance) for _ in range(chance.randrange(1, 30))]
    written: list[bytes] = []
    serve_gtp(
        GtpEngine(name, {}, RandomBot(1)), [line.encode(errors="replace") for line in lines], written.append
    )
    for response in written:
        assert response[:1] in (b"=", b"?") and response.endswith(b"\n\n")
        assert b"internal error" not in response, (response, lines)


def _request(number: int, chance: random.Random) -> dict[str, Any]:
    endless = ("quit", "analyse", "name_komi")
    request = {"id": number, "command": chance.choice([name for name in COMMANDS if name not in endless])}
    if chance.random() < 0.7:
        request |= _place(chance)
    for _ in range(chance.randrange(3)):
        name = chance.choice(
            [
                "game",
                "options",
                "position",
                "actions",
                "record",
                "turn",
                "seed",
                "count",
                "drawing",
                "overlays",
                "komi",
                "bot",
            ]
        )
        request[name] = chance.choice(_ODD)
    return request


def _place(chance: random.Random) -> dict[str, Any]:
    """A position as in requests, now and then slightly damaged."""
    name = chance.choice(kakomi.names())
    game = kakomi.game(name, **kakomi.catalog.describe(name).quick)
    position = game.start()
    for _ in range(chance.randrange(12)):
        if position.is_over:
            break
        position = position.play_action(chance.choice(position.legal_actions()))
    text = str(position)
    if chance.random() < 0.3:
        cut = chance.randrange(len(text))
        text = text[:cut] + chance.choice("bw/ 9=,-x") + text[cut + 1 :]
    actions = chance.choices(game.action_texts, k=chance.randrange(3))
    return {"game": name, "options": dict(game.options), "position": text, "actions": actions}


def _gtp_line(chance: random.Random) -> str:
    vertex = f"{chance.choice('ABCDEFGHIJTZ')}{chance.randrange(22)}"
    if chance.random() < 0.5:
        return f"play {chance.choice('bw')} {vertex}"
    words = chance.choices([*_GTP_WORDS, vertex], k=chance.randrange(4))
    return " ".join([chance.choice(["", "7 "]) + chance.choice(GTP_COMMANDS), *words])
