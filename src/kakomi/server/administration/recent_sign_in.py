"""Whether somebody of staff has shown lately who they are, for the admin and all other pages of staff."""

import time

from django.http import HttpRequest

SIGN_IN_SECONDS = 12 * 3600
"""A browser stays signed in for a year; staff have to show again after these seconds who they are."""


def has_shown_lately(request: HttpRequest) -> bool:
    """Whether it is no longer ago than that."""
    return 0 <= time.time() - _shown_at(request) < SIGN_IN_SECONDS


def _shown_at(request: HttpRequest) -> float:
    """When somebody has shown last who they are, in seconds since the epoch."""
    from allauth.account.authentication import get_authentication_records

    records = get_authentication_records(request, request.user)
    return float(records[-1]["at"]) if records else 0.0
