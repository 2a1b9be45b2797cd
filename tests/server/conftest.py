"""The tests of the site share its fixtures with those in `tests/processes`, and compile nothing."""

from collections.abc import Iterator
from importlib import import_module

import pytest

from kakomi.kernel import Mode
from server.site_fixtures import (
    _nobody_leaves_a_language,
    _nobody_remembers_another_lobby,
    _nobody_stays_connected,
    _static_files_are_found_once,
    _tables_are_emptied_quickly,
    django_db_modify_db_settings,
    sink,
)

__all__ = [
    "_nobody_leaves_a_language",
    "_nobody_remembers_another_lobby",
    "_nobody_stays_connected",
    "_static_files_are_found_once",
    "_tables_are_emptied_quickly",
    "django_db_modify_db_settings",
    "sink",
]


@pytest.fixture(autouse=True)
def _rules_are_interpreted() -> Iterator[None]:
    """In all threads: `use_mode` would be for this one and those that it asks."""
    with pytest.MonkeyPatch.context() as patch:  # a test may undo its own
        patch.setattr(import_module("kakomi.kernel.driver"), "_default_mode", Mode.INTERPRETED)
        yield
