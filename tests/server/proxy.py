"""A TCP proxy by which a service is away for its users alone: it refuses, cuts and falls silent."""

import asyncio
import contextlib
from collections.abc import Iterator
from types import TracebackType
from urllib.parse import urlsplit, urlunsplit

from kakomi.protocol.engine_client import LoopThread


class Proxy:
    """Stands on 127.0.0.1 in front of a service. Its methods may be called from any thread."""

    def __init__(self, url: str) -> None:
        """`url` is the service's; `url` of the proxy is the same by way of it."""
        address = urlsplit(url)
        assert address.hostname and address.port, f"{url} names no host and port"
        self._target = (address.hostname, address.port)
        self._thread = LoopThread("kakomi-proxy")
        self._pairs: set[_Side] = set()
        self._server: asyncio.Server | None = None
        self._is_silent = False
        self.port = self._thread.submit(self._listen(0)).result()
        user, at, _ = address.netloc.rpartition("@")
        self.url = urlunsplit(address._replace(netloc=f"{user}{at}127.0.0.1:{self.port}"))

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.refuse()
        self._thread.close()

    def cut(self) -> None:
        """Break all connections off; new ones are let through."""
        self._thread.submit(self._cut()).result()

    def refuse(self) -> None:
        """Break all connections off, and let none through until `allow`."""
        self._thread.submit(self._refuse()).result()

    def allow(self) -> None:
        """Let connections through again."""
        if self._server is None:
            self._thread.submit(self._listen(self.port)).result()

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        """Nothing comes through, and nobody is told."""
        self._thread.submit(self._fall_silent(True)).result()
        try:
            yield
        finally:
            self._thread.submit(self._fall_silent(False)).result()

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """The service is away."""
        self.refuse()
        try:
            yield
        finally:
            self.allow()

    async def _listen(self, port: int) -> int:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._side, "127.0.0.1", port)
        return int(self._server.sockets[0].getsockname()[1])

    def _side(self) -> "_Side":
        return _Side(self._pairs, self._target, is_silent=self._is_silent)

    async def _fall_silent(self, is_silent: bool) -> None:
        self._is_silent = is_silent
        for side in self._pairs:
            side.fall_silent(is_silent)

    async def _cut(self) -> None:
        for side in tuple(self._pairs):
            side.abort()

    async def _refuse(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
            await asyncio.sleep(0.01)  # a connection that was just accepted gets its side first
        await self._cut()
        await asyncio.sleep(0)  # transports close in the loop's next round


class _Side(asyncio.Protocol):
    """One end of a connection: what arrives here leaves at the other end."""

    def __init__(
        self,
        pairs: "set[_Side]",
        target: tuple[str, int] | None,
        other: "_Side | None" = None,
        *,
        is_silent: bool = False,
    ) -> None:
        """`target` is where the other end is to be opened, for the end of who connects."""
        self._pairs, self._target, self._other = pairs, target, other
        self._is_silent = is_silent
        self._transport: asyncio.Transport | None = None
        self._early: list[bytes] = []
        self._opening: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._pairs.add(self)
        self.fall_silent(self._is_silent)
        if self._target:
            self._opening = asyncio.get_running_loop().create_task(self._open(self._target))

    async def _open(self, target: tuple[str, int]) -> None:
        loop = asyncio.get_running_loop()
        try:
            _, other = await loop.create_connection(lambda: _Side(self._pairs, None, self), *target)
        except OSError:
            self.abort()
            return
        self._other = other
        for said in self._early:
            other.write(said)
        if self not in self._pairs:  # who connected has gone meanwhile
            other.abort()

    def write(self, said: bytes) -> None:
        """Send something from this end."""
        if self._transport:
            self._transport.write(said)

    def data_received(self, data: bytes) -> None:
        if self._other:
            self._other.write(data)
        else:
            self._early.append(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._pairs.discard(self)
        if self._other and self._other._transport:
            self._other._transport.close()

    def fall_silent(self, is_silent: bool) -> None:
        """Take in nothing that is said here for now, or go on."""
        if self._transport and not self._transport.is_closing():
            if is_silent:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def abort(self) -> None:
        """Break this end off, without what is still to be sent."""
        if self._transport:
            self._transport.abort()
