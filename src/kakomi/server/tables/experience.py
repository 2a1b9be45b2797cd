"""How much of a game somebody has played, and what the site makes of it."""

from collections.abc import Mapping
from typing import Any

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.tables import selectors

NEWCOMER_GAMES = 3
"""So many finished games of a game, and somebody is no newcomer to it any more."""


def is_newcomer(guest: Guest | None, game: str) -> bool:
    """Whether somebody is new to a game; who has no seat anywhere is."""
    return guest is None or selectors.finished_games(guest, game) < NEWCOMER_GAMES


def preferences_of(session: Mapping[str, Any], guest: Guest | None, game: str) -> ViewPreferences:
    """How somebody sees a game's boards: as they have put it, else as it is best for who is new."""
    kept = ViewPreferences.kept(session, game)
    if kept is not None:
        return kept
    if is_newcomer(guest, game):
        return ViewPreferences.for_newcomers(catalog.describe(game))
    return ViewPreferences()
