"""Exhaustive forms of sampled tests in `tests/server`, with its fixtures."""

from server.site_fixtures import (
    _nobody_leaves_a_language,
    _nobody_remembers_another_lobby,
    _nobody_stays_connected,
    _static_files_are_found_once,
    _tables_are_emptied_quickly,
    django_db_modify_db_settings,
)

__all__ = [
    "_nobody_leaves_a_language",
    "_nobody_remembers_another_lobby",
    "_nobody_stays_connected",
    "_static_files_are_found_once",
    "_tables_are_emptied_quickly",
    "django_db_modify_db_settings",
]
