"""A table's page in fragments: a page that is open says which it has, and is sent the others."""

import hashlib
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from kakomi.server.tables.presenters import TablePresenter
from kakomi.server.tables.seat_views import SeatView
from kakomi.server.template_tags import render_cached

CACHED = 10_000
"""The fragments made last; most have a kilobyte or less."""


@dataclass(frozen=True)
class Fragment:
    """What stands in one place of the page."""

    name: str
    html: SafeString
    etag: str = ""
    """A name of what it holds, by which a page says that it has it; empty: it is always sent."""
    is_rest: bool = False
    """Whether it is only what the page is lacking."""

    @property
    def element(self) -> SafeString:
        """With the element that a page finds it by."""
        marked = f' data-etag="{self.etag}"' if self.etag else ""
        rest = " data-rest" if self.is_rest else ""
        return mark_safe(f'<div data-fragment="{self.name}"{marked}{rest}>{self.html}</div>')


Maker = Callable[[TablePresenter], Fragment]


class Fragments:
    """Those of a table as a viewer sees it; each is made when it is asked for."""

    def __init__(self, request: HttpRequest, shown: TablePresenter) -> None:
        site = f"{request.scheme}://{request.get_host()}"
        self._shown = shown
        self._makers: Mapping[str, Maker] = {**_MAKERS, "waiting": partial(_waiting, site=site)}

    def __getitem__(self, name: str) -> SafeString:
        """The element of one of them, for a template. Raises KeyError if there is none."""
        return self._makers[name](self._shown).element

    def lacking(self, has: Mapping[str, str]) -> Iterator[Fragment]:
        """Those that a page doesn't have, which has fragments of these etags."""
        for name, maker in self._makers.items():
            fragment = _REST_MAKERS[name](self._shown, has.get(name, "")) if name in _REST_MAKERS else None
            fragment = fragment or maker(self._shown)
            if fragment.is_rest or not fragment.etag or fragment.etag != has.get(name):
                yield fragment


def attributes(shown: TablePresenter) -> SafeString:
    """All attributes of the table's own element: a page lets go of those that an answer hasn't."""
    title, row = shown.leg.game.description.title, shown.row
    flags = {
        "past": shown.past,
        "playing": shown.may_play,
        "complete": shown.turn.is_complete and not shown.past,
        "legal": shown.preferences.is_dotted,
    }
    address = reverse("table", args=[row.code])
    said = "" if shown.past else f"{shown.latest} {shown.prompt}"
    values = {
        "id": "table",
        "class": "table",
        "aria-label": title,
        "data-address": address,
        "data-events": f"{address}/events",
        "data-news": row.news,
        "data-entries": row.entries,
        "data-title": f"{'● ' if shown.acting else ''}{title} · Kakomi",
        "data-said": said,
    }
    written = [f'{name}="{escape(value)}"' for name, value in values.items()]
    return mark_safe(" ".join([*written, *(f"data-{name}" for name, is_on in flags.items() if is_on)]))


def parse_etags(header: str) -> dict[str, str]:
    """The etags of the fragments that a page has, from `name=etag name=etag`."""
    pairs = (pair.partition("=") for pair in header.split())
    return {name: etag for name, _, etag in pairs}


def _fragment(name: str, template: str, **values: Hashable) -> Fragment:
    """One that sees nothing but these values, made once for all that have the same."""
    return cached_fragment(name, template, get_language(), tuple(values.items()))


@lru_cache(maxsize=CACHED)
def cached_fragment(
    name: str, template: str, language: str | None, values: tuple[tuple[str, Hashable], ...]
) -> Fragment:
    """A fragment from a template with its values, in the language that is spoken."""
    del language
    return _digested(name, render_to_string(template, dict(values)))


def _digested(name: str, html: str) -> Fragment:
    stripped = html.strip()
    return Fragment(name, mark_safe(stripped), hashlib.blake2b(stripped.encode(), digest_size=8).hexdigest())


def _nothing(name: str) -> Fragment:
    return Fragment(name, mark_safe(""), "none")


def _command(shown: TablePresenter) -> Fragment:
    """What the next command says of its sender's page."""
    field = '<input type="hidden" name="{}" value="{}">'
    fields = {"base": shown.row.entries, "key": shown.key, "seen": " ".join(shown.turn.actions)}
    return Fragment("command", mark_safe("".join(format_html(field, *item) for item in fields.items())))


def _turn(shown: TablePresenter) -> Fragment:
    if shown.past is None:
        return _fragment("turn", "tables/_table_turn.html", prompt=shown.prompt, is_yours=bool(shown.acting))
    return _fragment(
        "turn",
        "tables/_table_past.html",
        game=shown.past.game,
        ply=shown.past.ply,
        length=shown.past.length,
        code=shown.row.code,
    )


def _board(shown: TablePresenter) -> Fragment:
    return Fragment("board", mark_safe(f'<div class="board-place">{shown.board}</div>'), shown.board_etag)


