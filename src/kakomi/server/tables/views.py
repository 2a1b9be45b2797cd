"""Pages of tables: opening one, sitting down, looking and acting; the public list; pictures and embeds."""

import logging
from functools import partial
from http import HTTPStatus
from typing import NamedTuple

from asgiref.sync import sync_to_async
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.forms import name_in, why_not
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.services import save_preferences
from kakomi.server.boards.board_look import ViewPreferences, save_look
from kakomi.server.boards.fragments import is_partial, respond
from kakomi.server.boards.presenters import effects_data
from kakomi.server.boards.sharing import (
    CHANGING,
    LASTING,
    LATER_SECONDS,
    Frame,
    LinkPreview,
    board_alt,
    shared_frame,
    shared_png,
    shared_svg,
    unlisted,
)
from kakomi.server.engines import shared_pool
from kakomi.server.realtime import announced_afterwards
from kakomi.server.site.database import is_unwritable
from kakomi.server.site.exceptions import NOT_KEPT, KeyReused
from kakomi.server.site.games import board_label, find_description
from kakomi.server.site.language import translate, why
from kakomi.server.site.rendering import RenderJob
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables import models, selectors, services, wording
from kakomi.server.tables.command_handlers import handle_table_command
from kakomi.server.tables.commands import SideCommand, Stale, submission_of_form
from kakomi.server.tables.deadlines import await_browser
from kakomi.server.tables.event_stream import AUDIENCE
from kakomi.server.tables.form_presenter import TableFormPresenter
from kakomi.server.tables.forms import TableForm
from kakomi.server.tables.fragments import fragments_of
from kakomi.server.tables.listings import ListQuery, list_context, list_preview
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.presenters import TablePresenter, ViewContext
from kakomi.server.tables.services import TableChange
from kakomi.server.tables.suggestion import suggestion_for
from kakomi.server.tables.summaries import GameSummary, Invitation, ListedGame
from kakomi.server.tables.table_request import has_account
from kakomi.session import Refused

