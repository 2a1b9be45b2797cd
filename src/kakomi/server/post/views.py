"""The page that a link in a mail leads to: nothing happens there until a button is pressed."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from kakomi.core.i18n import lazy_message
from kakomi.server.language import why
from kakomi.server.post.confirmation_handlers import confirm_by_link
from kakomi.server.post.models import Confirmation
from kakomi.server.post.reply_addresses import LONGEST, Purpose, Token
from kakomi.session import Refused


@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm what a mail asks for; a POST does it."""
    meant = Token.parse(token[: LONGEST + 1])
    if meant is None or meant.purpose != Purpose.CONFIRMATION:
        raise Http404(lazy_message("This link is not complete."))
    wrong = ""
    if request.method == "POST":
        try:
            confirm_by_link(meant)
        except Refused as error:
            wrong = why(error)
    kept = Confirmation.objects.filter(pk=meant.subject).first()
    is_done = request.method == "POST" and not wrong
    context = {
        "kept": kept,
        "is_done": is_done,
        "wrong": wrong,
        "is_over": kept is None or kept.done_at is not None,
    }
    response = render(request, "post/confirm.html", context, status=422 if wrong else 200)
    response["Cache-Control"] = "no-store, private"
    response["Referrer-Policy"] = "no-referrer"
    return response
