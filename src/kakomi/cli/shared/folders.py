"""Where the program keeps what isn't code: the XDG state folder."""

import os
from pathlib import Path


def state_folder() -> Path:
    """What the program keeps between runs: `kakomi` in the XDG state folder."""
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "kakomi"
