"""What another program wrote, made fit for a sentence of ours."""

from kakomi.records import tidy_line

_MOST = 200


def clipped(text: str) -> str:
    """A text in one line of bearable length, without control characters."""
    text = tidy_line(text.strip())
    return text if len(text) <= _MOST else text[: _MOST - 3] + "..."


def last_line(said: bytes) -> str:
    """The last line of what a program said; empty if there is none."""
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].decode(errors="replace").strip() if lines else ""


def quoted(line: bytes) -> str:
    """A line in quotation marks."""
    return repr(clipped(line.decode(errors="replace")))
