"""The API operation for a guest's own data."""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Router

from kakomi.server.accounts.auth import guests, optional_guest
from kakomi.server.people.export import archive_response

router = Router(tags=["guests"])


@router.get("/me/archive", auth=guests("account"), response={200: None}, url_name="my_archive")
def my_archive(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Download all your data as a ZIP archive: games as records, studies, and everything else as JSON."""
    guest = optional_guest(request)
    assert guest is not None  # `guests` requires one
    return archive_response(request, guest)
