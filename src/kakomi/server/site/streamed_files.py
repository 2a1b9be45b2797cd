"""Files that are generated while they are sent, in pieces, so that they are never completely in memory."""

import zipfile
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import IO, cast

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from kakomi.server.site.database import outside_requests


def file_response(
    request: HttpRequest, pieces: Iterator[bytes], media_type: str, name: str
) -> HttpResponse | StreamingHttpResponse:
    """The response with a generated file. If the client disconnects, it ends after the current piece."""
    if request.method == "HEAD":  # there is no need to generate the content
        response: HttpResponse | StreamingHttpResponse = HttpResponse(content_type=media_type)
    else:
        response = StreamingHttpResponse(_in_threads(pieces), content_type=media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store, private"
    return response


def zipped(files: Iterable[tuple[str, str | bytes]]) -> Iterator[bytes]:
    """Generate a ZIP archive of named files in pieces, one for each file and one for the end."""
    buffer = _Pipe()
    with zipfile.ZipFile(cast(IO[bytes], buffer), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
            yield buffer.taken()
    yield buffer.taken()


async def _in_threads(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield pieces that are generated in threads. The database connection may change between two pieces."""
    following = sync_to_async(outside_requests(lambda: next(pieces, None)))
    while (piece := await following()) is not None:
        yield piece


class _Pipe:
    """A write-only file whose content is taken out as it grows."""

    def __init__(self) -> None:
        self._waiting = bytearray()

    def write(self, data: bytes) -> int:
        self._waiting += data
        return len(data)

    def flush(self) -> None:
        """Do nothing."""

    def taken(self) -> bytes:
        taken = bytes(self._waiting)
        self._waiting.clear()
        return taken
