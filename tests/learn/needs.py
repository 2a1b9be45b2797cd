"""Libraries that are only in the virtual environment of `make test-learn`."""

import importlib
import os
from typing import Any

import pytest


def needed(name: str) -> Any:
    """Import a module. Without it, the tests are skipped, except that `make test-learn` fails."""
    if "KAKOMI_LEARN" in os.environ:
        return importlib.import_module(name)
    return pytest.importorskip(name, reason=f"{name} is not installed; make test-learn installs it")
