"""Web push: notices to browsers, encrypted, through the push servers of the browsers' makers.

It needs the extra `push`. The site's key is in the data folder. Each notice becomes a delivery for each
browser; that of a turn waits a little.

The addresses come from strangers, so posts to them have a deadline and can't reach the site's own network. A
name is resolved once, and the connection uses that result. Only the status of a response is read, so
redirects, delays and floods achieve nothing.
"""

import base64
import http.client
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.utils import translation
from django.utils.translation import gettext_noop

from kakomi.core.i18n import lazy_message
from kakomi.extras import is_installed
from kakomi.server.accounts.models import Guest, SignIn
from kakomi.server.notices import outbox
from kakomi.server.notices.kinds import PRESSING, TURN
from kakomi.server.notices.models import Delivery, Endpoint, Mailing, Notice
from kakomi.server.notices.outbox import GoneError, RejectedError, SendError
from kakomi.server.notices.preferences import after_quiet, wanted_kinds
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.services import is_pressing
from kakomi.server.site import clock
from kakomi.server.site.configuration import configuration, kept_file
from kakomi.server.site.database import writing

MOST_AT_ONCE = 100
"""Notices per transaction."""
PUSH_WAIT = 20.0
"""Seconds before a turn is pushed; a player who is at the table has acted by then."""


def create_push_deliveries() -> None:
    """Create the deliveries of all notices that need them, up to `MOST_AT_ONCE` in a transaction."""
    waiting = Notice.objects.filter(needs_push=True).order_by("at")
    while waiting.exists():
        with writing():
            chosen = list(waiting.select_for_update(skip_locked=True, of=("self",))[:MOST_AT_ONCE])
            for notice in chosen:
                _create_deliveries(notice, list(Endpoint.objects.filter(guest=notice.guest_id, is_on=True)))
            Notice.objects.filter(pk__in=[notice.pk for notice in chosen]).update(needs_push=False)
        if not chosen:  # another process has locked the rest
            return


def _create_deliveries(notice: Notice, endpoints: Sequence[Endpoint]) -> None:
    if not endpoints or notice.kind not in wanted_kinds(notice.guest_id, "push"):
        return
    mailing = Mailing.objects.filter(guest=notice.guest_id).first() or Mailing(guest_id=notice.guest_id)
    content = {"notice": [notice.pk, notice.occurrence]}
    due_at = after_quiet(mailing, clock.now() + (PUSH_WAIT if notice.kind == TURN else 0.0))
    for endpoint in endpoints:
        key = f"push.{endpoint.pk}.{notice.key}.{notice.occurrence}"
        outbox.enqueue("push", key, content, guest=notice.guest_id, endpoint=endpoint, due_at=due_at)


def payload_of(delivery: Delivery) -> dict[str, Any] | None:
    """The JSON payload for a browser, with its text rendered now; None if its notice has been read or is
    out of date."""
    if "notice" not in delivery.content:
        return dict(delivery.content["payload"])
    number, occurrence = delivery.content["notice"]
    found = Notice.objects.filter(pk=number, occurrence=occurrence, guest=delivery.guest_id, read_at=None)
    notice = found.select_related("table", "about").prefetch_related("table__seats__guest").first()
    if notice is None or (notice.kind in PRESSING and not is_pressing(notice)):
        return None
    languages = Mailing.objects.filter(guest=delivery.guest_id).values_list("language", flat=True)
    with translation.override(languages.first() or Mailing().language):
        view = NoticeView(notice)
        return {
            "kind": notice.kind,
            "text": view.words,
            "url": configuration().address + view.address,
            "table": notice.table.code if notice.table else None,
        }


KEY_FILE = "push.pem"
"""The file in the data folder with the site's VAPID key, by which push servers identify the site."""
LIFE = 12 * 3600
"""Seconds for which a push server keeps an undelivered message."""


def can_push() -> bool:
    """Whether the extra `push` is installed."""
    return is_installed("push")


@cache
def _key() -> Any:
    """The site's VAPID key, generated on first use."""
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
    """The public key that browsers subscribe with, in URL-safe base64."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    raw = _key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def check_keys(public: str, secret: str) -> str:
    """A browser's keys in the format of `Endpoint.secret`. Raises `ValueError` if they are invalid."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey

    EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _decoded(public))
    if len(_decoded(secret)) != 16:
        raise ValueError("a subscription's secret has 16 bytes")
    return f"{public} {secret}"


def encrypted(text: bytes, keys: str) -> bytes:
    """A message encrypted for the browser with these keys (RFC 8291)."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    public, secret = map(_decoded, keys.split())
    own = generate_private_key(SECP256R1())
    message: bytes = http_ece.encrypt(
        text, private_key=own, dh=public, auth_secret=secret, version="aes128gcm"
    )
    return message


def send_push(delivery: Delivery) -> Delivery.State:
    """Send a notice to a browser's push server. Raises `SendError` if it isn't accepted."""
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
    status = guarded_post(endpoint.address, body, headers, is_local=not configuration().is_public)
    if status in (404, 410):  # RFC 8030, section 7.3: the subscription has ended
        raise GoneError(f"it answered {status}")
    if not 200 <= status < 300:
        raise SendError(f"it answered {status}")
    return Delivery.State.SENT


def _decoded(text: str) -> bytes:
    """Decode URL-safe base64, with or without padding. Raises `ValueError`."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


MOST_BROWSERS = 10
"""Endpoints per guest."""
LABEL_LENGTH = 60


