"""A tournament's server-sent events: news numbers, on which a page fetches what has changed.

Also calls, which tell all pages of a player that their live game has begun.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import ExitStack

from asgiref.sync import sync_to_async
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.realtime import BROKER
from kakomi.server.realtime.broker import ThreadEvent
from kakomi.server.realtime.sse import event, event_stream_response, stream_response, topic_events
from kakomi.server.site.database import outside_requests
from kakomi.server.tournaments.logs import topic_of
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.selectors import call_to


@require_safe
async def events(request: HttpRequest, code: str) -> StreamingHttpResponse:
    """An endless stream of `tournament` events with the latest news number, starting with the current one."""
    del request

    async def latest() -> int | None:
        return await Tournament.objects.filter(code=code).values_list("news", flat=True).afirst()

    async def to_event(number: int) -> AsyncGenerator[str, None]:
        yield event("tournament", number)

    async def present(kind: str, content: object) -> object:
        del kind, content
        return None  # viewers aren't shown to each other

    return stream_response(topic_events(topic_of(code), None, to_event, latest, present))


@require_safe
async def calls(request: HttpRequest) -> StreamingHttpResponse:
    """An endless stream for all pages of a guest: `call` with a live game that is waiting for their first
    turn, or null when none is."""

    def load() -> tuple[Guest | None, list[str]]:
        guest = guest_of(request)
        entries = guest.tournament_entries.awaiting_live_rounds() if guest else ()
        return guest, [topic_of(each.tournament.code) for each in entries]

    guest, topics = await sync_to_async(load)()
    return event_stream_response(_call_events(guest, topics, translation.get_language()))


async def _call_events(
    guest: Guest | None, topics: Sequence[str], language: str | None
) -> AsyncGenerator[str, None]:
    wake = ThreadEvent()
    with ExitStack() as stack:
        for topic in topics:
            stack.enter_context(BROKER.listening(topic, wake))
        sent: object = ...
        while True:
            found = await sync_to_async(outside_requests(_call))(guest, language)
            if (code := found and found["address"]) != sent:
                sent = code
                yield event("call", found)
            await wake.wait()


def _call(guest: Guest | None, language: str | None) -> dict[str, object] | None:
    call = call_to(guest) if guest else None
    if call is None:
        return None
    row = call.game.round.tournament
    with translation.override(language):
        said = gettext("Your game in {tournament} has started: round {round}.")
        return {
            "address": reverse("table", args=[call.game.table.code]),
            "said": said.format(tournament=row.name, round=call.game.round.number),
            "left": call.left,
        }
