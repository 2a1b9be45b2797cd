"""Guests, users who sign in as one, and the browsers that did. A browser's session holds a guest's number."""

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
from kakomi.server.prefixes import FoldedField, fold, fold_fields

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
    zone = models.CharField(max_length=60, blank=True, default="")
    """Their time zone, as the IANA names it; empty until it is known."""
    created_at = models.DateTimeField(auto_now_add=True)
    handle = models.CharField(max_length=NAME_LENGTH, blank=True, null=True, unique=True, editable=False)
    """The user's username, None without one. It is the end of the address of the page about them. Kept here
    too, since every name on a page leads there."""
    handle_folded = FoldedField(of="handle")
    """By which people are looked for."""
    is_bot = models.BooleanField(default=False, editable=False)
    """Whether a program plays. Fixed from the beginning, and said wherever the name is."""
    is_erased = models.BooleanField(default=False, editable=False)
    """Whether all that was known of the person has been erased; only their games are left."""

    class Meta:
        indexes = (
            models.Index(
                fields=("handle_folded",), name="guests_by_folded_handle", opclasses=["varchar_pattern_ops"]
            ),
        )

    def __str__(self) -> str:
        return self.called or f"Guest {self.pk}"

    @property
    def called(self) -> str:
        """What others call them; empty for a guest without a name."""
        return gettext("deleted player") if self.is_erased else self.name or self.handle or ""

    @property
    def time_zone(self) -> str:
        """The name of the time zone by which they are told moments, and rest."""
        return self.zone or "UTC"

    @property
    def has_user(self) -> bool:
        """Whether somebody has signed up as this guest."""
        return self.handle is not None


class Block(models.Model):
    """A guest's wish to have nothing to do with another one."""

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
    """All users."""

    def named(self, username: str) -> "models.QuerySet[User]":
        """The user of a name, however it is capitalized; none if nobody has it."""
        return self.filter(username_folded=fold(username))

    def like(self, username: str) -> "models.QuerySet[User]":
        """Users whose names can be confused with one, however either is capitalized."""
        looks = {field: by(username) for field, by in LOOKS.items()}
        return self.filter(models.Q(*looks.items(), _connector=models.Q.OR))

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user of a name, however it is capitalized. Raises User.DoesNotExist."""
        return self.named(username or "").get()


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who signs in. Seats, games and studies are their guest's, so that none of them ever moves."""

    guest = models.OneToOneField(Guest, models.PROTECT, related_name="user")
    username = models.CharField(
        max_length=NAME_LENGTH, unique=True, validators=[UnicodeUsernameValidator(), check_user_name]
    )
    """By this they sign in. What others read is the guest's name."""
    username_folded = FoldedField(of="username")
    """By which names are told apart: nobody else can take one that only its capitals distinguish."""
    username_look = FoldedField(of="username", by=look)
    username_small_look = FoldedField(of="username", by=small_look)
    username_capital_look = FoldedField(of="username", by=capital_look)
    email = models.EmailField(blank=True)
    is_staff = models.BooleanField(default=False)
    """Whether the admin is open to them."""
    is_active = models.BooleanField(default=True)
    """Whether they may sign in."""
    date_joined = models.DateTimeField(auto_now_add=True)
    owner = models.ForeignKey("self", models.PROTECT, null=True, editable=False, related_name="bots")
    """Who answers for a bot, and makes its tokens: it has no password. None for people."""

    _password: str | None
    """A new password that has not been kept yet; Django's."""
    objects = Users()
    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("username_folded",),
                name="user_once_a_name",
                violation_error_message=gettext_lazy("Somebody signs in with this name already."),
            ),
            *(
                models.UniqueConstraint(
                    fields=(field,),
                    name=f"user_once_a_{field.removeprefix('username_')}",
                    violation_error_message=gettext_lazy("Somebody’s name looks like this one."),
                )
                for field in LOOKS
            ),
        )

    def __str__(self) -> str:
        return self.username

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Compare the username with all others, whatever form it comes by. Raises ValidationError."""
        left_out = set(exclude or ())
        if "username" not in left_out:
            fold_fields(self)
            left_out -= {"username_folded", *LOOKS}
        super().validate_constraints(exclude=left_out)

    def save(self, *args: Any, **named: Any) -> None:
        """Keep the user, and their username as the handle of their guest.

        A new password, or being inactive, ends every sign-in.
        """
        ends_sign_ins = self._password is not None or not self.is_active
        super().save(*args, **named)
        if self.guest.handle != self.username:
            self.guest.handle = self.username
            self.guest.save(update_fields=["handle", "handle_folded"])
        if ends_sign_ins:
            self.sign_ins.all().delete()


class SignIn(models.Model):
    """What the site keeps of a browser that has signed in, or is about to.

    Whoever deletes it signs that browser out. The browser's cookie has the key, the database only its digest.
    """

    key_hash = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="sign_ins")
    """None as long as the second step, or anything else, is missing."""
    data = models.TextField()
    """The part of the session that browsers don't get to see, as JSON."""
    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now, db_index=True)
    """When the browser sent a request last, give or take some minutes."""

    class Meta:
        ordering = ("-seen_at",)

    def __str__(self) -> str:
        return f"{self.user or 'nobody yet'}, {self.seen_at:%Y-%m-%d %H:%M}"

    @property
    def user_agent(self) -> str:
        """How the browser called itself."""
        return str(json.loads(self.data).get("user_agent", ""))


class ApiToken(models.Model):
    """By this a program acts for a user. Only its digest is kept: its text is shown once, when it is made."""

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    ending = models.CharField(max_length=4)
    """The last characters of its text, by which its owner tells it from others."""
    scopes: "models.JSONField[list[str], list[str]]" = models.JSONField(default=list)
    """Keys of `scopes.SCOPES`."""
    created_at = models.FloatField()
    """Seconds since the epoch, as the other moments are."""
    expires_at = models.FloatField(null=True)
    used_at = models.FloatField(null=True)
    """When it was used last, give or take some minutes."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "name"), name="token_once_a_name"),)

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"
