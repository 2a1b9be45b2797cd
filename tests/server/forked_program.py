"""The program, in processes that `server.forks` starts: many commands in a row for a single import."""

import os
import sys
import tempfile

from kakomi.cli.main import main


def said(*words: str) -> tuple[int, str]:
    """The exit code of `kakomi` with these words and nothing to read, and what it says on both channels."""
    with tempfile.TemporaryFile("w+") as kept, open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
        for channel in (1, 2):
            os.dup2(kept.fileno(), channel)
        code = _exit_code(list(words))
        sys.stdout.flush()
        sys.stderr.flush()
        kept.seek(0)
        return code, kept.read()


def _exit_code(words: list[str]) -> int:
    try:
        main(words)
    except SystemExit as ended:
        return int(ended.code or 0)
