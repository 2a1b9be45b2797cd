"""The pages of a guest's notices and preferences, and the requests of the bell and of browsers."""

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
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import note_presence
from kakomi.server.accounts.sessions import PUSH_KEY
from kakomi.server.notices import outbox, push, services
from kakomi.server.notices.digests import parse_unsubscribe_token
from kakomi.server.notices.kinds import GROUPS, KINDS
from kakomi.server.notices.models import Endpoint, Mailing
from kakomi.server.notices.preferences import (
    HOURS,
    PACES,
    groups_of,
    mail_address,
    preferences_of,
    save_form,
    save_kinds,
)
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.push import can_push, public_key
from kakomi.server.site import clock
from kakomi.server.site.configuration import configuration
from kakomi.server.site.language import why


@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    """The page of a guest's latest notices."""
    guest = guest_of(request)
    now = datetime.fromtimestamp(clock.now(), UTC)
    views = [NoticeView(notice) for notice in services.latest(guest)] if guest else []
    response = render(request, "notices/notices.html", {"notices": views, "guest": guest, "now": now})
    response["Cache-Control"] = "no-store, private"
    return response


@require_safe
def open_notice(request: HttpRequest, number: int) -> HttpResponse:
    """Mark a notice as read and redirect to the page that it leads to."""
    guest = guest_of(request)
    notice = services.mark_read(guest, number) if guest else None
    if notice is None:
        raise Http404(lazy_message("Notification not found."))
    return redirect(NoticeView(notice).address)


@require_safe
def count(request: HttpRequest) -> HttpResponse:
    """The number of unread notices, in all and for the requested table, as JSON.

    Pages ask as long as they are open, so this is also how the site knows who is online.
    """
    if guest := guest_of(request):
        note_presence(guest)
    found = services.count_unread(guest)
    table = request.GET.get("table", "")[:10]
    here = services.count_seen_at(guest, table) if guest and table and found else 0
    response = JsonResponse({"count": found, "here": here})
    response["Cache-Control"] = "no-store, private"
    return response


@require_POST
def mark_seen(request: HttpRequest) -> HttpResponse:
    """Mark all notices, or those of one table, as read; turns stay until the guest has acted."""
    guest = guest_of(request)
    if guest:
        services.mark_all_read(guest, table=request.POST.get("table", "")[:10])
    if "table" in request.POST:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return redirect("notices")


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """The page of preferences; a POST saves them."""
    guest = guest_of(request)
    if request.method != "POST":
        return _page(request, guest)
    guest = _require_guest(guest)
    try:
        if "each" in request.POST:
            save_kinds(guest, request.POST.getlist("preference"))
        else:
            save_form(guest, request.POST)
    except ValueError as error:
        return _page(request, guest, wrong=why(error))
    return redirect(f"{reverse('notice_preferences')}?saved")


@require_POST
def add_browser(request: HttpRequest) -> HttpResponse:
    """Register this browser for push."""
    guest = _require_guest(guest_of(request))
    url, public, secret, label, old = _fields(request, "url", "public", "secret", "label", "old")
    sign_in = request.session.sign_in if guest.has_user else None  # type: ignore[attr-defined]
    try:
        added = push.add_browser(guest, url, public, secret, label, old, sign_in)
    except ValueError as error:
        return JsonResponse({"wrong": why(error) or str(error)}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    request.session[PUSH_KEY] = added.pk
    return JsonResponse({"wrong": ""})


@csrf_exempt  # from a service worker, which has no form; the old address serves as the secret
@require_POST
def change_browser(request: HttpRequest) -> HttpResponse:
    """Update the subscription of a browser that has changed it on its own."""
    guest = _require_guest(guest_of(request))
    try:
        is_changed = push.change(guest, *_fields(request, "old", "url", "public", "secret"))
    except ValueError as error:
        return JsonResponse({"wrong": why(error) or str(error)}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if not is_changed:
        raise Http404(lazy_message("Device or address not found."))
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _fields(request: HttpRequest, *names: str) -> list[str]:
    return [request.POST.get(name, "")[:1000] for name in names]


@require_POST
def change_endpoint(request: HttpRequest, number: int) -> HttpResponse:
    """Remove an endpoint, switch it on again, or send it a test message."""
    guest = _require_guest(guest_of(request))
    action = request.POST.get("do")
    if action == "remove" and push.remove(guest, number):
        return redirect("notice_preferences")
    if action == "on" and push.switch_on(guest, number):
        return redirect("notice_preferences")
    found = guest.endpoints.filter(pk=number, is_on=True).first() if action == "test" else None
    if found is None:
        raise Http404(lazy_message("Device or address not found."))
    push.send_test(guest, found, gettext("This is a test: notifications work here."))
    return redirect(f"{reverse('notice_preferences')}?tried")


@require_POST
def test_mail(request: HttpRequest) -> HttpResponse:
    """Send the guest a test mail, at most once a minute."""
    guest = _require_guest(guest_of(request))
    address = mail_address(guest)
    if not address:
        raise Http404(lazy_message("You haven’t added an email address."))
    content = {
        "to": address,
        "from": settings.DEFAULT_FROM_EMAIL,
        "subject": gettext("Test"),
        "text": gettext("This is a test: notifications work here.") + "\n",
        "html": "",
        "headers": {"Auto-Submitted": "auto-generated"},
    }
    outbox.enqueue("mail", f"test.mail.{guest.pk}.{clock.now() // 60:.0f}", content, guest=guest)
    return redirect(f"{reverse('notice_preferences')}?tried")


@csrf_exempt  # mail programs post this directly (RFC 8058); the token authenticates it
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Stop a guest's mail, for anyone with an unsubscribe link, signed in or not."""
    link = parse_unsubscribe_token(token)
    if link is None:
        raise Http404(lazy_message("This link is incomplete."))
    if request.method == "POST" and Guest.objects.filter(pk=link[0]).exists():  # else nothing to stop
        Mailing.objects.update_or_create(guest_id=link[0], defaults={"pace": "off", "plays_by_mail": False})
    context = {"address": link[1], "is_off": request.method == "POST"}
    response = render(request, "notices/off.html", context)
    response["Cache-Control"] = "no-store, private"
    response["Referrer-Policy"] = "no-referrer"
    return response


def _require_guest(guest: Guest | None) -> Guest:
    if guest is None:
        raise Http404(lazy_message("Start a game first."))
    return guest


def _page(request: HttpRequest, guest: Guest | None, **more: object) -> HttpResponse:
    mailing = Mailing.objects.filter(guest=guest).first() if guest else None
    chosen, groups = (preferences_of(guest), groups_of(guest)) if guest else ({}, {})
    context = {
        "guest": guest,
        "mailing": mailing or Mailing(guest=guest),
        "groups": [(name, GROUPS[name][0], wanted.items()) for name, wanted in groups.items()],
        "rows": [(KINDS[name], wanted.items()) for name, wanted in chosen.items()],
        "paces": [(name, label) for name, (label, _) in PACES.items()],
        "hours": HOURS,
        "address": mail_address(guest) if guest else "",
        "has_mail_server": bool(configuration().mail_url),
        "post_address": configuration().mail_in_address,
        "push_key": public_key() if can_push() else "",
        "endpoints": list(Endpoint.objects.filter(guest=guest).order_by("pk")) if guest else [],
        "saved": "saved" in request.GET,
        "tried": "tried" in request.GET,
        **more,
    }
    response = render(request, "notices/preferences.html", context, status=422 if "wrong" in more else 200)
    response["Cache-Control"] = "no-store, private"
    return response
