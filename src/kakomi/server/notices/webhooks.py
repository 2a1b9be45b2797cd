"""Webhooks: notices to somebody's program, signed, so that it knows that they come from here."""

import hashlib
import hmac
import json
import secrets

from kakomi.server import clock
from kakomi.server.configuration import configuration
from kakomi.server.notices.exceptions import GoneError, SendError
from kakomi.server.notices.guarded_http import post
from kakomi.server.notices.handing_on import is_stale
from kakomi.server.notices.models import Delivery

SIGNATURE = "Kakomi-Signature"


def new_secret() -> str:
    """What signs a webhook."""
    return f"whsec_{secrets.token_urlsafe(32)}"


def signature(secret: str, moment: int, body: bytes) -> str:
    """The header that signs what is posted: a moment in seconds since the epoch, and its HMAC-SHA256 with the
    body."""
    signed = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={signed}"


def send_webhook(delivery: Delivery) -> Delivery.State:
    """Post a notice to a webhook. Raises SendError unless the answer is a 2xx."""
    endpoint = delivery.endpoint
    if endpoint is None or is_stale(delivery):
        return Delivery.State.DROPPED
    body = json.dumps({"id": delivery.key, **delivery.content["payload"]}).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Kakomi",
        "Kakomi-Delivery": delivery.key,
        SIGNATURE: signature(endpoint.secret, int(clock.now()), body),
    }
    expect_taken(post(endpoint.address, body, headers, is_local=not configuration().is_public))
    return Delivery.State.SENT


def expect_taken(status: int, *gone: int) -> None:
    """Raise SendError for the status of an answer that does not mean that something was taken."""
    if status in (410, *gone):
        raise GoneError(f"it answered {status}")
    if not 200 <= status < 300:
        raise SendError(f"it answered {status}")
