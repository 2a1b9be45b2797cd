"""A little engine for tests, in none of our code: it writes down what it is asked, and does as it is told.

`engine_stub.py LOG` writes the bot of every request into the file LOG, a line each, or else its command
and game. A request whose bot is `gate:FILE` is answered when that file exists, `die` ends the program, and
`refuse` is refused.
"""

import json
import sys
import time
from pathlib import Path


def answer(request: dict, **outcome: object) -> None:
    print(json.dumps({"id": request["id"], **outcome}), flush=True)


def main(log: str) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        bot = request.get("bot") or f"{request['command']} {request['game']}"
        with Path(log).open("a") as file:
            file.write(f"{bot}\n")
        if bot.startswith("gate:"):
            while not Path(bot.removeprefix("gate:")).exists():
                time.sleep(0.01)
        elif bot == "die":
            sys.exit("out of luck")
        elif bot == "refuse":
            answer(request, error={"code": "no", "message": "not today"})
            continue
        answer(request, result={"action": "0,0"})


main(sys.argv[1])
