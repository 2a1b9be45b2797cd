"""The fragments of a study's page, and of its game-analysis panel."""

from collections.abc import Mapping
from functools import lru_cache, partial

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from kakomi import catalog
from kakomi.records import game_of
from kakomi.server.analysis.game_analysis_presenter import GameAnalysisPresenter
from kakomi.server.analysis.presenters import StudyPresenter
from kakomi.server.analysis.selectors import read_record
from kakomi.server.analysis.study_tree import blocks
from kakomi.server.boards.board_look import look_of
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
from kakomi.server.rules.template_tags import cited


def fragments_of(request: HttpRequest, study: StudyPresenter) -> FragmentSet[StudyPresenter]:
    """The fragments of a study's page, for one viewer at one node."""
    site = f"{request.scheme}://{request.get_host()}"
    share: Maker[StudyPresenter] = partial(_share, site=site)
    look = look_of(request)
    root = {
        "id": "study",
        "class": "study",
        "data-address": reverse("study", args=[study.row.code]),
        "data-node": study.node,
        "data-question": study.question,
        "data-version": study.row.version,
        "data-said": study.announcement,
        "data-legal": study.preferences.is_dotted,
        "data-look": look.words,
    }
    makers = {**_MAKERS, "share": share, "board_look": lambda _: look_fragment(look)}
    return FragmentSet(study, root, makers, {"board": _changed_board})


def _command(study: StudyPresenter) -> Fragment:
    """Hidden fields of the page's forms: the node for each, and the version for the command form."""
    field = '<input type="hidden" name="{}" value="{}" form="{}">'
    node = [("node", study.node, form) for form in ("command", "view", *([] if study.is_own else ["copy"]))]
    fields = [("version", study.row.version, "command"), *node]
    return Fragment("command", mark_safe("".join(format_html(field, *values) for values in fields)))


def _head(study: StudyPresenter) -> Fragment:
    return fragment(
        "head",
        "analysis/_head.html",
        title=study.title,
        options=study.options,
        result=study.result,
        date=study.record.date,
    )


def _refusal(study: StudyPresenter) -> Fragment:
    if not study.refusal:
        return empty_fragment("refusal")
    alert = format_html('<p class="alert bad" role="alert">{}</p>', cited(study.refusal, study.row.game))
    return digested_fragment("refusal", alert)


def _players(study: StudyPresenter) -> Fragment:
    to_move = None if study.position.is_over else study.position.to_move
    return fragment("players", "analysis/_players.html", players=tuple(study.players), to_move=to_move)


def _board(study: StudyPresenter) -> Fragment:
    return board_fragment(study.board)


def _changed_board(study: StudyPresenter, has: str) -> Fragment | None:
    return changed_board(study.board, has)


def _prompt(study: StudyPresenter) -> Fragment:
    account = study.account if study.position.is_over else ""
    return fragment("prompt", "analysis/_prompt.html", expects=study.expects, account=account)


def _steps(study: StudyPresenter) -> Fragment:
    return fragment(
        "steps",
        "analysis/_steps.html",
        code=study.row.code,
        back=study.move.before if study.move else 0,
        on=study.next or study.node,
        last=study.end,
    )


def _actions(study: StudyPresenter) -> Fragment:
    if not study.is_own:
        return empty_fragment("actions")
    return fragment(
        "actions",
        "analysis/_actions.html",
        off_board=tuple(study.off_board),
        can_shorten=study.can_shorten,
        can_promote=study.can_promote,
        can_remove=bool(study.node),
        play_on_link=study.play_on_link,
    )


def _branches(study: StudyPresenter) -> Fragment:
    if not study.branches:
        return empty_fragment("branches")
    return fragment("branches", "analysis/_branches.html", branches=tuple(study.branches))


def _comment(study: StudyPresenter) -> Fragment:
    if not study.is_own and not study.comment:
        return empty_fragment("comment")
    return digested_fragment("comment", render_to_string("analysis/_comment.html", {"study": study}))


def _preferences(study: StudyPresenter) -> Fragment:
    return fragment(
        "preferences",
        "analysis/_preferences.html",
        preferences=study.preferences,
        overlays=study.board.overlay_choices,
        turned=study.board.turned,
        turned_next=study.board.next_turned,
    )


def _share(study: StudyPresenter, site: str) -> Fragment:
    link = f"{site}{study.link}" if study.link else ""
    address, query = f"{site}{reverse('study', args=[study.row.code])}", f"?node={study.node}"
    shared = {"study_link": address + query, "study_frame": f"{address}/embed{query}"}
    values = {"study": study, "link": link, **shared}
    return digested_fragment("share", render_to_string("analysis/_share.html", values))


def _undo(study: StudyPresenter) -> Fragment:
    if not study.is_own or not study.can_undo:
        return empty_fragment("undo")
    return fragment("undo", "analysis/_undo.html")


def _moves(study: StudyPresenter) -> Fragment:
    """The list of moves, with the current node marked; the page's script moves that mark later."""
    listed = _move_list(study.row.record, get_language())
    here = f'data-node="{study.node}"'
    marked = listed.html.replace(here, f'{here} aria-current="step"', 1)
    return Fragment("moves", mark_safe(marked), listed.etag)


@lru_cache(maxsize=64)
def _move_list(record: str, language: str | None) -> Fragment:
    """The unmarked list, cached per record; thousands of turns take a tenth of a second to render."""
    del language
    read = read_record(record)
    first = read.tree.followers[0][0] if read.turns else None
    values = {"record": read, "blocks": blocks(read, game_of(read, catalog.game)), "first": first}
    return digested_fragment("moves", render_to_string("analysis/_moves.html", values))


_MAKERS: Mapping[str, Maker[StudyPresenter]] = {
    "command": _command,
    "head": _head,
    "refusal": _refusal,
    "players": _players,
    "board": _board,
    "prompt": _prompt,
    "steps": _steps,
    "actions": _actions,
    "branches": _branches,
    "comment": _comment,
    "undo": _undo,
    "preferences": _preferences,
    "moves": _moves,
}


def analysis_fragments_of(
    study: StudyPresenter, analysis: GameAnalysisPresenter, refusal: str = ""
) -> FragmentSet[GameAnalysisPresenter]:
    """The fragments of the game-analysis panel; `refusal` is why the analysis could not start."""
    root = {
        "id": "game-analysis",
        "class": "panel game-analysis",
        "aria-labelledby": "game-analysis-title",
        "data-address": reverse("study_game_analysis", args=[study.row.code]),
        "data-running": analysis.is_running,
    }

    def part(name: str, **values: object) -> Maker[GameAnalysisPresenter]:
        def make(analysis: GameAnalysisPresenter) -> Fragment:
            context = {"analysis": analysis, **values}
            return digested_fragment(name, render_to_string(f"analysis/_analysis_{name}.html", context))

        return make

    makers = {"progress": part("progress", refusal=refusal), "findings": part("findings")}
    if study.is_own:
        makers["button"] = part("button", has_turns=study.record.length > 0)
    return FragmentSet(analysis, root, makers)
