"""A table's page in fragments: a page that is open says which it has, and is sent the others."""

from collections.abc import Callable, Hashable, Mapping
from functools import partial

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from kakomi.server.boardview.fragments import (
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
from kakomi.server.boardview.presenters import PREFIX
from kakomi.server.language import translate
from kakomi.server.tables.clock_texts import clock_face
from kakomi.server.tables.extensions import PANELS
from kakomi.server.tables.presenters import TablePresenter, ViewContext
from kakomi.server.tables.seats import SeatView
from kakomi.server.template_tags import render_cached


def fragments_of(
    shown: TablePresenter, context: ViewContext, request: HttpRequest | None = None
) -> FragmentSet[TablePresenter]:
    """The fragments of a table for a viewer, in the language that is spoken.

    Without a request there is no token for the forms of who waits for somebody to sit down.
    """
    waiting: Maker[TablePresenter] = partial(_waiting, site=context.site, request=request)
    makers = {**_MAKERS, "waiting": waiting, "board_look": lambda _: look_fragment(context.look)}
    return FragmentSet(shown, {**_root(shown), "data-look": context.look.words}, makers, _REST_MAKERS)


def _root(shown: TablePresenter) -> dict[str, object]:
    """The attributes of the table's own element."""
    title, row = shown.leg.game.description.title, shown.row
    address = reverse("table", args=[row.code])
    return {
        "id": "table",
        "class": "table",
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
        "data-here": f"{address}/here" if shown.viewer.faces_people else False,
        "data-complete": shown.turn.is_complete and not shown.past,
        "data-legal": shown.preferences.is_dotted,
        "data-rule": shown.guidance.rule if shown.guidance else False,
        **({} if shown.past else shown.spoken),
    }


def _command(shown: TablePresenter) -> Fragment:
    """The fields by which the next command describes its sender's page."""
    field = '<input type="hidden" name="{}" value="{}">'
    fields = {"base": shown.row.entries, "key": shown.key, "seen": " ".join(shown.turn.actions)}
    return Fragment("command", mark_safe("".join(format_html(field, *item) for item in fields.items())))


def _turn(shown: TablePresenter) -> Fragment:
    if shown.past:
        return _past(shown)
    if shown.is_over:
        return _ending(shown)
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
        way_on=shown.way_on,
    )


def _ending(shown: TablePresenter) -> Fragment:
    """Who has won by what stands where it said what to do: that is where one looks."""
    last = shown.results[-1] if shown.results else None
    why = last and (last.account if last.is_played_out else last.reason)
    return fragment(
        "turn",
        "tables/_table_ending.html",
        game=shown.row.game,
        headline=shown.headline,
        why=why or shown.abort_reason,
        rematch="" if shown.row.successor else shown.rematch_words,
        next=shown.next_game.words if shown.next_game else "",
    )


def _board(shown: TablePresenter) -> Fragment:
    return board_fragment(shown.board)


def _changed_board(shown: TablePresenter, has: str) -> Fragment | None:
    return changed_board(shown.board, has)


def _guide(shown: TablePresenter) -> Fragment:
    """A line on what there is to do; it keeps its room while somebody else is to act, and at the end."""
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
        return _after(shown)
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


def _after(shown: TablePresenter) -> Fragment:
    """What to do when the match is over."""
    values = {
        "next": shown.next_game,
        "way_on": shown.occasion.way_on(shown.viewer.guest) if shown.is_over and shown.occasion else None,
        "successor": shown.row.successor.code if shown.row.successor else "",
        "may_rematch": shown.permissions.rematch and not (shown.occasion and shown.occasion.is_going),
        "is_rematch_wanted": bool(shown.rematch_words),
        "is_player": shown.viewer.is_player,
        "code": shown.row.code,
    }
    return digested_fragment("actions", render_to_string("tables/_table_after.html", values))


