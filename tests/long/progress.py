"""The progress of the long tests at this commit."""

import subprocess
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent


@cache
def folder() -> Path:
    """The folder for this commit's progress, which ignores uncommitted changes."""
    shown = subprocess.run(["git", "rev-parse", "HEAD"], cwd=PROJECT, capture_output=True, text=True)
    kept = PROJECT / ".cache" / "long" / (shown.stdout.strip() or "unversioned")
    kept.mkdir(parents=True, exist_ok=True)
    return kept
