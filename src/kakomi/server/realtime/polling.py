"""News of other processes, found by looking into the database."""

import asyncio
import logging
from collections.abc import Callable, Sequence

from asgiref.sync import sync_to_async

from kakomi.server.database import outside_requests
from kakomi.server.realtime.broker import Broker

LOOK_SECONDS = 0.25
_LOG = logging.getLogger(__name__)


async def poll(hub: Broker, pause: Callable[[], float] = lambda: LOOK_SECONDS) -> None:
    """Tell a hub, for ever, of the tables that its listeners watch: one query for all of them.

    `pause` says how many seconds to wait before the next. A listener that has heard it already from its own
    process hears nothing twice.
    """
    while True:
        await asyncio.sleep(pause())
        if watched := hub.watched():
            try:
                hub.tell_all(await sync_to_async(_latest)(watched))
            except Exception:  # a database that is away comes back
                _LOG.exception("looking for news failed; it is tried again")


@outside_requests
def _latest(codes: Sequence[str]) -> dict[str, int]:
    from kakomi.server.tables.models import Table  # announces, and so comes after us

    return dict(Table.objects.filter(code__in=codes).values_list("code", "news"))
