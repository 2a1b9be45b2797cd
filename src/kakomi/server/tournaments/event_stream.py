"""Events of a tournament: the numbers of its news, upon which a page asks for what has changed."""

from collections.abc import AsyncGenerator

from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_safe

from kakomi.server.realtime.sse import event, stream_response, topic_events
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.news import topic_of


@require_safe
async def events(request: HttpRequest, code: str) -> StreamingHttpResponse:
    """An endless stream: `tournament` with the number of the latest news, first of all that of now."""
    del request

    async def latest() -> int | None:
        return await Tournament.objects.filter(code=code).values_list("news", flat=True).afirst()

    async def told(number: int) -> AsyncGenerator[str, None]:
        yield event("tournament", number)

    async def present(kind: str, content: object) -> object:
        del kind, content
        return None  # nobody is told who looks on

    return stream_response(topic_events(topic_of(code), None, told, latest, present))
