"""A table's page in fragments: an open page sends the etags of those it has, and gets the others."""

import json
from collections.abc import Callable, Hashable, Mapping
from functools import partial

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from kakomi.server.boards.fragments import (
    Fragment,
    FragmentSet,
    Maker,
    board_fragment,
    changed_board,
    digested_fragment,
    empty_fragment,
    fragment,
    look_fragment,
)
from kakomi.server.boards.presenters import PREFIX
from kakomi.server.boards.template_tags import render_cached
from kakomi.server.site.language import translate
from kakomi.server.tables.clock_texts import clock_face
from kakomi.server.tables.extensions import MENU, PANELS
from kakomi.server.tables.permissions import may_run_bots
from kakomi.server.tables.presenters import TablePresenter, ViewContext
from kakomi.server.tables.seats import SeatView
from kakomi.server.tables.wording import score_lines, why


def fragments_of(
    shown: TablePresenter, context: ViewContext, request: HttpRequest | None = None
) -> FragmentSet[TablePresenter]:
    """The fragments of a table for a viewer, in the active language.

    Without a request, the forms for players who wait for somebody to sit down have no CSRF token.
    """
    waiting: Maker[TablePresenter] = partial(_waiting, site=context.site, request=request)
    makers = {**_MAKERS, "waiting": waiting, "board_look": lambda _: look_fragment(context.look)}
    return FragmentSet(shown, {**_root(shown), "data-look": context.look.words}, makers, _REST_MAKERS)


def _root(shown: TablePresenter) -> dict[str, object]:
    """The attributes of the table's root element."""
    title, row = shown.leg.game.description.title, shown.row
    address = reverse("table", args=[row.code])
    return {
        "id": "table",
        "class": "table are-two" if len(shown.seats) == 2 else "table",
        "aria-label": title,
        "data-address": address,
        "data-events": f"{address}/events",
        "data-news": row.news,
        "data-entries": row.entries,
        "data-title": f"{gettext('● Your turn')} · {title}" if shown.acting else f"{title} · Kakomi",
        "data-acting": shown.acting is not None,
        "data-over": shown.is_over,
        "data-past": bool(shown.past),
        "data-playing": shown.may_play,
        "data-waits": shown.may_premove,
        "data-turn": f"{shown.steps.game}-{shown.turn.begun_at}",
        "data-decides": bool(shown.decision) and json.dumps(shown.decision),
        "data-here": f"{address}/here" if shown.viewer.faces_people else False,
        "data-complete": shown.turn.is_complete and not shown.past,
        "data-legal": shown.preferences.is_dotted,
        "data-rule": shown.guidance.rule if shown.guidance else False,
        **({} if shown.past else shown.spoken),
    }


def _command(shown: TablePresenter) -> Fragment:
    """The hidden fields with which the next command describes the state of the sender's page."""
    field = '<input type="hidden" name="{}" value="{}">'
    fields = {"base": shown.row.entries, "key": shown.key, "seen": " ".join(shown.turn.actions)}
    return Fragment("command", mark_safe("".join(format_html(field, *item) for item in fields.items())))


def _turn(shown: TablePresenter) -> Fragment:
    if shown.past:
        return _past(shown)
    if shown.is_over:
        return empty_fragment("turn")
    return fragment("turn", "tables/_table_turn.html", prompt=shown.prompt, is_yours=bool(shown.acting))


def _past(shown: TablePresenter) -> Fragment:
    assert shown.past
    return fragment(
        "turn",
        "tables/_table_past.html",
        game=shown.past.game,
        ply=shown.past.ply,
        length=shown.past.length,
        code=shown.row.code,
        headline=shown.past_headline,
        news=f"{shown.latest} {shown.prompt}",
        next_link=shown.next_link,
    )


def _guide(shown: TablePresenter) -> Fragment:
    """A line on what to do. It keeps its space while somebody else is to act, and at the end."""
    if not shown.preferences.is_hinted or not shown.viewer.is_player:
        return empty_fragment("guide")
    text, rule = (translate(shown.guidance.text), shown.guidance.rule) if shown.guidance else ("", "")
    return fragment("guide", "tables/_table_guide.html", game=shown.row.game, text=text, rule=rule)


