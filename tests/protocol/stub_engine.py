"""A small independent engine for tests, which fails in the way that its first argument names.

`stub_engine.py WAY [ACTION ...]` plays the actions one after another, then starts again.
"""

import json
import os
import signal
import subprocess
import sys
import time


def answer(request: dict, **outcome: object) -> None:
    print(json.dumps({"id": request["id"], **outcome}), flush=True)


def go_wrong(way: str, request: dict) -> None:
    """Misbehave instead of answering genmove."""
    match way:
        case "exits":
            print("first complaint\nout of luck \x1b[31m", file=sys.stderr)
            sys.exit(3)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "hangs":
            time.sleep(600)
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        case "closes":
            os.close(1)
            time.sleep(600)
        case "garbage":
            print("I think \x07 d4 is nice", flush=True)
        case "binary":
            os.write(1, b"\xff\x00\xfe\n")
        case "nested":
            print("[" * 100_000, flush=True)
        case "endless":
            while True:
                os.write(1, b"x" * 65536)
        case "chatty":
            while True:
                answer(request, report={})
        case "other":
            print(json.dumps({"id": "who?", "result": {"action": "a1"}}), flush=True)
        case "refuses":
            answer(request, error={"code": "no", "message": "not today"})
        case "null":
            answer(request, result=None)
        case "empty":
            answer(request)
        case "untyped":
            answer(request, result={"action": 7})
        case "lacking":
            answer(request, error={"code": "unknown-command", "message": "no genmove"})
        case "wrapped":
            subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"])


def main(way: str, actions: list[str]) -> None:
    asked = 0
    for line in sys.stdin:
        request = json.loads(line)
        print(line.strip(), file=sys.stderr, flush=True)
        match request["command"]:
            case "hello":
                answer(request, result={"protocol": 2 if way == "newer" else 1})
            case "setup":
                answer(request, result={})
            case "genmove" if way == "until stopped":
                stop = json.loads(sys.stdin.readline())
                assert stop["command"] == "stop" and stop["target"] == request["id"]
                answer(request, result={"action": actions[0]})
                answer(stop, result={"stopped": [request["id"]]})
            case "genmove" if way == "plays":
                answer(request, report={"about": "nothing"})
                answer(request, result={"action": actions[asked % len(actions)], "more": 1}, report={})
                asked += 1
            case "genmove":
                go_wrong(way, request)
            case "name_komi" if way == "negotiates":
                answer(request, result={"komi": int(actions[0])})
            case "choose_player" if way == "negotiates":
                answer(request, result={"player": int(actions[1])})
            case "wants_swap" if way == "negotiates":
                answer(request, result={"swap": True})
            case _:
                answer(request, error={"code": "unknown-command", "message": "what?"})


main(sys.argv[1], sys.argv[2:])
