"""What changes programs and grants."""

import logging
import re
import secrets
from collections.abc import Sequence
from urllib.parse import urlsplit

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import ApiToken, User
from kakomi.server.accounts.tokens import PREFIX, digest_of
from kakomi.server.database import outside_requests, writing
from kakomi.server.oauth.models import Credential, Grant, Program
from kakomi.session import Refused

_LOG = logging.getLogger(__name__)
MOST_PROGRAMS = 10
"""Of one user."""
MOST_ADDRESSES = 5
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""The person's own machine."""
ACCESS_SECONDS = 3_600.0
CODE_SECONDS = 60.0
"""Within which a code is exchanged. Afterwards it is known for as long as the first token that it gave."""
REFRESH_SECONDS = 180 * 86_400.0
"""Since it was used last."""


def add_program(owner: User, name: str, addresses: Sequence[str]) -> Program:
    """Register a program. Raises Refused for a name that is taken and for addresses that won't do."""
    name, addresses = name.strip(), list(dict.fromkeys(addresses))
    if not name or len(name) > 60:
        raise Refused(lazy_message("a program needs a name, of at most 60 characters"))
    if not 1 <= len(addresses) <= MOST_ADDRESSES:
        raise Refused(lazy_message("write down 1 to {most} addresses, one a line", most=MOST_ADDRESSES))
    for address in addresses:
        if not _is_fit(address):
            raise Refused(
                lazy_message(
                    "{address} won’t do: write https://…, http://127.0.0.1/… or org.example.app:/…",
                    address=address[:60],
                )
            )
    with writing():
        User.objects.select_for_update().get(pk=owner.pk)  # one after the other
        if owner.programs.filter(name=name).exists():
            raise Refused(lazy_message("you have a program of this name already: choose another name"))
        if owner.programs.count() >= MOST_PROGRAMS:
            raise Refused(lazy_message("you have {most} programs: delete one first", most=MOST_PROGRAMS))
        return owner.programs.create(name=name, redirect_uris=addresses, created_at=clock.now())


def _is_fit(address: str) -> bool:
    """Whether browsers may be sent to an address: nothing that others could listen to, and no script."""
    if len(address) > 500 or "#" in address or not re.fullmatch(r"[!-~]+", address):
        return False
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    if parts.scheme == "https":
        return bool(parts.hostname) and "@" not in parts.netloc
    if parts.scheme == "http":
        return parts.hostname in _LOOPBACK and "@" not in parts.netloc
    return "." in parts.scheme and not parts.netloc


def is_registered(program: Program, address: str) -> bool:
    """Whether a browser may be sent there. On the person's own machine any port will do (RFC 8252)."""
    return address in program.redirect_uris or any(
        _without_port(address) == _without_port(known)
        for known in program.redirect_uris
        if known.startswith("http://") and address.startswith("http://") and _is_fit(address)
    )


def _without_port(address: str) -> tuple[str, str, str]:
    parts = urlsplit(address)
    return parts.hostname or "", parts.path, parts.query


def allow(user: User, program: Program, scopes: list[str]) -> Grant:
    """Note that a person lets a program do something."""
    told = {"scopes": scopes, "granted_at": clock.now()}
    return Grant.objects.update_or_create(user=user, program=program, defaults=told)[0]


def keep_code(grant: Grant, text: str, scopes: list[str], redirect_uri: str, challenge: str) -> None:
    """Keep a code that a browser takes to a program."""
    grant.credentials.create(
        kind=Credential.Kind.CODE,
        digest=digest_of(text),
        scopes=scopes,
        redirect_uri=redirect_uri,
        challenge=challenge,
        expires_at=clock.now() + CODE_SECONDS,
    )


def credential_of(kind: str, text: str, client_id: str) -> Credential | None:
    """A code or a refresh token that is still good, locked: who comes second finds it used.

    One that comes again was stolen, or what was given for it: nobody can tell by whom, so the grant ends,
    with all its tokens (RFC 6749, 4.1.2, for codes; RFC 9700, 4.14.2, for refresh tokens).
    """
    found = Credential.objects.select_for_update(of=("self",)).select_related("grant__user", "grant__program")
    credential = found.filter(kind=kind, digest=digest_of(text), grant__program__client_id=client_id).first()
    if credential is None or credential.expires_at <= clock.now() or not credential.grant.user.is_active:
        return None
    if credential.is_used:
        _LOG.warning("a %s came twice: %s has ended", credential.get_kind_display(), credential.grant)
        credential.grant.delete()
        return None
    return credential


def give_tokens(credential: Credential, access: str, refresh: str, scopes: list[str]) -> None:
    """Give a program what it gets for a credential, which is good no more."""
    grant, now = credential.grant, clock.now()
    grant.user.tokens.create(
        name=grant.program.name,
        digest=digest_of(access),
        ending=access[-4:],
        scopes=scopes,
        via=grant.program.client_id,
        created_at=now,
        expires_at=now + ACCESS_SECONDS,
    )
    grant.credentials.create(
        kind=Credential.Kind.REFRESH,
        digest=digest_of(refresh),
        scopes=credential.scopes,
        expires_at=now + REFRESH_SECONDS,
    )
    credential.is_used = True
    if credential.kind == Credential.Kind.CODE:
        credential.expires_at = now + ACCESS_SECONDS
    credential.save(update_fields=["is_used", "expires_at"])


def new_token_text() -> str:
    """A token, or a refresh token, that programs which look for secrets know as ours."""
    return PREFIX + secrets.token_urlsafe(32)


def revoke(text: str, client_id: str) -> None:
    """End a token that a program gives back; with a refresh token all that the person had allowed it."""
    digest = digest_of(text)
    ApiToken.objects.filter(digest=digest, via=client_id).delete()
    Grant.objects.filter(credentials__digest=digest, program__client_id=client_id).delete()


def end_tokens(instance: Grant, **_: object) -> None:
    """End the tokens that a program had by a grant which was deleted."""
    ApiToken.objects.filter(user=instance.user_id, via=instance.program.client_id).delete()


@outside_requests
def drop_expired() -> None:
    """Delete what is good no more."""
    now = clock.now()
    Credential.objects.filter(expires_at__lte=now).delete()
    ApiToken.objects.filter(expires_at__lte=now).exclude(via="").delete()
