"""One's own data, for programs."""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Router

from kakomi.server.accounts.auth import guest_behind, guests
from kakomi.server.people.export import archive_response

router = Router(tags=["guests"])


@router.get("/me/archive", auth=guests("account"), response={200: None}, url_name="my_archive")
def my_archive(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """All of one's own data as a ZIP archive: games as records, studies, and all else as JSON."""
    guest = guest_behind(request)
    assert guest is not None  # `guests` let nobody else in
    return archive_response(request, guest)
