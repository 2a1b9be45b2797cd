"""Mails of the outbox, on their way to a mail server; kept where there is none."""

import hashlib
import logging
import smtplib
from collections.abc import Callable
from typing import Any

from django.conf import settings

from kakomi.server.configuration import configuration, leads_out
from kakomi.server.notices.digest_mail import digest_content
from kakomi.server.notices.digests import note_refusal
from kakomi.server.notices.exceptions import RejectedError, SendError
from kakomi.server.notices.mail_backend import message_of
from kakomi.server.notices.mail_pictures import attached_picture
from kakomi.server.notices.mail_transport import mail_transport
from kakomi.server.notices.models import Delivery, Mailing

_LOG = logging.getLogger(__name__)
PERMANENT = range(500, 600)


Composer = Callable[[Delivery], dict[str, Any] | None]
"""Makes a mail when it is sent, as the outbox keeps mails; None if nothing of it is true any more."""
COMPOSERS: dict[str, Composer] = {"digest": digest_content}
"""By the name that a delivery's content has for its cause. Apps that are built on notices add theirs."""


def send_mail(delivery: Delivery) -> Delivery.State:
    """Send a mail, or keep it if the site has no mail server. Raises SendError."""
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
    except smtplib.SMTPAuthenticationError as error:  # the site's fault, which is put right one day
        raise SendError(f"the mail server did not let the site in: {error.smtp_code}") from None
    except smtplib.SMTPResponseException as error:
        raise _failure(error.smtp_code, error.smtp_error) from None
    except (OSError, smtplib.SMTPException) as error:
        raise SendError(f"the mail server could not be used: {error}") from None
    delivery.content = {name: content[name] for name in ("to", "subject")}  # links in it let people in
    return Delivery.State.SENT


def message_id(key: str) -> str:
    """The same for every attempt, so that mail programs show a mail once that was sent twice."""
    host = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">") or "localhost"
    return f"<{hashlib.sha256(f'{settings.SECRET_KEY} {key}'.encode()).hexdigest()[:32]}@{host}>"


def _failure(code: int, said: bytes | str) -> SendError:
    words = said.decode(errors="replace") if isinstance(said, bytes) else said
    kind = RejectedError if code in PERMANENT else SendError
    return kind(f"the mail server answered {code} {words}")
