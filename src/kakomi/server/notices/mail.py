"""Send mail through the outbox, so that it is stored with its cause and no request waits for a mail server.

`KAKOMI_MAIL_URL` states the server or folder to send to; without it mails stay in the outbox.
"""

import hashlib
import logging
import smtplib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import uuid4

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from kakomi.server.notices.digests import digest_content, note_refusal
from kakomi.server.notices.mail_pictures import attached_picture
from kakomi.server.notices.models import Delivery, Mailing
from kakomi.server.notices.outbox import RejectedError, SendError, enqueue
from kakomi.server.site.configuration import configuration, leads_out


class OutboxBackend(BaseEmailBackend):
    """Django's mail backend, which puts messages into the outbox, one delivery per recipient."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Queue messages. Raises `ValueError` for attachments."""
        for message in email_messages:
            for recipient in message.recipients():
                enqueue("mail", f"mail.{uuid4().hex}", content_of(message, recipient))
        return len(email_messages)


def content_of(message: EmailMessage, recipient: str) -> dict[str, Any]:
    """A message to one recipient in the outbox's format (JSON). Raises `ValueError` if it can't be sent."""
    if message.attachments:
        raise ValueError("mails of this site have no attachments")
    message.message()  # raises for line breaks in headers
    html = next((str(text) for text, kind in getattr(message, "alternatives", ()) if kind == "text/html"), "")
    return {
        "to": recipient,
        "from": message.from_email,
        "subject": str(message.subject),
        "text": str(message.body),
        "html": html,
        "headers": {name: str(value) for name, value in message.extra_headers.items()},
    }


class _MailWithPictures(EmailMultiAlternatives):
    mixed_subtype = "related"
    """Attachments are pictures shown in the HTML."""


def message_of(content: dict[str, Any]) -> EmailMultiAlternatives:
    """The message of a content in the outbox's format. Bounces go to its envelope's sender."""
    sender = content["from"]
    headers = {**content["headers"], "From": sender}
    envelope = content.get("envelope") or sender
    message = _MailWithPictures(
        content["subject"], content["text"], envelope, [content["to"]], headers=headers
    )
    if content["html"]:
        message.attach_alternative(content["html"], "text/html")
    return message


TIMEOUT = 20.0
"""Seconds to wait for the mail server's response."""
_LOCAL = ("localhost", "127.0.0.1", "::1")


def mail_transport(url: str) -> BaseEmailBackend | None:
    """The transport for a URL; None if the URL is empty.

    `smtp://user:password@host:587` uses STARTTLS, unless the host is this machine or `?tls=no` is given;
    `smtps://…:465` uses TLS from the start. `file:/folder` writes each mail to a file in that folder.
    Raises `ValueError` with a readable message for anything else.
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


_LOG = logging.getLogger(__name__)
PERMANENT = range(500, 600)


Composer = Callable[[Delivery], dict[str, Any] | None]
"""Renders a mail, in the outbox's format, when it is sent; None if it is out of date."""
COMPOSERS: dict[str, Composer] = {"digest": digest_content}
"""Key in a delivery's content -> composer. Apps that build on notices add theirs."""


def send_mail(delivery: Delivery) -> Delivery.State:
    """Send a mail, or keep it if the site has no mail server. Raises `SendError`."""
    compose = next((COMPOSERS[name] for name in delivery.content if name in COMPOSERS), None)
    if compose is not None:
        content = compose(delivery)
        if content is None:
            return Delivery.State.DROPPED
        try:
            state = _send(delivery, content)
        except RejectedError as error:
            note_refusal(delivery.guest_id, str(error))
            raise
        Mailing.objects.filter(guest=delivery.guest_id, refusals__gt=0).update(refusals=0)
        return state
    return _send(delivery, delivery.content)


def _send(delivery: Delivery, content: dict[str, Any]) -> Delivery.State:
    if configuration().is_public and not leads_out(content["to"].rpartition("@")[2]):
        raise RejectedError("it is addressed to a local network")
    transport = mail_transport(configuration().mail_url)
    if transport is None:
        _LOG.warning(
            "no mail server (KAKOMI_MAIL_URL): this would have been sent to %s: %s; `kakomi mails` shows it",
            content["to"],
            content["subject"],
        )
        delivery.content = {**content, "pictures": []}
        return Delivery.State.KEPT
    message = message_of(content)
    message.extra_headers = {**message.extra_headers, "Message-ID": message_id(delivery.key)}
    message.connection = transport
    for cid, svg in content.get("pictures", ()):
        if picture := attached_picture(cid, svg):
            message.attach(picture)
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()))
        raise _failure(code, said) from None
    except smtplib.SMTPAuthenticationError as error:  # retried until the site's settings are fixed
        raise SendError(f"the mail server did not let the site in: {error.smtp_code}") from None
    except smtplib.SMTPResponseException as error:
        raise _failure(error.smtp_code, error.smtp_error) from None
    except (OSError, smtplib.SMTPException) as error:
        raise SendError(f"the mail server could not be used: {error}") from None
    delivery.content = {name: content[name] for name in ("to", "subject")}  # its links may sign people in
    return Delivery.State.SENT


def message_id(key: str) -> str:
    """A delivery's message id, the same for every attempt, so that mail programs show duplicates once."""
    host = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">") or "localhost"
    return f"<{hashlib.sha256(f'{settings.SECRET_KEY} {key}'.encode()).hexdigest()[:32]}@{host}>"


def _failure(code: int, said: bytes | str) -> SendError:
    words = said.decode(errors="replace") if isinstance(said, bytes) else said
    kind = RejectedError if code in PERMANENT else SendError
    return kind(f"the mail server answered {code} {words}")
