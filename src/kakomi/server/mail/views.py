"""The page behind a mail's confirmation link. Opening it does nothing; its button confirms."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from kakomi.core.i18n import lazy_message
from kakomi.server.mail.confirmation_handlers import confirm_by_link
from kakomi.server.mail.models import Confirmation
from kakomi.server.mail.reply_addresses import LONGEST, Purpose, Token
from kakomi.server.site.language import why
from kakomi.session import Refused


@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a mail's link would confirm; a POST confirms it."""
    parsed = Token.parse(token[: LONGEST + 1])
    if parsed is None or parsed.purpose != Purpose.CONFIRMATION:
        raise Http404(lazy_message("This link is incomplete."))
    wrong = ""
    if request.method == "POST":
        try:
            confirm_by_link(parsed)
        except Refused as error:
            wrong = why(error)
    confirmation = Confirmation.objects.filter(pk=parsed.subject).first()
    is_done = request.method == "POST" and not wrong
    context = {
        "confirmation": confirmation,
        "is_done": is_done,
        "wrong": wrong,
        "is_over": confirmation is None or confirmation.done_at is not None,
    }
    response = render(request, "mail/confirm.html", context, status=422 if wrong else 200)
    response["Cache-Control"] = "no-store, private"
    response["Referrer-Policy"] = "no-referrer"
    return response
