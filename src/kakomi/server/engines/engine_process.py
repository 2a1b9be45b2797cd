"""An engine of ours as a child process of the site."""

from collections.abc import Callable, Sequence
from typing import Any

from kakomi.core.i18n import lazy_join, lazy_message
from kakomi.protocol.engine_client import Answer, EngineClient
from kakomi.protocol.exceptions import (
    EngineError,
    EngineExitError,
    EngineStartError,
    EngineTimeoutError,
    ProtocolError,
)
from kakomi.server.engines.exceptions import EngineLostError, EnginePoolError
from kakomi.server.engines.fair_queue import Payload

NICENESS = 5
"""The site itself comes first."""
SILENCE_SECONDS = 300.0
"""An engine that says nothing for so long while it works is taken for lost; compiling may take a minute."""
STOPPED_SECONDS = 30.0
"""The same after a stop. An engine stops at once, unless it compiles or names a komi."""


class EngineProcess:
    """One engine, which answers one request at a time. It belongs to the event loop that started it."""

    def __init__(self, client: EngineClient) -> None:
        self._client = client

    @staticmethod
    async def started(command: Sequence[str]) -> "EngineProcess":
        """A new one. Raises EngineLostError if the program can't be started."""
        try:
            return EngineProcess(await EngineClient.start(command, niceness=NICENESS))
        except EngineError as error:
            raise EngineLostError(_translatable(error)) from None

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._client.pid

    async def ask(self, request: dict[str, Any], on_report: Callable[[Payload], None]) -> Payload:
        """The result of a request. Raises EnginePoolError if it refuses, EngineLostError if it is lost."""
        fields = {name: value for name, value in request.items() if name != "command"}
        try:
            answer = await self._client.ask(
                request["command"], fields, seconds=SILENCE_SECONDS, on_report=on_report, renews=True
            )
        except EngineError as error:
            raise EngineLostError(_translatable(error)) from None
        return _result(answer)

    def stop(self) -> None:
        """Have the request that is being answered answered at once, with the best found so far."""
        self._client.stop(STOPPED_SECONDS)

    async def close(self) -> None:
        """End it at once; it has nothing to lose."""
        await self._client.close(grace=0)


def _result(answer: Answer) -> Payload:
    if answer.error is not None:
        raise EnginePoolError(lazy_message("an engine refused: {why}", why=answer.error.message))
    assert answer.result is not None, "an answer is a result or an error"
    return answer.result


def _translatable(error: EngineError) -> str:
    """The error in a translatable sentence that begins with "an engine"."""
    match error:
        case EngineStartError():
            return lazy_message("an engine can't be started: {why}", why=error.why)
        case EngineTimeoutError():
            return lazy_message("an engine did not answer {what}", what=error.command)
        case EngineExitError():
            return _how_it_ended(error)
        case ProtocolError() if error.line:
            return lazy_message("an engine wrote {what}", what=error.line)
        case _:
            return lazy_message("an engine can't be listened to: {why}", why=error.reason)


def _how_it_ended(error: EngineExitError) -> str:
    if error.code < 0:
        how = lazy_message("an engine was ended by signal {number}", number=-error.code)
    else:
        how = lazy_message("an engine ended with exit code {number}", number=error.code)
    return lazy_join(": ", [how, error.last_words]) if error.last_words else how
