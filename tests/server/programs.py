"""People who play through the JSON API with the session of their browser."""

import json
import random
from collections.abc import Mapping
from typing import Any

from server.visitors import Visitor

PASSWORD = "boards of many stones"


class ProgramUser:
    """Somebody with an account, who plays what is legal by lot."""

    def __init__(self, name: str, port: int, seed: int) -> None:
        self.name, self.port = name, port
        self._visitor, self._chance = Visitor(), random.Random(seed)
        self._sent = 0
        signed = self._visitor.post(
            port, "/account/sign-up", {"username": name, "password1": PASSWORD}, by_htmx=False
        )
        assert signed.status == 302, signed

    def ask(self, path: str, sent: Mapping[str, Any] | None = None) -> Any:
        """What the API answers, which has to be no refusal."""
        answer = self._visitor.ask(self.port, f"/api/v1/{path}", sent)
        assert answer.status in (200, 201), (path, answer)
        return json.loads(answer.text)

    def table(self, code: str) -> Any:
        """A table as this person sees it."""
        return self.ask(f"tables/{code}")

    def act(self, table: Mapping[str, Any], kind: str = "play") -> Any:
        """Play something legal, or do something else that takes no value; the table afterwards."""
        self._sent += 1
        value = self._chance.choice(table["position"]["legal"]) if kind == "play" else None
        return self.ask(
            f"tables/{table['code']}/acts",
            {
                "kind": kind,
                "value": value,
                "base": table["entries"],
                "key": f"{self.name}-{self._sent:08}",
            },
        )
