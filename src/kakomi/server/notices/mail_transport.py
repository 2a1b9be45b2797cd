"""The way that the site's mails take: a server or a folder by its URL, or none."""

from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend

TIMEOUT = 20.0
"""Seconds that a mail server may take for an answer."""
_LOCAL = ("localhost", "127.0.0.1", "::1")


def mail_transport(url: str) -> BaseEmailBackend | None:
    """The transport that a URL names; None for an empty one.

    `smtp://user:password@host:587` speaks TLS once connected (STARTTLS), unless the host is this machine or
    `?tls=no` is given; `smtps://…:465` from the start. `file:/folder` writes each mail to a file there.
    Raises ValueError, in a sentence, for anything else.
    """
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme == "file" and parts.path:
        return get_connection("django.core.mail.backends.filebased.EmailBackend", file_path=Path(parts.path))
    try:
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ValueError(f"KAKOMI_MAIL_URL: {error}") from None
    if parts.scheme not in ("smtp", "smtps") or not host:
        raise ValueError(
            "KAKOMI_MAIL_URL should be smtp://user:password@host:587, smtps://user:password@host:465"
            " or file:/folder"
        )
    is_implicit = parts.scheme == "smtps"
    wanted = parse_qs(parts.query).get("tls", ["no" if host in _LOCAL else "yes"])[0]
    return get_connection(
        "django.core.mail.backends.smtp.EmailBackend",
        host=host,
        port=port or (465 if is_implicit else 25 if wanted == "no" else 587),
        username=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        use_ssl=is_implicit,
        use_tls=not is_implicit and wanted != "no",
        timeout=TIMEOUT,
    )