def _answer(shown: TablePresenter) -> Fragment:
    offer = None if shown.past else shown.offer
    if not shown.refusal and not offer:
        return empty_fragment("answer")
    return digested_fragment(
        "answer", render_to_string("tables/_table_answer.html", {"shown": shown, "offer": offer})
    )


def _actions(shown: TablePresenter) -> Fragment:
    if shown.is_over and not shown.past:
        return _ending(shown)
    if not shown.viewer.is_player or shown.past:
        return empty_fragment("actions")
    phase = shown.match.phase if shown.acting else "none"
    values: dict[str, Hashable] = {"phase": phase}
    if phase == "komi":
        komis = shown.komis
        values |= {"least": komis[0], "most": komis[-1], "step": komis[1] - komis[0]}
        values["komi"] = shown.offered_komi
    elif phase == "colour":
        values["names"] = shown.leg.game.player_names
    elif phase == "play":
        values |= {
            "is_complete": shown.turn.is_complete,
            "is_begun": shown.turn.is_begun,
            "off_board": tuple((action.kind, action.text) for action in shown.board.off_board),
            "swap": shown.permissions.swap,
        }
    return fragment("actions", "tables/_table_actions.html", **values)


def _ending(shown: TablePresenter) -> Fragment:
    """The result and what made it up, and where to go from here. A panel of its own lists a match's games."""
    context, leg, ending = shown.game_context, shown.leg, shown.table.ending
    is_single = leg.is_over and shown.match.config.games == 1
    points = enumerate(ending.points) if ending and ending.winners else ()
    scores = sorted(((ending and seat in ending.winners, score) for seat, score in points), reverse=True)
    values = {
        "shown": shown,
        "scores": [score for _, score in scores],
        "lines": score_lines(leg, shown.seats) if is_single else (),
        "why": why(leg, shown.seats) if is_single else shown.abort_reason,
        "next_link": context.next_link(shown.viewer.guest) if context else None,
        "may_rematch": shown.permissions.rematch and not (context and context.is_going),
    }
    return digested_fragment("actions", render_to_string("tables/_table_ending.html", values))


def _title(shown: TablePresenter) -> Fragment:
    context = shown.game_context
    return fragment(
        "title",
        "tables/_table_title.html",
        title=shown.leg.game.description.title,
        board=shown.board_label,
        options=shown.options,
        number=shown.steps.game,
        legs=shown.match.config.games,
        is_player=shown.viewer.is_player,
        game_context=context and (context.name, context.part, context.address),
    )


def _players(shown: TablePresenter) -> Fragment:
    may_run = may_run_bots(shown.row, shown.table, shown.viewer)
    places = "".join(_place(place, is_over=shown.is_over, may_run=may_run) for place in shown.seats)
    return fragment(
        "players",
        "tables/_table_players.html",
        places=mark_safe(places),
        are_two=len(shown.seats) == 2,
        pace=shown.table.time.pace if shown.table.time else "",
    )


def _place(place: SeatView, *, is_over: bool, may_run: bool) -> SafeString:
    values = {
        "number": place.number,
        "name": place.name,
        "colour": place.colour,
        "note": place.note,
        "stone": "" if place.player is None else f"{PREFIX}-stone-{place.player}",
        "score": place.score,
        "contested": place.contested,
        "seconds": place.seconds,
        "is_running": place.is_running and not place.rest,
        "periods": place.periods,
        "until": place.until,
        "loses_then": place.loses_then,
        "left": "" if place.left is None else f"{place.left:.1f}",
        "clock": "" if place.seconds is None else clock_face(place.seconds),
        "rest": place.rest,
        "rest_until": place.rest_until,
        "is_own": place.is_own,
        "out_by": place.out_by,
        "replaced_by": place.bot if place.is_replaced else "",
        "is_elsewhere": place.is_elsewhere,
        "is_acting": place.is_acting,
        "is_over": is_over,
        "is_thinking": place.is_thinking,
        "progress": place.progress,
        "names_engine": may_run and place.is_bot,
    }
    return render_cached("tables/_table_player.html", get_language(), tuple(values.items()))


def _results(shown: TablePresenter) -> Fragment:
    """The finished games of a match."""
    if not shown.results or shown.match.config.games == 1:
        return empty_fragment("results")
    return digested_fragment("results", render_to_string("tables/_table_results.html", {"shown": shown}))


