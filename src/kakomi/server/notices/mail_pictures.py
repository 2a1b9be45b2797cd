"""Pictures in mails: PNG rendered from SVG in a child process, because mail programs don't show SVG.

The module is also that process's program: SVG on standard input, PNG on standard output.
"""

import subprocess
import sys
from email.mime.image import MIMEImage
from functools import cache

from kakomi.draw.pixels import png
from kakomi.extras import is_installed

SECONDS = 30.0
"""Time limit per picture. Normally one takes a fifth of a second, including the process."""
WIDTH = 960
"""Pixels. Mails show pictures at half this width, so that they are sharp on every screen."""


@cache
def can_draw() -> bool:
    """Whether PNG rendering (the extra `images`) is installed."""
    return is_installed("images")


def attached_picture(cid: str, svg: str) -> MIMEImage | None:
    """A picture for a mail's HTML to refer to by `cid:`; None if rendering fails."""
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
