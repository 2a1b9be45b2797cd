"""The page of somebody's notices, what the bell asks, and the page of their preferences."""

from datetime import UTC, datetime
from http import HTTPStatus

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.sessions import PUSH_KEY
from kakomi.server.configuration import configuration
from kakomi.server.language import why
from kakomi.server.notices import outbox, push, services
from kakomi.server.notices.digests import unsubscribing
from kakomi.server.notices.kinds import KINDS
from kakomi.server.notices.models import Endpoint, Mailing
from kakomi.server.notices.preferences import (
    CHANNELS,
    HOURS,
    PACES,
    keep_choices,
    mail_address,
    table_of_wishes,
)
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.push import can_push, public_key


@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    """What a guest was told lately."""
    guest = guest_of(request)
    now = datetime.fromtimestamp(clock.now(), UTC)
    told = [NoticeView(notice) for notice in services.latest(guest)] if guest else []
    response = render(request, "notices/notices.html", {"told": told, "guest": guest, "now": now})
    response["Cache-Control"] = "no-store, private"
    return response


@require_safe
def opened(request: HttpRequest, number: int) -> HttpResponse:
    """Go to the page that a notice leads to; it counts as seen then."""
    guest = guest_of(request)
    notice = services.read(guest, number) if guest else None
    if notice is None:
        raise Http404(lazy_message("You have no such notice."))
    return redirect(NoticeView(notice).address)


@require_safe
def count(request: HttpRequest) -> HttpResponse:
    """How many notices wait, and how many of them are of the table whose page asks."""
    guest = guest_of(request)
    found = services.count_unread(guest)
    table = request.GET.get("table", "")[:10]
    here = services.count_seen_at(guest, table) if guest and table and found else 0
    response = JsonResponse({"count": found, "here": here})
    response["Cache-Control"] = "no-store, private"
    return response


@require_POST
def seen(request: HttpRequest) -> HttpResponse:
    """Note that everything was seen, or what was told of one table; turns stay until one has acted."""
    guest = guest_of(request)
    if guest:
        services.read_all(guest, table=request.POST.get("table", "")[:10])
    if "table" in request.POST:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return redirect("notices")


@require_http_methods(["GET", "HEAD", "POST"])
def wishes(request: HttpRequest) -> HttpResponse:
    """What is told by which way, and when; a POST keeps it."""
    guest = guest_of(request)
    if request.method != "POST":
        return _page(request, guest)
    guest = _known(guest)
    try:
        keep_choices(guest, request.POST)
    except ValueError as error:
        return _page(request, guest, wrong=why(error))
    return redirect(f"{reverse('notice_wishes')}?saved")


@require_POST
def add_browser(request: HttpRequest) -> HttpResponse:
    """Let this browser take push."""
    guest = _known(guest_of(request))
    url, public, secret, label, old = _said(request, "url", "public", "secret", "label", "old")
    sign_in = request.session.sign_in if guest.has_user else None  # type: ignore[attr-defined]
    try:
        added = push.add_browser(guest, url, public, secret, label, old, sign_in)
    except ValueError as error:
        return JsonResponse({"wrong": why(error) or str(error)}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    request.session[PUSH_KEY] = added.pk
    return JsonResponse({"wrong": ""})


@csrf_exempt  # a service worker asks, which has no form; it knows the old address, which is a secret
@require_POST
def change_browser(request: HttpRequest) -> HttpResponse:
    """Go on pushing to this browser, which has changed its subscription by itself."""
    guest = _known(guest_of(request))
    try:
        is_changed = push.change(guest, *_said(request, "old", "url", "public", "secret"))
    except ValueError as error:
        return JsonResponse({"wrong": why(error) or str(error)}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if not is_changed:
        raise Http404(lazy_message("You have nothing of that kind."))
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _said(request: HttpRequest, *names: str) -> list[str]:
    return [request.POST.get(name, "")[:1000] for name in names]


@require_POST
def change_endpoint(request: HttpRequest, number: int) -> HttpResponse:
    """Remove an endpoint, switch it on again, or send a try there."""
    guest = _known(guest_of(request))
    wish = request.POST.get("wish")
    if wish == "remove" and push.remove(guest, number):
        return redirect("notice_wishes")
    if wish == "on" and push.switch_on(guest, number):
        return redirect("notice_wishes")
    found = guest.endpoints.filter(pk=number, is_on=True).first() if wish == "test" else None
    if found is None:
        raise Http404(lazy_message("You have nothing of that kind."))
    push.send_test(guest, found, gettext("This is a try: what you see here works."))
    return redirect(f"{reverse('notice_wishes')}?tried")


@require_POST
def test_mail(request: HttpRequest) -> HttpResponse:
    """Send somebody a mail, at most once a minute, to see whether it arrives."""
    guest = _known(guest_of(request))
    address = mail_address(guest)
    if not address:
        raise Http404(lazy_message("You have given no mail address."))
    said = {
        "to": address,
        "from": settings.DEFAULT_FROM_EMAIL,
        "subject": gettext("A try"),
        "text": gettext("This is a try: what you see here works.") + "\n",
        "html": "",
        "headers": {"Auto-Submitted": "auto-generated"},
    }
    outbox.post("mail", f"test.mail.{guest.pk}.{clock.now() // 60:.0f}", said, guest=guest)
    return redirect(f"{reverse('notice_wishes')}?tried")


@csrf_exempt  # mail programs send this by themselves (RFC 8058); the token says who asked
@require_http_methods(["GET", "HEAD", "POST"])
def off(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the mail to an address, for whoever has the link from one of them, signed in or not."""
    meant = unsubscribing(token)
    if meant is None:
        raise Http404(lazy_message("This link is not complete."))
    if request.method == "POST" and Guest.objects.filter(pk=meant[0]).exists():  # else nothing is mailed
        Mailing.objects.update_or_create(guest_id=meant[0], defaults={"pace": "off"})
    context = {"address": meant[1], "is_off": request.method == "POST"}
    response = render(request, "notices/off.html", context)
    response["Cache-Control"] = "no-store, private"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _known(guest: Guest | None) -> Guest:
    if guest is None:
        raise Http404(lazy_message("The site does not know you yet: begin a game first."))
    return guest


def _page(request: HttpRequest, guest: Guest | None, **more: object) -> HttpResponse:
    mailing = Mailing.objects.filter(guest=guest).first() if guest else None
    chosen = table_of_wishes(guest) if guest else {}
    context = {
        "guest": guest,
        "mailing": mailing or Mailing(guest=guest),
        "rows": [(KINDS[name], [(c, wanted[c]) for c in CHANNELS]) for name, wanted in chosen.items()],
        "paces": [(name, label) for name, (label, _) in PACES.items()],
        "hours": HOURS,
        "address": mail_address(guest) if guest else "",
        "has_mail_server": bool(configuration().mail_url),
        "post_address": configuration().post_address,
        "push_key": public_key() if can_push() else "",
        "endpoints": list(Endpoint.objects.filter(guest=guest).order_by("pk")) if guest else [],
        "saved": "saved" in request.GET,
        "tried": "tried" in request.GET,
        **more,
    }
    response = render(request, "notices/wishes.html", context, status=422 if "wrong" in more else 200)
    response["Cache-Control"] = "no-store, private"
    return response
