"""What of the long tests has passed at this commit."""

import subprocess
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent


@cache
def folder() -> Path:
    """Where this commit's progress is kept; uncommitted changes count for the commit that they change."""
    shown = subprocess.run(["git", "rev-parse", "HEAD"], cwd=PROJECT, capture_output=True, text=True)
    kept = PROJECT / ".cache" / "long" / (shown.stdout.strip() or "unversioned")
    kept.mkdir(parents=True, exist_ok=True)
    return kept
