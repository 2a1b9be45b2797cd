"""A device with passkeys, without a browser: it answers as `static/accounts/passkeys.js` sends it."""

import json
import os
import re
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from fido2.cose import ES256
from fido2.utils import sha256, websafe_decode, websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

HOST = "localhost"
"""Passkeys need https, or this host."""
_FLAGS = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV


class Passkey:
    """One passkey of a device, for this site."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._id = os.urandom(16)
        self._user = ""

    def made(self, page: str) -> str:
        """What the device answers to the page that asks for a new passkey."""
        options = _options(page)
        self._user = options["user"]["id"]
        public = ES256.from_cryptography_key(self._key.public_key())
        data = AuthenticatorData.create(
            sha256(HOST.encode()),
            _FLAGS | AuthenticatorData.FLAG.AT,
            0,
            AttestedCredentialData.create(Aaguid.NONE, self._id, public),
        )
        response = {
            "clientDataJSON": websafe_encode(self._client_data("webauthn.create", options)),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
        }
        return self._sent(response, {"credProps": {"rk": True}})

    def shown(self, options: dict[str, Any]) -> str:
        """What the device answers where a passkey is asked for."""
        data = AuthenticatorData.create(sha256(HOST.encode()), _FLAGS, 1)
        client_data = self._client_data("webauthn.get", options)
        signature = self._key.sign(data + sha256(client_data), ec.ECDSA(SHA256()))
        response = {
            "clientDataJSON": websafe_encode(client_data),
            "authenticatorData": websafe_encode(data),
            "signature": websafe_encode(signature),
            "userHandle": self._user,
        }
        return self._sent(response, {})

    def _client_data(self, kind: str, options: dict[str, Any]) -> CollectedClientData:
        return CollectedClientData.create(kind, websafe_decode(options["challenge"]), f"http://{HOST}")

    def _sent(self, response: dict[str, str], results: dict[str, Any]) -> str:
        identity = websafe_encode(self._id)
        credential = {"id": identity, "rawId": identity, "type": "public-key", "response": response}
        return json.dumps({**credential, "clientExtensionResults": results})


def _options(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="passkey-options"[^>]*>(.*?)</script>', page)
    assert found, page
    options: dict[str, Any] = json.loads(found[1])["publicKey"]
    return options


def add_passkey(client: Client, passkey: Passkey) -> Any:
    """Add it to the account of who is signed in."""
    page = client.get("/account/passkeys/new").content.decode()
    form = {"name": "Laptop", "passwordless": "on", "credential": passkey.made(page)}
    return client.post("/account/passkeys/new", form)


def sign_in_by(client: Client, passkey: Passkey) -> Any:
    """Sign in by it alone."""
    asked = client.get("/account/sign-in/passkey", headers={"Accept": "application/json"})
    credential = passkey.shown(asked.json()["request_options"]["publicKey"])
    return client.post("/account/sign-in/passkey", {"credential": credential})


def answer_by(client: Client, passkey: Passkey, page: str) -> Any:
    """Answer a page that asks for a passkey besides the password."""
    options = _options(client.get(page).content.decode())
    return client.post(page, {"credential": passkey.shown(options)})