def _title(shown: TablePresenter) -> Fragment:
    return fragment(
        "title",
        "tables/_table_title.html",
        title=shown.leg.game.description.title,
        board=shown.board_label,
        options=shown.options,
        number=shown.steps.game,
        legs=shown.match.config.games,
        is_player=shown.viewer.is_player,
        occasion=shown.occasion and (shown.occasion.name, shown.occasion.part, shown.occasion.address),
    )


def _players(shown: TablePresenter) -> Fragment:
    places = "".join(_place(place, is_over=shown.is_over) for place in shown.seats)
    return fragment(
        "players",
        "tables/_table_players.html",
        places=mark_safe(places),
        are_two=len(shown.seats) == 2,
        pace=shown.table.time.pace if shown.table.time else "",
    )


def _place(place: SeatView, *, is_over: bool) -> SafeString:
    values = {
        "number": place.number,
        "name": place.name,
        "colour": place.colour,
        "note": place.note,
        "stone": "" if place.player is None else f"{PREFIX}-stone-{place.player}",
        "score": place.score,
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
    }
    return render_cached("tables/_table_player.html", get_language(), tuple(values.items()))


def _results(shown: TablePresenter) -> Fragment:
    """The games of a match that are over."""
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


def _listing(shown: TablePresenter) -> Fragment:
    """Whether everybody may find the game, and the player's say in that."""
    if not shown.viewer.is_player:
        return empty_fragment("listing")
    return fragment(
        "listing",
        "tables/_table_listing.html",
        words=shown.listing_words,
        is_wanted=shown.wants_listing,
        is_listed=shown.row.listed_at is not None,
    )


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
        pause=may.pause,
        resume=may.resume,
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
    """The turns that the list of a page doesn't have; nothing if it is another list."""
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
    """The place of the coach's words, which the page's script fills; it keeps its room at the end."""
    if not shown.coach:
        return empty_fragment("coach")
    address = reverse("coach", args=[shown.row.code])
    return fragment("coach", "tables/_table_coach.html", address=address, is_on=shown.coach == "on")


def _aside(shown: TablePresenter) -> Fragment:
    """What other apps show beside the board."""
    html = "".join(panel(shown) for panel in PANELS) if not shown.past else ""
    return digested_fragment("aside", html) if html else empty_fragment("aside")


def _aids(shown: TablePresenter) -> Fragment:
    """The aids that are on."""
    on = tuple(choice for choice in shown.board.overlay_choices if choice.is_on)
    return fragment("aids", "tables/_table_aids.html", aids=on, is_dotted=shown.preferences.is_dotted)


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


def _analysis(shown: TablePresenter) -> Fragment:
    if not shown.may_study:
        return empty_fragment("analysis")
    game = shown.past.game if shown.past else 0
    return fragment("analysis", "analysis/_link.html", code=shown.row.code, game=game)


def _graph(shown: TablePresenter) -> Fragment:
    """The place for how the game went, which the page's script fills when its player asks."""
    if not shown.leg.is_over or not shown.viewer.is_player:
        return empty_fragment("graph")
    address = f"{reverse('analysis_graph', args=[shown.row.code])}?game={shown.steps.game}"
    return fragment("graph", "tables/_table_graph.html", address=address)


_MAKERS: Mapping[str, Maker[TablePresenter]] = {
    "command": _command,
    "turn": _turn,
    "board": _board,
    "guide": _guide,
    "answer": _answer,
    "actions": _actions,
    "title": _title,
    "players": _players,
    "results": _results,
    "listing": _listing,
    "game_actions": _game_actions,
    "graph": _graph,
    "moves": _moves,
    "steps": _steps,
    "coach": _coach,
    "aside": _aside,
    "aids": _aids,
    "preferences": _preferences,
    "analysis": _analysis,
}
_REST_MAKERS: Mapping[str, Callable[[TablePresenter, str], Fragment | None]] = {
    "board": _changed_board,
    "moves": _later_moves,
}
"""Makers of fragments that a page may need only in part."""