def add_browser(
    guest: Guest, url: str, public: str, secret: str, label: str, old: str = "", sign_in: SignIn | None = None
) -> Endpoint:
    """Register a browser for push until the session ends, removing any earlier registration of it. `old` is
    its previous address. Raises `ValueError`."""
    keys = _check(url, public, secret)
    with writing():
        Endpoint.objects.filter(address__in=[url, old]).delete()
        Guest.objects.select_for_update().get(pk=guest.pk)  # concurrent requests must count in turn
        if guest.endpoints.count() >= MOST_BROWSERS:
            raise ValueError(lazy_message("You’ve reached the limit. Remove one first."))
        name = "".join(letter for letter in label.strip() if letter.isprintable())[:LABEL_LENGTH]
        return guest.endpoints.create(address=url, label=name or "Browser", secret=keys, sign_in=sign_in)


def change(guest: Guest, old: str, url: str, public: str, secret: str) -> bool:
    """Update a browser's subscription to a new address; False if the old one isn't this guest's. Raises
    `ValueError`."""
    changed = {"address": url, "secret": _check(url, public, secret), "is_on": True, "failures": 0}
    return guest.endpoints.filter(address=old).update(**changed, retry_at=0.0, off_reason="") > 0


def _check(url: str, public: str, secret: str) -> str:
    """A browser's keys in stored form. Raises `ValueError` if they or the address are invalid."""
    keys, is_public = check_keys(public, secret), configuration().is_public
    parts = check_url(url, is_local=not is_public)
    if is_public:
        require_public(parts)
    return keys


def remove(guest: Guest, number: int) -> bool:
    """Remove a guest's endpoint; False if there is none."""
    return guest.endpoints.filter(pk=number).delete()[0] > 0


def switch_on(guest: Guest, number: int) -> bool:
    """Switch a guest's endpoint on again; False if there is none."""
    found = guest.endpoints.filter(pk=number)
    return found.update(is_on=True, failures=0, retry_at=0.0, off_reason="") > 0


def send_test(guest: Guest, endpoint: Endpoint, text: str) -> bool:
    """Send a test message to an endpoint, at most once a minute; False if there was one just now."""
    now = clock.now()
    payload = {
        "kind": "test",
        "text": text,
        "url": f"{configuration().address}/notices/",
        "table": None,
    }
    key = f"test.{endpoint.pk}.{now // 60:.0f}"
    return outbox.enqueue("push", key, {"payload": payload}, guest=guest, endpoint=endpoint)


TIMEOUT = 5.0
"""Seconds for each network operation."""
DEADLINE = 10.0
"""Seconds for a whole request."""
LONGEST_URL = 1000
_INTERNET = ipaddress.ip_network("2000::/3")
"""IPv6 global unicast addresses."""
_TRANSLATING = ipaddress.ip_network("2002::/16")
"""6to4 addresses, which may embed a private IPv4 address."""
_LOOKUPS = ThreadPoolExecutor(4, thread_name_prefix="kakomi-lookup")


def check_url(url: str, *, is_local: bool) -> SplitResult:
    """The parts of a URL to post to. Raises `ValueError` with a readable message if it can't be used.

    Only a local site may use plain HTTP.
    """
    wrong = ValueError(lazy_message("Enter an address such as https://example.org/kakomi."))
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= LONGEST_URL
    schemes = ("https", "http") if is_local else ("https",)
    if parts.scheme not in schemes or not host or parts.username is not None or not is_plain:
        raise wrong
    return parts


def require_public(parts: SplitResult) -> None:
    """Raise `ValueError` with a readable message unless a URL's host resolves to public addresses only."""
    try:
        found = _LOOKUPS.submit(_addresses, parts.hostname, parts.port or 443).result(TIMEOUT / 2)
    except (OSError, UnicodeError):
        found = []
    if not found or not all(map(is_public, found)):
        raise ValueError(lazy_message("This address’s domain doesn’t exist."))


def guarded_post(url: str, body: bytes, headers: Mapping[str, str], *, is_local: bool) -> int:
    """Post to a URL and return the status of the response. Raises `SendError` if there is none.

    Only a local site may post to its own network; otherwise that raises `RejectedError`.
    """
    try:
        parts = check_url(url, is_local=is_local)
    except ValueError as error:
        raise RejectedError(str(error)) from None
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    try:
        connection.sock = _connected(host, port, is_local=is_local)
        watch = threading.Timer(DEADLINE, _shut_down, [connection.sock])
        watch.start()
        try:
            if parts.scheme == "https":
                context = ssl.create_default_context()
                connection.sock = context.wrap_socket(connection.sock, server_hostname=host)
            target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
            connection.request("POST", target, body, dict(headers))
            return connection.getresponse().status
        finally:
            watch.cancel()
    except TimeoutError:
        raise SendError(gettext_noop("It didn’t respond in time.")) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SendError(str(error) or type(error).__name__) from None
    finally:
        connection.close()


def _connected(host: str, port: int, *, is_local: bool) -> socket.socket:
    """A connection to the address that a name resolves to, if that is permitted."""
    addresses = _addresses(host, port)
    if not is_local and not all(map(is_public, addresses)):
        raise RejectedError(gettext_noop("This address is in a private network."))
    return socket.create_connection((addresses[0], port), timeout=TIMEOUT)


def _addresses(host: str | None, port: int) -> list[str]:
    return [str(address[0]) for *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def is_public(address: str) -> bool:
    """Whether an IP address is public: not of this machine or a private network."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is None and (ip not in _INTERNET or ip in _TRANSLATING):
            return False
        ip = ip.ipv4_mapped or ip
    return ip.is_global and not ip.is_multicast


def _shut_down(sock: socket.socket) -> None:
    """Shut a socket down, which ends any blocking operation on it."""
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # already closed
