"""Server-sent events: how they are spelled, and the response that they are sent in."""

import json
from collections.abc import AsyncIterator

from django.http import StreamingHttpResponse

HEARTBEAT_SECONDS = 15
"""Whoever has had nothing to say for so long says STILL_HERE, so that neither side keeps a connection that
is dead."""
HEARTBEAT = ": still here\n\n"


def event(kind: str, data: object) -> str:
    """An event with data that JSON can hold."""
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"


def event_stream_response(events: AsyncIterator[str]) -> StreamingHttpResponse:
    """A response that sends events as they come."""
    response = StreamingHttpResponse(events, content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"  # for proxies that would wait for more
    return response
