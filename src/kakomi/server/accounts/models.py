"""Guests: visitors without an account. A browser's session holds a guest's number."""

import secrets

from django.db import models

NAME_LENGTH = 30


def new_token() -> str:
    """A secret of 128 bits."""
    return secrets.token_urlsafe(16)


class Guest(models.Model):
    """A person as the site knows them, and what they like."""

    token = models.CharField(max_length=32, unique=True, default=new_token)
    """The private link that takes a guest along to another device ends in it."""
    sign_outs = models.PositiveIntegerField(default=0)
    """The number of times that all other browsers were signed out; older sessions no longer count."""
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    confirms_turns = models.BooleanField(default=True)
    """Whether a turn of several actions is sent by a confirmation, or action by action."""
    theme = models.CharField(max_length=5, default="auto")
    """`light`, `dark` or `auto`."""
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name or f"Guest {self.pk}"
