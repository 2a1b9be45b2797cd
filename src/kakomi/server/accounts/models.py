"""Guests, users who sign in as a guest, and their browsers. A browser's session holds a guest's key."""

import json
import secrets
from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from kakomi.server.accounts.name_rules import LOOKS, capital_look, check_user_name, look, small_look
from kakomi.server.site.database import FoldedField, fold, fold_fields

NAME_LENGTH = 30


def new_token() -> str:
    """A secret of 128 bits."""
    return secrets.token_urlsafe(16)


class Guest(models.Model):
    """A person with or without an account, and their preferences."""

    token = models.CharField(max_length=32, unique=True, default=new_token)
    """The end of the private link with which a guest moves to another device."""
    sign_outs = models.PositiveIntegerField(default=0)
    """How often all other browsers were signed out; sessions with a lower number are invalid."""
    name = models.CharField(max_length=NAME_LENGTH, blank=True)
    confirms_turns = models.BooleanField(default=True)
    """Whether a turn of several actions is sent when it is confirmed, rather than action by action."""
    shows_games = models.BooleanField(default=True)
    """Whether casual games against account holders are public, unless a player opts out at the table."""
    theme = models.CharField(max_length=5, default="auto")
    """`light`, `dark` or `auto`."""
    zone = models.CharField(max_length=60, blank=True, default="")
    """Their IANA time zone; empty until it is known."""
    created_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True, db_index=True, editable=False)
    """When a page of theirs was last seen open, to within a minute."""
    handle = models.CharField(max_length=NAME_LENGTH, blank=True, null=True, unique=True, editable=False)
    """The user's username; None without a user. It is part of the URL of their public page, and is
    denormalized here since every name on a page links there."""
    handle_folded = FoldedField(of="handle")
    """For searching people."""
    is_bot = models.BooleanField(default=False, editable=False)
    """Whether a program plays. This never changes, and is shown with the name everywhere."""
    is_erased = models.BooleanField(default=False, editable=False)
    """Whether the person's data has been erased; only their games are left."""

    class Meta:
        indexes = (
            models.Index(
                fields=("handle_folded",), name="guests_by_folded_handle", opclasses=["varchar_pattern_ops"]
            ),
        )

    def __str__(self) -> str:
        return self.display_name or f"Guest {self.pk}"

    @property
    def display_name(self) -> str:
        """The name shown to others; empty for a guest without one."""
        return gettext("deleted player") if self.is_erased else self.name or self.handle or ""

    @property
    def time_zone(self) -> str:
        """The time zone in which times are shown to them, and in which they rest."""
        return self.zone or "UTC"

    @property
    def has_user(self) -> bool:
        """Whether somebody has signed up as this guest."""
        return self.handle is not None


class Block(models.Model):
    """A guest's block of another one."""

    blocker = models.ForeignKey(Guest, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(Guest, models.CASCADE, related_name="blocks_against")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("blocker", "blocked"), name="block_once"),
            models.CheckConstraint(
                condition=~models.Q(blocker=models.F("blocked")), name="block_of_somebody_else"
            ),
        )

    def __str__(self) -> str:
        return f"{self.blocker} blocks {self.blocked}"


class Users(BaseUserManager["User"]):
    """The manager of users."""

    def named(self, username: str) -> "models.QuerySet[User]":
        """The user with a name in any capitalization; empty if there is none."""
        return self.filter(username_folded=fold(username))

    def like(self, username: str) -> "models.QuerySet[User]":
        """Users whose names could be confused with this one in any capitalization."""
        looks = {field: by(username) for field, by in LOOKS.items()}
        return self.filter(models.Q(*looks.items(), _connector=models.Q.OR))

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user with a name in any capitalization. Raises User.DoesNotExist."""
        return self.named(username or "").get()


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who signs in. Seats, games and studies belong to their guest, so signing up moves nothing."""

    guest = models.OneToOneField(Guest, models.PROTECT, related_name="user")
    username = models.CharField(
        max_length=NAME_LENGTH, unique=True, validators=[UnicodeUsernameValidator(), check_user_name]
    )
    """The name for signing in. Others see the guest's name."""
    username_folded = FoldedField(of="username")
    """The username for comparisons: no two may differ only in capitalization."""
    username_look = FoldedField(of="username", by=look)
    username_small_look = FoldedField(of="username", by=small_look)
    username_capital_look = FoldedField(of="username", by=capital_look)
    email = models.EmailField(blank=True)
    is_staff = models.BooleanField(default=False)
    """Whether they can use the admin."""
    is_active = models.BooleanField(default=True)
    """Whether they may sign in."""
    date_joined = models.DateTimeField(auto_now_add=True)
    owner = models.ForeignKey("self", models.PROTECT, null=True, editable=False, related_name="bots")
    """The user who is responsible for a bot and makes its tokens, as it has no password. None for people."""

    _password: str | None
    """A new password that hasn't been saved yet; set by Django."""
    objects = Users()
    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("username_folded",),
                name="user_once_a_name",
                violation_error_message=gettext_lazy("This name is taken."),
            ),
            *(
                models.UniqueConstraint(
                    fields=(field,),
                    name=f"user_once_a_{field.removeprefix('username_')}",
                    violation_error_message=gettext_lazy("This name is too similar to an existing one."),
                )
                for field in LOOKS
            ),
        )

    def __str__(self) -> str:
        return self.username

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Check the username even in forms that exclude the derived fields. Raises ValidationError."""
        left_out = set(exclude or ())
        if "username" not in left_out:
            fold_fields(self)
            left_out -= {"username_folded", *LOOKS}
        super().validate_constraints(exclude=left_out)

    def save(self, *args: Any, **named: Any) -> None:
        """Save the user, and their username as the handle of their guest.

        A new password or deactivation ends all sign-ins.
        """
        ends_sign_ins = self._password is not None or not self.is_active
        super().save(*args, **named)
        if self.guest.handle != self.username:
            self.guest.handle = self.username
            self.guest.save(update_fields=["handle", "handle_folded"])
        if ends_sign_ins:
            self.sign_ins.all().delete()


class SignIn(models.Model):
    """The server-side part of the session of a browser that has signed in, or is about to.

    Deleting it signs the browser out. The browser's cookie has the key, the database only its digest.
    """

    key_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="sign_ins")
    """None until signing in is complete, including a second step."""
    data = models.TextField()
    """The part of the session that browsers can't read, as JSON."""
    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now, db_index=True)
    """When the browser last sent a request, to within a few minutes."""

    class Meta:
        ordering = ("-seen_at",)

    def __str__(self) -> str:
        return f"{self.user or 'nobody yet'}, {self.seen_at:%Y-%m-%d %H:%M}"

    @property
    def user_agent(self) -> str:
        """The browser's `User-Agent` header."""
        return str(json.loads(self.data).get("user_agent", ""))


class ApiToken(models.Model):
    """A token with which a program acts for a user. Only a digest is stored; the text is shown only once."""

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    ending = models.CharField(max_length=4)
    """The last characters of its text, by which its owner recognizes it."""
    scopes: "models.JSONField[list[str], list[str]]" = models.JSONField(default=list)
    """Keys of `tokens.SCOPES`."""
    created_at = models.FloatField()
    """Seconds since the epoch, like the other times."""
    expires_at = models.FloatField(null=True)
    used_at = models.FloatField(null=True)
    """When it was last used, to within a few minutes."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "name"), name="token_once_a_name"),)

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"
