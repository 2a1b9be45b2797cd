"""Pictures in mails: SVG, made into PNG by a child process, as mail programs show nothing else.

Run as a program it does that: SVG on standard input, PNG on standard output.
"""

import subprocess
import sys
from email.mime.image import MIMEImage
from functools import cache

from kakomi.draw.pixels import png
from kakomi.extras import is_installed

SECONDS = 30.0
"""For a picture, which takes a fifth of a second with its process."""
WIDTH = 960
"""Pixels; mails show it half as wide, so that it is sharp everywhere."""


@cache
def can_draw() -> bool:
    """Whether what makes PNG is installed."""
    return is_installed("images")


def attached_picture(cid: str, svg: str) -> MIMEImage | None:
    """A picture that a mail's HTML shows by `cid:`; None if it can't be made."""
    command = [sys.executable, "-m", __name__]
    try:
        made = subprocess.run(command, input=svg.encode(), capture_output=True, timeout=SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    picture = MIMEImage(made.stdout, "png")
    picture.add_header("Content-ID", f"<{cid}>")
    picture.add_header("Content-Disposition", "inline", filename="board.png")
    return picture


if __name__ == "__main__":
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode(), width=WIDTH))
