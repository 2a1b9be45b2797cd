"""Addresses of Ray clusters: whether one is there, before Ray tries for minutes."""

import contextlib
import re
import socket
from collections.abc import Callable

from kakomi.farm.exceptions import FarmError

SECONDS = 5.0
"""How long a cluster's head may take to answer."""
AUTO = "auto"
"""The cluster to which this machine belongs."""
HERE = {"localhost", "127.0.0.1", "::1"}
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""How a client begins in HTTP/2, which Ray speaks: a preface, and an empty SETTINGS (RFC 9113, 3.4)."""
FRAME_HEAD, FRAME_TYPE, SETTINGS_FRAME = 9, 3, 4
"""The answer is SETTINGS too: the bytes of a frame's head, which of them is its type, and what that is."""


def answering(address: str, own_address: Callable[[], str]) -> str:
    """The address, once a cluster's head has answered there; `auto` as it is.

    `own_address` is this machine's among others: Ray puts it in the place of `localhost`.
    Raises FarmError if the address is none, or nothing of the kind answers.
    """
    if address == AUTO:
        return address
    host, port = _parts(address)
    host = own_address() if host in HERE else host
    try:
        head = _answer(host, port)
    except (OSError, ValueError) as error:  # names that can't be looked up are values that are wrong
        why = getattr(error, "strerror", None) or str(error) or "no answer"
        raise FarmError(
            f"no Ray cluster answers at {address} ({why}): is its head running, and its port open?"
        ) from None
    if len(head) < FRAME_HEAD or head[FRAME_TYPE] != SETTINGS_FRAME:
        raise FarmError(f"what answers at {address} is no Ray cluster")
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _parts(address: str) -> tuple[str, int]:
    """Host and port. Raises FarmError."""
    found = re.fullmatch(r"\[?([^/]+?)\]?:([0-9]{1,5})", address)
    if found and 0 < (port := int(found[2])) < 1 << 16:
        return found[1], port
    raise FarmError(
        f"{address!r} is no address of a Ray cluster: it should be HOST:PORT of its head, such as "
        f"10.0.0.1:6379, or {AUTO}"
    )


def _answer(host: str, port: int) -> bytes:
    """The first bytes of an answer to the greeting; fewer than a frame's head if no more are said."""
    said = b""
    with socket.create_connection((host, port), timeout=SECONDS) as connection:
        connection.sendall(GREETING)
        with contextlib.suppress(TimeoutError):
            while len(said) < FRAME_HEAD and (more := connection.recv(FRAME_HEAD - len(said))):
                said += more
    return said
