"""A fake mail server for tests."""

import email
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.message import Message
from typing import Any

import pytest
from aiosmtpd.controller import Controller

PATIENCE = 60.0
"""Seconds to wait for a mail."""


class Sink:
    """An SMTP handler that gives the responses in `answers` in turn, and then accepts everything."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.mails: list[Message] = []
        self.url = ""
        """Its `smtp:` URL."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        answer = self.answers.pop(0) if self.answers else "250 OK"
        if answer.startswith("250"):
            self.mails.append(email.message_from_bytes(envelope.content))
        return answer

    def await_mails(self, count: int) -> list[Message]:
        """Wait for exactly `count` mails. Raises `AssertionError` if more or fewer arrive."""
        end = time.monotonic() + PATIENCE
        while len(self.mails) < count and time.monotonic() < end:
            time.sleep(0.02)
        assert len(self.mails) == count, [mail["Subject"] for mail in self.mails]
        return self.mails


def plain(mail: Message, kind: str = "text/plain") -> str:
    """The text of a mail's first part of a MIME type."""
    parts = [part for part in mail.walk() if part.get_content_type() == kind]
    return parts[0].get_payload(decode=True).decode()  # type: ignore[union-attr]


@contextmanager
def mail_server() -> Iterator[tuple[Sink, str]]:
    """A running fake mail server, and its URL."""
    handler = Sink()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        handler.url = f"smtp://127.0.0.1:{port}"
        yield handler, handler.url
    finally:
        controller.stop()


def use_mail_server(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Have the site use a mail server, or none if the URL is empty."""
    from kakomi.server.notices import mail
    from kakomi.server.site.configuration import configuration

    known = replace(configuration(), mail_url=url)
    monkeypatch.setattr(mail, "configuration", lambda: known)