GAME_HEADER = "Kakomi-Game"
"""The request header with the number of the match's game that a page shows. The page keeps showing this game
when the next one has begun."""
STREAM_HEADER = "Kakomi-Stream"
"""The request header with the name of the page's event stream."""
ENGINE_HEADER = "Kakomi-Engine"
"""The request header by which a page says that an engine runs in its browser."""
_LOG = logging.getLogger(__name__)


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, game: str) -> HttpResponse:
    """Show the form for a game; on POST, open the table and redirect to it."""
    description = find_description(game)
    if request.method != "POST":
        shared_pool().prepare(game)
        initial = request.GET.dict()
        may_be_rated = has_account(guest_of(request))
        return _form(request, TableForm(description, initial=initial, may_be_rated=may_be_rated))
    form = TableForm(description, request.POST.dict(), may_be_rated=has_account(guest_of(request)))
    if not form.is_valid() or form.table_request is None:
        return _form(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        return redirect("table", services.open_table(form.table_request, known_guest(request)).code)
    except Refused as error:  # the guest may not begin such a game for now; the form has checked all else
        form.add_error("rated" if form.table_request.is_rated else "opponent", why(error))
        return _form(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)


def _form(request: HttpRequest, form: TableForm, status: int = HTTPStatus.OK) -> HttpResponse:
    suggestion = suggestion_for(guest_of(request), form.description.name)
    template = "tables/_begin.html" if is_partial(request) else "tables/begin.html"
    context = {"form": TableFormPresenter.of(form, suggestion), "description": form.description}
    return render(request, template, context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, invitation: str) -> HttpResponse:
    """Show an invitation to a seat; on POST, sit down."""
    seat = selectors.invited_seat(invitation)
    if seat is None:
        raise Http404(lazy_message("Invitation not found. The link may be incomplete."))
    guest = guest_of(request)
    if guest is not None and seat.guest_id == guest.pk:
        return redirect("table", seat.table.code)
    invited, name = Invitation.of(seat, guest), name_in(request.POST)
    if wrong := why_not(name):
        context = {"invited": invited, "wrong": wrong, "name": name}
        return render(request, "tables/join.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    refused = ""
    if request.method == "POST" and invited.may_sit_down:
        try:
            guest = known_guest(request)
            if name:
                save_preferences(guest, {"name": name})
            if services.sit_down(seat, guest):
                return redirect("table", seat.table.code)
        except Refused as error:
            refused = why(error)
    seat.refresh_from_db()
    invited = Invitation.of(seat, guest)
    status = _join_status(invited)
    if refused and status == HTTPStatus.OK:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "tables/join.html", {"invited": invited, "refused": refused}, status=status)


@require_POST
def decline(request: HttpRequest, invitation: str) -> HttpResponse:
    """Decline an invitation, with or without a reason. The players who invited are notified."""
    seat = selectors.invited_seat(invitation)
    if seat is None:
        raise Http404(lazy_message("Invitation not found. The link may be incomplete."))
    guest = guest_of(request)
    invited, has_declined, refused = Invitation.of(seat, guest), False, ""
    if invited.may_sit_down:
        try:
            services.decline(seat, request.POST.get("reason", "declined"))
            has_declined = True
        except Refused as error:
            refused = why(error)
    seat.refresh_from_db()
    invited = Invitation.of(seat, guest)
    status = HTTPStatus.OK if has_declined else _join_status(invited)
    if refused and status == HTTPStatus.OK:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    context = {"invited": invited, "has_declined": has_declined, "refused": refused}
    return render(request, "tables/join.html", context, status=status)


def _join_status(invited: Invitation) -> HTTPStatus:
    if not invited.seat.is_free:
        return HTTPStatus.CONFLICT
    return HTTPStatus.FORBIDDEN if invited.is_kept_out else HTTPStatus.OK


def table(request: HttpRequest, code: str) -> HttpResponse:
    """The whole page, or only its changed fragments. The query's `ply` shows the position after so many
    actions; `game` selects an earlier game of the match."""
    return _table(request, _seen_by(request, selectors.find_table(code)))


@require_safe
def next_game(request: HttpRequest) -> HttpResponse:
    """Redirect to the game that waits for the guest after the one they come from, or to the home page."""
    guest = guest_of(request)
    row = selectors.next_waiting(guest, request.GET.get("after", "")[:10]) if guest else None
    return redirect("table", row.code) if row else redirect("home")


@require_POST
def act(request: HttpRequest, code: str) -> HttpResponse:
    """Execute a command. The response is the table as it is then, with the reason if the command was refused.

    Other viewers are notified after the response is rendered, as their pages reuse what it has cached.
    """
    with announced_afterwards():
        return _act(request, code)


def _act(request: HttpRequest, code: str) -> HttpResponse:
    row = selectors.find_table(code)
    viewer = Viewer.of(row, guest_of(request))
    try:
        submission = submission_of_form(request.POST)
        outcome = handle_table_command(row, viewer, submission)
    except KeyReused:  # a second click elsewhere, on a page that doesn't show the effect of the first one yet
        refusal, status = why(Stale()), HTTPStatus.CONFLICT
    except Stale as error:
        refusal, status = why(error), HTTPStatus.CONFLICT
    except (Refused, IllegalAction) as error:
        refusal, status = why(error), HTTPStatus.UNPROCESSABLE_ENTITY
    except DatabaseError as error:
        if not is_unwritable(error):
            raise  # the database is down: the page sends the command again
        _LOG.warning("what was done at table %s could not be kept: %s", code, error)
        refusal, status = str(NOT_KEPT), HTTPStatus.INSUFFICIENT_STORAGE
    else:
        if not is_partial(request):
            return redirect("table", outcome.row.code)
        if outcome.row.code != code:  # the rematch
            return HttpResponseClientRedirect(reverse("table", args=[outcome.row.code]))
        if isinstance(submission.command, SideCommand):
            viewer = Viewer.of(outcome.row, viewer.guest)
        seen = _presented(request, outcome, viewer)
        if ENGINE_HEADER in request.headers and (decision := seen.shown.decision):
            await_browser(outcome.row, decision["simulations"])
        return _table(request, seen)
    row = selectors.find_table(code)
    outcome, viewer = TableChange(row, selectors.table_of(row)), Viewer.of(row, viewer.guest)
    return _table(request, _presented(request, outcome, viewer, refusal), status)


@require_POST
def look(request: HttpRequest, code: str) -> HttpResponse:
    """Save a viewer's preferences for the boards of a game, and return the table with them."""
    row, guest = selectors.find_table(code), guest_of(request)
    ViewPreferences.of(request.POST).save(request.session, row.game)
    save_look(request)
    if guest is not None and "confirms_known" in request.POST:
        guest.confirms_turns = "confirms" in request.POST
        guest.save(update_fields=["confirms_turns"])
    if not is_partial(request):
        return redirect("table", code)
    return _table(request, _seen_by(request, row))


@require_safe
def effects(request: HttpRequest, code: str) -> HttpResponse:
    """The effects of each action that the viewer can play now."""
    shown, _ = _seen_by(request, selectors.find_table(code))
    response = JsonResponse(effects_data(shown.position) if shown.may_play else {"effects": {}})
    response["Cache-Control"] = "private, no-store"
    return response


@require_POST
def delete(request: HttpRequest, code: str) -> HttpResponse:
    """Remove a game from the guest's list, which then offers to restore it.

    Leads to the table of a game against people in which it is the guest's turn: their clock is running.
    """
    guest = guest_of(request)
    if guest is not None:
        row = selectors.tables_of(guest, is_over=False).filter(code=code).first()
        if row is not None and not GameSummary.of(row, guest).may_be_hidden:
            return redirect("table", code)
    _set_hidden(request, code, hidden=True)
    return redirect(f"{reverse('home')}?deleted={code}#left-off")


@require_POST
def bring_back(request: HttpRequest, code: str) -> HttpResponse:
    """Restore a game to the guest's list."""
    _set_hidden(request, code, hidden=False)
    return redirect(f"{reverse('home')}#left-off")


def _set_hidden(request: HttpRequest, code: str, *, hidden: bool) -> None:
    guest = guest_of(request)
    if guest is None or not services.set_hidden(code, guest, hidden=hidden):
        raise Http404(lazy_message("Game not found in your list."))


class Seen(NamedTuple):
    """A table as somebody sees it."""

    shown: TablePresenter
    context: ViewContext


def _seen_by(request: HttpRequest, row: models.Table) -> Seen:
    """A table as the sender of a request sees it."""
    viewer = Viewer.of(row, guest_of(request))
    return _presented(request, TableChange(row, selectors.table_of(row)), viewer)


def _presented(request: HttpRequest, outcome: TableChange, viewer: Viewer, refusal: str = "") -> Seen:
    """A table as a viewer sees it, at the moment and with the preferences of a request."""
    moment = {name: whole_number(request.GET.get(name)) for name in ("game", "ply")}
    if moment["game"] is None:
        moment["game"] = whole_number(request.headers.get(GAME_HEADER))
    context = ViewContext.of(request, viewer, outcome.row)
    shown = TablePresenter.of(outcome.row, outcome.table, viewer, context.preferences, refusal, **moment)
    return Seen(shown, context)


def _table(request: HttpRequest, seen: Seen, status: int = HTTPStatus.OK) -> HttpResponse:
    """The whole page, or for an open page only the fragments that it lacks."""
    shown, context = seen
    given: dict[str, object] = {"shown": shown}
    if not is_partial(request):
        given["preview"] = link_preview(request, shown)
    sent = partial(AUDIENCE.record, request.headers.get(STREAM_HEADER, ""), shown, context)
    fragments = fragments_of(shown, context, request)
    response = respond(request, fragments, "tables/table.html", given, status, sent)
    return response if shown.row.listed_at else unlisted(response)


@require_safe
def listed_games(request: HttpRequest) -> HttpResponse:
    """The page of publicly listed games, newest first."""
    query = ListQuery.of(request.GET)
    page = selectors.listed_tables(query)
    image = reverse("table_png", args=[page.rows[0].code]) if page.rows else ""
    context = {
        **list_context(query, "listed_games", page),
        "listed": [ListedGame.of(row) for row in page.rows],
        "preview": list_preview(
            request,
            gettext("Public games"),
            gettext("Public games between people and bots."),
            image,
        ),
    }
    return render(request, "tables/listed.html", context)


def link_preview(request: HttpRequest, shown: TablePresenter) -> LinkPreview:
    """A table's link preview, with nothing that depends on the viewer."""
    game, code = shown.leg.game, shown.row.code
    title = translate(game.description.title)
    names = " – ".join(wording.seat_label(place.seat) for place in shown.seats)
    summary = translate(game.description.summary)
    return LinkPreview(
        title=f"{title}: {names}",
        description=f"{board_label(game)} · {shown.headline if shown.is_over else summary}",
        url=request.build_absolute_uri(reverse("table", args=[code])),
        image=request.build_absolute_uri(reverse("table_png", args=[code])),
        alt=board_alt(title),
    )


@require_safe
def picture_svg(request: HttpRequest, code: str) -> HttpResponse:
    """The current board of a table as SVG; `theme` in the query may be light, dark or auto."""
    row = selectors.find_table(code)
    position = selectors.table_of(row).match.position
    return shared_svg(request, position, LASTING if row.is_over else CHANGING)


@require_safe
async def picture_png(request: HttpRequest, code: str) -> HttpResponse:
    """The current board as PNG, for programs without SVG support. 503 if it can't be rendered now."""
    del request
    return await shared_png(await sync_to_async(_render_job)(code), f"public, max-age={LATER_SECONDS}")


def _render_job(code: str) -> RenderJob:
    leg = selectors.table_of(selectors.find_table(code)).match.current_game
    actions = [leg.game.action_texts[action] for action in leg.actions()]
    return RenderJob("png", leg.game.name, dict(leg.game.options), [actions], position=leg.config.position)


@require_safe
def embed(request: HttpRequest, code: str) -> HttpResponse:
    """A board for an `<iframe>` that follows the game until it is over."""
    row = selectors.find_table(code)
    table = selectors.table_of(row)
    title = translate(table.match.current_game.game.description.title)
    seats = " – ".join(wording.seat_label(seat) for seat in row.seats.all())
    picture = reverse("table_picture", args=[code])
    frame = Frame(
        title=title,
        caption=f"{title}: {seats}",
        picture=f"{picture}?theme=auto",
        link=reverse("table", args=[code]),
        again=None if table.is_over else LATER_SECONDS,
    )
    return shared_frame(request, frame)
