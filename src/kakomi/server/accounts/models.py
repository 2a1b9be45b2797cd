"""Guests, and users who sign in as one. A browser's session holds a guest's number."""

import secrets

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy

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


class Users(BaseUserManager["User"]):
    """All users."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user of a name, however it is capitalized. Raises User.DoesNotExist."""
        return self.get(username__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who signs in. Seats, games and studies are their guest's, so that none of them ever moves."""

    guest = models.OneToOneField(Guest, models.PROTECT, related_name="user")
    username = models.CharField(max_length=NAME_LENGTH, unique=True, validators=[UnicodeUsernameValidator()])
    """By this they sign in. What others read is the guest's name."""
    email = models.EmailField(blank=True)
    is_staff = models.BooleanField(default=False)
    """Whether the admin is open to them."""
    is_active = models.BooleanField(default=True)
    """Whether they may sign in."""
    date_joined = models.DateTimeField(auto_now_add=True)

    objects = Users()
    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = (
            models.UniqueConstraint(
                Lower("username"),
                name="user_once_a_name",
                violation_error_message=gettext_lazy("Somebody signs in with this name already."),
            ),
        )

    def __str__(self) -> str:
        return self.username
