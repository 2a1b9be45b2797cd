"""A browser and its push service, implemented from the standards alone, independently of the site's code.

Messages are decrypted by RFC 8291 (aes128gcm of RFC 8188), and senders identified by RFC 8292 (VAPID).
"""

import base64
import hashlib
import hmac
import json
import re
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

LAST = b"\x02"
"""Delimiter at the end of the only record, followed by padding."""


def encoded(raw: bytes) -> str:
    """URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Decode URL-safe base64 without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass(frozen=True)
class UserAgent:
    """A browser with its subscription's keys."""

    private: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))
    auth: bytes = b"0123456789abcdef"

    @property
    def public(self) -> bytes:
        """Its public key, uncompressed."""
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def keys(self) -> dict[str, str]:
        """The keys as a page gets them from its subscription."""
        return {"p256dh": encoded(self.public), "auth": encoded(self.auth)}

    def read(self, body: bytes) -> bytes:
        """Decrypt a message to this browser. Raises if it is anything else."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size, "there is but one record"
        known = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), sender)
        both = _hmac(self.auth, self.private.exchange(ECDH(), known))
        secret = _hmac(salt, _hmac(both, b"WebPush: info\0" + self.public + sender + b"\1"))
        key = _hmac(secret, b"Content-Encoding: aes128gcm\0\1")[:16]
        nonce = _hmac(secret, b"Content-Encoding: nonce\0\1")[:12]
        text, _, padding = AESGCM(key).decrypt(nonce, sealed, None).rpartition(LAST)
        assert not padding.strip(b"\0")
        return text


def claims_of(authorization: str) -> tuple[dict[str, Any], str]:
    """The claims in a VAPID header, and the sender's key. Raises unless the key verifies the signature."""
    found = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)", authorization)
    assert found, authorization
    head, claims, signature, key = found.groups()
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    r, s = (int.from_bytes(half) for half in (decoded(signature)[:32], decoded(signature)[32:]))
    public = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decoded(key))
    public.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ECDSA(SHA256()))
    return json.loads(decoded(claims)), key


def _hmac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()