def _changed_board(shown: TablePresenter, has: str) -> Fragment | None:
    """What is different on the board that a page has; nothing if it is another board."""
    if has != shown.board_etag:
        return None
    return Fragment("board", shown.board_changes, has, is_rest=True)


def _answer(shown: TablePresenter) -> Fragment:
    offer = None if shown.past else shown.offer
    if not shown.refusal and not offer:
        return _nothing("answer")
    return _digested(
        "answer", render_to_string("tables/_table_answer.html", {"shown": shown, "offer": offer})
    )


def _actions(shown: TablePresenter) -> Fragment:
    if not shown.viewer.is_player or shown.past:
        return _nothing("actions")
    phase = shown.match.phase if shown.acting else "none"
    values: dict[str, Hashable] = {"phase": phase}
    if phase == "komi":
        komis = shown.komis
        komi = shown.leg.game.options["komi"]
        values |= {"least": komis[0], "most": komis[-1], "step": komis[1] - komis[0], "komi": komi}
    elif phase == "colour":
        values["names"] = shown.leg.game.player_names
    elif phase == "play":
        values |= {
            "is_complete": shown.turn.is_complete,
            "is_begun": shown.turn.is_begun,
            "off_board": tuple((action.kind, action.text) for action in shown.off_board),
            "swap": shown.permissions.swap,
        }
    return _fragment("actions", "tables/_table_actions.html", **values)


def _title(shown: TablePresenter) -> Fragment:
    return _fragment(
        "title",
        "tables/_table_title.html",
        title=shown.leg.game.description.title,
        board=shown.board_label,
        options=shown.options,
        number=shown.steps.game,
        legs=shown.match.config.games,
        is_player=shown.viewer.is_player,
    )


def _players(shown: TablePresenter) -> Fragment:
    places = "".join(_place(place, is_over=shown.is_over) for place in shown.seats)
    return _fragment("players", "tables/_table_players.html", places=mark_safe(places))


def _place(place: SeatView, *, is_over: bool) -> SafeString:
    values = {
        "number": place.number,
        "name": place.name,
        "colour": place.colour,
        "livery": place.livery.name if place.livery else "",
        "letter": place.livery.letter if place.livery else "",
        "score": place.score,
        "seconds": place.seconds,
        "is_running": place.is_running,
        "has_left": place.has_left,
        "is_elsewhere": place.is_elsewhere,
        "is_acting": place.is_acting,
        "is_over": is_over,
        "is_thinking": place.is_thinking,
        "progress": place.progress,
    }
    return render_cached("tables/_table_player.html", get_language(), tuple(values.items()))


def _ending(shown: TablePresenter) -> Fragment:
    if not shown.results:
        return _nothing("ending")
    return _digested("ending", render_to_string("tables/_table_ending.html", {"shown": shown}))


def _waiting(shown: TablePresenter, site: str) -> Fragment:
    if not shown.viewer.free or not shown.viewer.is_player:
        return _nothing("waiting")
    values = {"free": shown.viewer.free, "site": site}
    return _digested("waiting", render_to_string("tables/_table_waiting.html", values))


def _game_actions(shown: TablePresenter) -> Fragment:
    if not shown.viewer.is_player or shown.is_over or shown.viewer.free:
        return _nothing("game_actions")
    may = shown.permissions
    return _fragment(
        "game_actions",
        "tables/_table_game_actions.html",
        undo=may.undo,
        undoes_freely=may.undoes_freely,
        offer_draw=may.offer_draw,
        resign=may.resign,
        shares_screen=shown.viewer.shares_screen,
        colour=shown.speaking.colour if shown.speaking else "",
    )


def _moves(shown: TablePresenter) -> Fragment:
    if not shown.steps.length:
        return _nothing("moves")
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
        return _nothing("steps")
    return _fragment("steps", "tables/_table_steps.html", steps=shown.steps)


def _preferences(shown: TablePresenter) -> Fragment:
    return _fragment(
        "preferences",
        "tables/_table_preferences.html",
        preferences=shown.preferences,
        overlays=shown.overlays,
        confirms=shown.confirms,
        turned_next=shown.turned_next,
    )


def _analysis(shown: TablePresenter) -> Fragment:
    if not shown.leg.is_over and shown.viewer.faces_people:
        return _nothing("analysis")
    game = shown.past.game if shown.past else 0
    return _fragment("analysis", "analysis/_link.html", code=shown.row.code, game=game)


_MAKERS: Mapping[str, Maker] = {
    "command": _command,
    "turn": _turn,
    "board": _board,
    "answer": _answer,
    "actions": _actions,
    "title": _title,
    "players": _players,
    "ending": _ending,
    "game_actions": _game_actions,
    "moves": _moves,
    "steps": _steps,
    "preferences": _preferences,
    "analysis": _analysis,
}
_REST_MAKERS: Mapping[str, Callable[[TablePresenter, str], Fragment | None]] = {
    "board": _changed_board,
    "moves": _later_moves,
}
"""Those of which a page that has one of the kind may need but a part."""
