"""Libraries that only the virtual environment of `make test-learn` has."""

import importlib
import os
from typing import Any

import pytest


def needed(name: str) -> Any:
    """The module of that name. Without it what asks is skipped, but under `make test-learn` it fails."""
    if "KAKOMI_LEARN" in os.environ:
        return importlib.import_module(name)
    return pytest.importorskip(name, reason=f"{name} is not installed; make test-learn installs it")
