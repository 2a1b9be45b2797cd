"""Send lines to an engine in this process."""

import json
from typing import Any

from kakomi.protocol.engine import Engine, Settings
from kakomi.protocol.serving import serve

RANDOM = Settings(bot="random")


def answers(*lines: bytes | dict[str, Any], settings: Settings = RANDOM) -> list[dict[str, Any]]:
    """An engine's answers to lines that are all available from the start."""
    written: list[bytes] = []
    read = [json.dumps(line).encode() if isinstance(line, dict) else line for line in lines]
    serve(Engine(settings), read, written.append)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in written)
    return [json.loads(line) for line in written]


def asked(command: str, **fields: Any) -> dict[str, Any]:
    """The answer to a single request: its result, or its error."""
    (answer,) = answers({"id": 1, "command": command, **fields})
    assert answer.keys() in ({"id", "result"}, {"id", "error"}) and answer["id"] == 1
    outcome: dict[str, Any] = answer.get("result", answer.get("error"))
    return outcome
