"""Programs of others, whom people let do what, and the secrets that are exchanged on the way."""

import secrets

from django.db import models

from kakomi.server.accounts.models import User


def new_client_id() -> str:
    """A program's name for the protocol; it is no secret."""
    return secrets.token_hex(12)


class Program(models.Model):
    """A program that asks people to act for them. It has no secret: by PKCE it proves that it asked."""

    client_id = models.CharField(max_length=40, unique=True, default=new_client_id)
    name = models.CharField(max_length=60)
    owner = models.ForeignKey(User, models.CASCADE, related_name="programs")
    redirect_uris: "models.JSONField[list[str], list[str]]" = models.JSONField(default=list)
    """Where browsers are sent back to; none but these."""
    created_at = models.FloatField()
    """Seconds since the epoch, as the other moments are."""

    class Meta:
        constraints = (models.UniqueConstraint(fields=("owner", "name"), name="program_once_a_name"),)

    def __str__(self) -> str:
        return self.name


class Grant(models.Model):
    """A person lets a program do something. Whoever deletes it ends the program's tokens as well."""

    user = models.ForeignKey(User, models.CASCADE, related_name="grants")
    program = models.ForeignKey(Program, models.CASCADE, related_name="grants")
    scopes: "models.JSONField[list[str], list[str]]" = models.JSONField(default=list)
    """What was allowed last."""
    granted_at = models.FloatField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "program"), name="grant_once"),)

    def __str__(self) -> str:
        return f"{self.program} for {self.user}"


class Credential(models.Model):
    """What a program exchanges for a token, once: a code that a browser brought, or a refresh token."""

    class Kind(models.TextChoices):
        """What it is."""

        CODE = "code"
        REFRESH = "refresh"

    kind = models.CharField(max_length=7, choices=Kind)
    digest = models.CharField(max_length=64, unique=True)
    grant = models.ForeignKey(Grant, models.CASCADE, related_name="credentials")
    scopes: "models.JSONField[list[str], list[str]]" = models.JSONField(default=list)
    redirect_uri = models.CharField(max_length=500, blank=True)
    """Of a code: where it was sent."""
    challenge = models.CharField(max_length=128, blank=True)
    """Of a code: the digest of what the program has to show (PKCE, S256)."""
    expires_at = models.FloatField()
    is_used = models.BooleanField(default=False)
    """Whether tokens were given for it. It is kept to be known if it comes again."""

    def __str__(self) -> str:
        return f"{self.kind} of {self.grant}"
