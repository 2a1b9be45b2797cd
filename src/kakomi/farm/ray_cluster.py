"""Workers on a Ray cluster. This is the only module that imports Ray. It checks addresses first, because Ray
tries for minutes to reach a missing cluster.
"""

import contextlib
import logging
import os
import re
import socket
import time
from collections.abc import Callable
from typing import Any

from kakomi.extras import needs_extra
from kakomi.farm.piece import Death, FarmError, Outcome, unpacked
from kakomi.farm.versions import do_there, versions

SECONDS = 5.0
"""The timeout for an answer from a cluster's head."""
AUTO = "auto"
"""The address of the cluster that this machine belongs to."""
HERE = {"localhost", "127.0.0.1", "::1"}
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""The start of an HTTP/2 connection, as Ray uses: a preface and an empty SETTINGS frame (RFC 9113, 3.4)."""
FRAME_HEAD, FRAME_TYPE, SETTINGS_FRAME = 9, 3, 4
"""The answer is a SETTINGS frame too: the length of a frame header, the index of its type, and that type."""


def answering(address: str, own_address: Callable[[], str]) -> str:
    """Check that a cluster's head answers at an address, and return the address; `auto` isn't checked.

    `own_address` returns this machine's address in the network, which Ray uses in place of `localhost`.
    Raises FarmError if the address is invalid, or if no cluster answers.
    """
    if address == AUTO:
        return address
    host, port = _parts(address)
    host = own_address() if host in HERE else host
    try:
        head = _answer(host, port)
    except (OSError, ValueError) as error:  # ValueError: a host name that can't be encoded
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
    """The first bytes of the answer to the greeting; fewer than a frame header if no more arrive in time."""
    said = b""
    with socket.create_connection((host, port), timeout=SECONDS) as connection:
        connection.sendall(GREETING)
        with contextlib.suppress(TimeoutError):
            while len(said) < FRAME_HEAD and (more := connection.recv(FRAME_HEAD - len(said))):
                said += more
    return said


LOOK_SECONDS = 5.0
"""The interval between queries of the cluster's number of cores."""
PIECES_A_CORE = 2
"""The number of pieces under way per core, so that the next one is ready when a core finishes one."""
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # would make every machine download the packages installed here
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",  # would mix the cluster's messages with our output
}
"""Environment variables that Ray reads on import: no usage reports, downloads or output."""


class RayCluster:
    """The cores of a cluster, one for each piece.

    Ray schedules pieces and reports which were lost; the farm retries them.
    """

    def __init__(self, address: str, most: int | None = None) -> None:
        self._ray = _imported()
        self._address = answering(address, self._ray.util.get_node_ip_address)
        self._most = most
        self._is_connected = False
        self._cores = 0
        self._looked = -LOOK_SECONDS
        self._do = self._ray.remote(num_cpus=1, max_retries=0)(do_there)
        self._numbers: dict[Any, int] = {}
        """Ray's reference to a piece's result → the piece's number."""
        self._connect()

    def count(self) -> int:
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._connect()
            self._cores = int(self._ray.cluster_resources().get("CPU", 0))
            self._looked = time.monotonic()
        return self._cores if self._most is None else min(self._most, self._cores)

    def room(self) -> int:
        most = self._most or PIECES_A_CORE * self.count()
        return max(1, most) - len(self._numbers)

    def begin(self, number: int, packed: bytes) -> None:
        self._connect()
        self._numbers[self._do.remote(packed, versions())] = number

    def ended(self) -> list[tuple[int, Outcome]]:
        references = list(self._numbers)
        ready, _ = self._ray.wait(references, num_returns=1, timeout=LOOK_SECONDS)
        if ready:  # and all others that are ready
            ready, _ = self._ray.wait(references, num_returns=len(references), timeout=0)
        ended = [(self._numbers[reference], self._outcome(reference)) for reference in ready]
        for reference in ready:
            del self._numbers[reference]
        return ended

    def abandon(self) -> None:
        """Stop all running pieces by leaving the cluster.

        Ray's own cancellation may end this process if a piece finishes at that moment.
        """
        self.close()

    def close(self) -> None:
        self._numbers.clear()
        self._ray.shutdown()
        self._is_connected = False

    def _connect(self) -> None:
        """Connect, unless already connected. Raises FarmError with a message of one line."""
        if self._is_connected:
            return
        try:
            self._ray.init(address=self._address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError, self._ray.exceptions.RayError) as error:
            raise FarmError(
                f"the Ray cluster at {self._address} can't be used from here: {_in_a_line(error)} "
                "(docs/farm.md says what each machine needs)"
            ) from None
        self._is_connected = True

    def _outcome(self, reference: Any) -> Outcome:
        try:
            answer = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as error:  # raised before the piece started
            raise FarmError(f"a machine of the cluster can't work for Kakomi: {_last_line(error)}") from None
        except self._ray.exceptions.RayError as error:
            return Death(f"its worker on the cluster died: {_first_sentence(error)}")
        if isinstance(answer, str):
            raise FarmError(f"{answer} as here; all machines of the cluster need the same (docs/farm.md)")
        return unpacked(answer)


def _imported() -> Any:
    """The Ray module. Raises ModuleNotFoundError, saying what to install, if it is missing."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    with needs_extra("ray"):
        import ray
        import ray.exceptions
        import ray.util
    return ray


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _last_line(error: Exception) -> str:
    """The last line of a remote traceback, which names the exception."""
    lines = str(error).strip().splitlines()
    return lines[-1].strip() if lines else type(error).__name__


def _first_sentence(error: Exception) -> str:
    return _in_a_line(error).partition(". ")[0]
