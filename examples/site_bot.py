"""A bot that plays random actions at one table of a site through its API, using only the standard library.

    KAKOMI_TOKEN=kakomi_... python examples/site_bot.py http://localhost:8364  # against a bot of level 1
    KAKOMI_TOKEN=kakomi_... python examples/site_bot.py http://localhost:8364 INVITATION # takes a seat

The token must belong to a bot account and have the scopes `read` and `play` (docs/api.md).
"""

import json
import os
import random
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

SITE, TOKEN = sys.argv[1].rstrip("/"), os.environ["KAKOMI_TOKEN"]


def send(path: str, body: dict[str, Any] | None = None) -> Any:
    """Send a request to the API, a POST if there is a body, and return the decoded response."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{SITE}/api/v1{path}", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def news(code: str) -> Iterator[None]:
    """Yield once at the start and once for each change at the table."""
    request = urllib.request.Request(
        f"{SITE}/api/v1/tables/{code}/events", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    with urllib.request.urlopen(request, timeout=60) as stream:
        for line in stream:
            if line.strip() == b"event: table":
                yield


def play(code: str) -> None:
    """Play until the match is over."""
    for _ in news(code):
        table = send(f"/tables/{code}")
        own = {seat["number"] for seat in table["seats"] if seat["is_yours"]}
        while table["to_act"] in own and "play" in table["may"]:
            act = {"kind": "play", "value": random.choice(table["position"]["legal"])}
            table = send(f"/tables/{code}/acts", {**act, "base": table["entries"], "key": uuid4().hex})
        if table["ending"]:
            print("won" if own & set(table["ending"]["winners"]) else "lost")
            return


def main() -> None:
    """Take a seat and play."""
    me = send("/me")
    if not me["is_bot"]:
        sys.exit("use the token of a bot account: this one is a person's")
    running = send("/me/tables")["tables"]
    if running:  # the bot was stopped in the middle of a game
        table = running[0]
    elif len(sys.argv) > 2:
        table = send(f"/invitations/{sys.argv[2]}", {})
    else:
        table = send("/tables", {"game": "rin", "options": {"size": 6}, "seats": ["me", "1"]})
    print(f"{me['name']} plays at {SITE}/table/{table['code']}", flush=True)
    play(table["code"])


if __name__ == "__main__":
    main()