def _waiting(shown: TablePresenter, site: str, request: HttpRequest | None) -> Fragment:
    if not shown.viewer.free or not shown.viewer.is_player:
        return empty_fragment("waiting")
    guest = shown.viewer.guest
    values = {
        "free": shown.viewer.free,
        "site": site,
        "is_named": bool(guest and guest.name),
        "address": reverse("table", args=[shown.row.code]),
    }
    html = render_to_string("tables/_table_waiting.html", values, request)
    return digested_fragment("waiting", html)


def _game_actions(shown: TablePresenter) -> Fragment:
    may = shown.permissions
    if not shown.viewer.is_player or shown.is_over or (shown.viewer.free and not may.abort):
        return empty_fragment("game_actions")
    return fragment(
        "game_actions",
        "tables/_table_game_actions.html",
        undo=may.undo,
        undoes_freely=may.undoes_freely,
        offer_draw=may.offer_draw,
        resign=may.resign,
        abort=may.abort,
        asks=shown.viewer.faces_people,
        shares_screen=shown.viewer.shares_screen,
        colour=shown.speaking.colour if shown.speaking else "",
    )


def _moves(shown: TablePresenter) -> Fragment:
    if not shown.steps.length:
        return empty_fragment("moves")
    html = render_to_string("tables/_table_moves.html", {"items": shown.moves.after("")[1]})
    return Fragment("moves", html, shown.moves.etag)


def _later_moves(shown: TablePresenter, has: str) -> Fragment | None:
    """The turns that a page's list lacks; None if it isn't the beginning of this list."""
    count, items = shown.moves.after(has) if shown.steps.length else (0, "")
    if not count:
        return None
    later = format_html('<ol start="{}">{}</ol>', count + 1, items)
    return Fragment("moves", later, shown.moves.etag, is_rest=True)


def _steps(shown: TablePresenter) -> Fragment:
    if not shown.steps.length:
        return empty_fragment("steps")
    return fragment("steps", "tables/_table_steps.html", steps=shown.steps)


def _coach(shown: TablePresenter) -> Fragment:
    """The coach's element, which the page's script fills; empty once the game is over."""
    if not shown.coach:
        return empty_fragment("coach")
    address = reverse("coach", args=[shown.row.code])
    return fragment("coach", "tables/_table_coach.html", address=address, is_on=shown.coach == "on")


def _aside(shown: TablePresenter) -> Fragment:
    """The panels of other apps beside the board."""
    html = "".join(panel(shown) for panel in PANELS)
    return digested_fragment("aside", html) if html else empty_fragment("aside")


def _preferences(shown: TablePresenter) -> Fragment:
    return fragment(
        "preferences",
        "tables/_table_preferences.html",
        preferences=shown.preferences,
        overlays=shown.board.overlay_choices,
        confirms=shown.confirms,
        may_be_coached=shown.may_be_coached,
        turned_next=shown.board.next_turned,
    )


def _menu(shown: TablePresenter) -> Fragment:
    """The items of the menu that depend on the game."""
    return fragment(
        "menu",
        "tables/_table_menu.html",
        code=shown.row.code,
        may_study=shown.may_study,
        game=shown.past.game if shown.past else 0,
        abort=shown.permissions.abort,
        pause=shown.permissions.pause,
        resume=shown.permissions.resume,
        asks=shown.viewer.faces_people,
        is_player=shown.viewer.is_player,
        listing=shown.listing_words,
        is_wanted=shown.wants_listing,
        is_listed=shown.row.listed_at is not None,
        stays=shown.row.is_rated and shown.viewer.faces_people,
        items=mark_safe("".join(item(shown) for item in MENU)),
    )


_MAKERS: Mapping[str, Maker[TablePresenter]] = {
    "command": _command,
    "turn": _turn,
    "board": lambda shown: board_fragment(shown.board),
    "guide": _guide,
    "answer": _answer,
    "actions": _actions,
    "title": _title,
    "players": _players,
    "results": _results,
    "game_actions": _game_actions,
    "moves": _moves,
    "steps": _steps,
    "coach": _coach,
    "aside": _aside,
    "preferences": _preferences,
    "menu": _menu,
}
_REST_MAKERS: Mapping[str, Callable[[TablePresenter, str], Fragment | None]] = {
    "board": lambda shown, has: changed_board(shown.board, has),
    "moves": _later_moves,
}
"""Makers of fragments that a page may need only in part."""
