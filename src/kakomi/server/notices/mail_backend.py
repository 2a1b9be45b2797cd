"""Django's mail, by the outbox: it is on disk with its cause, and no request waits for a mail server."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend

from kakomi.server.notices.outbox import post


class OutboxBackend(BaseEmailBackend):
    """Puts messages into the outbox, one delivery for each recipient."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Have messages sent. Raises ValueError for attachments, which nothing here has."""
        for message in email_messages:
            for recipient in message.recipients():
                post("mail", f"mail.{uuid4().hex}", content_of(message, recipient))
        return len(email_messages)


def content_of(message: EmailMessage, recipient: str) -> dict[str, Any]:
    """A message to one recipient, as data that JSON can hold. Raises ValueError if it cannot be sent."""
    if message.attachments:
        raise ValueError("mails of this site have no attachments")
    message.message()  # raises for headers that would break out of their line
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
    """What is attached are pictures in its HTML."""


def message_of(content: dict[str, Any]) -> EmailMultiAlternatives:
    """The message that was put into the outbox. If it comes back, it does so to its envelope's sender."""
    sender = content["from"]
    headers = {**content["headers"], "From": sender}
    envelope = content.get("envelope") or sender
    message = _MailWithPictures(
        content["subject"], content["text"], envelope, [content["to"]], headers=headers
    )
    if content["html"]:
        message.attach_alternative(content["html"], "text/html")
    return message
