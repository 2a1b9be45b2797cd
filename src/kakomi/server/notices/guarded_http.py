"""Posting to addresses that strangers have chosen: soon over, and never into the site's own network.

The name is looked up once and the connection goes to that very address. Nothing of an answer is read but its
status; who redirects, hangs, or floods gains nothing.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import SplitResult, urlsplit

from django.utils.translation import gettext_noop

from kakomi.core.i18n import lazy_message
from kakomi.server.notices.exceptions import RejectedError, SendError

TIMEOUT = 5.0
"""Seconds for each step."""
DEADLINE = 10.0
"""Seconds for all of it."""
LONGEST_URL = 1000
_INTERNET = ipaddress.ip_network("2000::/3")
"""The IPv6 addresses that the internet uses."""
_TRANSLATING = ipaddress.ip_network("2002::/16")
"""Those that stand for IPv4 ones, of whatever network."""
_LOOKUPS = ThreadPoolExecutor(4, thread_name_prefix="kakomi-lookup")


def check_url(url: str, *, is_local: bool) -> SplitResult:
    """The parts of an address to post to. Raises ValueError, in a sentence, for one that can't be used.

    Only a local site posts without TLS.
    """
    wrong = ValueError(lazy_message("This should be an address such as https://example.org/kakomi."))
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


def expect_public(parts: SplitResult) -> None:
    """Raise ValueError, in a sentence, for an address that leads to no machine of the internet now."""
    try:
        found = _LOOKUPS.submit(_addresses, parts.hostname, parts.port or 443).result(TIMEOUT / 2)
    except (OSError, UnicodeError):
        found = []
    if not found or not all(map(is_public, found)):
        raise ValueError(lazy_message("This address leads to no machine on the internet."))


def post(url: str, body: bytes, headers: Mapping[str, str], *, is_local: bool) -> int:
    """Post to an address and return the status of the answer. Raises SendError if none comes.

    A local site may post to machines of its own network; others are refused (RejectedError).
    """
    try:
        parts = check_url(url, is_local=is_local)
    except ValueError as error:
        raise RejectedError(str(error)) from None
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    try:
        connection.sock = _connected(host, port, is_local=is_local)
        watch = threading.Timer(DEADLINE, _break_off, [connection.sock])
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
        raise SendError(gettext_noop("It did not answer in time.")) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SendError(str(error) or type(error).__name__) from None
    finally:
        connection.close()


def _connected(host: str, port: int, *, is_local: bool) -> socket.socket:
    """A connection to the address that a name has now, if the site may go there."""
    addresses = _addresses(host, port)
    if not is_local and not all(map(is_public, addresses)):
        raise RejectedError(gettext_noop("The address lies in a private network."))
    return socket.create_connection((addresses[0], port), timeout=TIMEOUT)


def _addresses(host: str | None, port: int) -> list[str]:
    return [str(address[0]) for *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet, not of this machine or a private network."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is None and (ip not in _INTERNET or ip in _TRANSLATING):
            return False
        ip = ip.ipv4_mapped or ip
    return ip.is_global and not ip.is_multicast


def _break_off(sock: socket.socket) -> None:
    """End whatever is being waited for."""
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it has ended
