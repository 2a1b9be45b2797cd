"""Web push: notices to browsers, encrypted for them, by the servers of those who make them.

It needs the extra `push`. The site's key for it lies in the data folder.
"""

import base64
import json
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from kakomi.extras import is_installed
from kakomi.server import clock
from kakomi.server.configuration import configuration, kept_file
from kakomi.server.notices.exceptions import GoneError, RejectedError, SendError
from kakomi.server.notices.guarded_http import post
from kakomi.server.notices.handing_on import payload_of
from kakomi.server.notices.models import Delivery

KEY_FILE = "push.pem"
"""The file in the data folder with the key by which push servers know the site (VAPID)."""
LIFE = 12 * 3600
"""Seconds for which a push server keeps what it can't bring; afterwards it is old."""


def can_push() -> bool:
    """Whether the extra `push` is installed."""
    return is_installed("push")


@cache
def _key() -> Any:
    """The site's key, made the first time."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from py_vapid import Vapid02

    def made() -> str:
        new = Vapid02()
        new.generate_keys()
        shape = (Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        return str(new.private_key.private_bytes(*shape).decode())

    return Vapid02.from_pem(kept_file(configuration().folder / KEY_FILE, made).encode())


@cache
def public_key() -> str:
    """What browsers are given to subscribe, in URL-safe base64."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    raw = _key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def check_keys(public: str, secret: str) -> str:
    """A browser's keys, as an endpoint keeps them. Raises ValueError for what are none."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _decoded(public))
    if len(_decoded(secret)) != 16:
        raise ValueError("a subscription's secret has 16 bytes")
    return f"{public} {secret}"


def encrypted(text: bytes, keys: str) -> bytes:
    """A message that only the browser with these keys can read (RFC 8291)."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    public, secret = map(_decoded, keys.split())
    own = generate_private_key(SECP256R1())
    said: bytes = http_ece.encrypt(text, private_key=own, dh=public, auth_secret=secret, version="aes128gcm")
    return said


def send_push(delivery: Delivery) -> Delivery.State:
    """Hand a notice to a browser's push server. Raises SendError if it isn't taken."""
    endpoint = delivery.endpoint
    if endpoint is None or (payload := payload_of(delivery)) is None:
        return Delivery.State.DROPPED
    if not can_push():
        raise RejectedError("the extra 'push' is no longer installed")
    parts = urlsplit(endpoint.address)
    address = configuration().mail_from.rpartition("<")[2].rstrip(">")
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": f"mailto:{address}",
        "exp": int(clock.now()) + LIFE,
    }
    headers = {
        **_key().sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(LIFE),
        "Urgency": "normal",
    }
    body = encrypted(json.dumps(payload).encode(), endpoint.secret)
    status = post(endpoint.address, body, headers, is_local=not configuration().is_public)
    if status in (404, 410):  # RFC 8030, section 7.3: the subscription has ended
        raise GoneError(f"it answered {status}")
    if not 200 <= status < 300:
        raise SendError(f"it answered {status}")
    return Delivery.State.SENT


def _decoded(text: str) -> bytes:
    """URL-safe base64, with or without its padding. Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
