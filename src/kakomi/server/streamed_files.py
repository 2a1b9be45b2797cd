"""Files that are made while they are sent: piece by piece, each in a thread, and never whole in memory."""

import zipfile
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import IO, cast

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from kakomi.server.database import outside_requests


def file_response(
    request: HttpRequest, pieces: Iterator[bytes], media_type: str, name: str
) -> HttpResponse | StreamingHttpResponse:
    """A file of this name, sent while it is made. A client that goes away ends that after a piece."""
    if request.method == "HEAD":  # what nobody reads isn't made
        response: HttpResponse | StreamingHttpResponse = HttpResponse(content_type=media_type)
    else:
        response = StreamingHttpResponse(_in_threads(pieces), content_type=media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store, private"
    return response


def zipped(files: Iterable[tuple[str, str | bytes]]) -> Iterator[bytes]:
    """A ZIP archive of named files in pieces, one for each file."""
    buffer = _Pipe()
    with zipfile.ZipFile(cast(IO[bytes], buffer), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
            yield buffer.taken()
    yield buffer.taken()


async def _in_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """One piece after the other; between two of them the database connection may be another."""
    following = sync_to_async(outside_requests(lambda: next(pieces, None)))
    while (piece := await following()) is not None:
        yield piece


class _Pipe:
    """A file that only grows, and whose content is taken off at the other end."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def write(self, data: bytes) -> int:
        self._waiting += data
        return len(data)

    def flush(self) -> None:
        """There is nothing behind it."""

    def taken(self) -> bytes:
        taken = bytes(self._waiting)
        self._waiting.clear()
        return taken
