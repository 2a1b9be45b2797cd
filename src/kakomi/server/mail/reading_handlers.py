"""Mail commands that only read: help, boards, lists, ratings. Strangers see what is public."""

from collections.abc import Sequence

from django.utils.translation import get_language, gettext

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Board
from kakomi.protocol.mail.printing import (
    Block,
    Standing,
    board_block,
    games_block,
    help_block,
    list_block,
    position_block,
    standings_block,
)
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.selectors import find_people, waiting_seeks
from kakomi.server.mail.outgoing import ALL_ROUNDS, board_report
from kakomi.server.mail.requests import CommandResult, Request, TableContext, board_result, table_meant
from kakomi.server.mail.table_handlers import position_after
from kakomi.server.notices.mail_pictures import can_draw
from kakomi.server.ratings.models import CurrentRating, Pool
from kakomi.server.ratings.selectors import ranked
from kakomi.server.site import clock
from kakomi.server.site.language import translate
from kakomi.server.tables import models, selectors
from kakomi.server.tables.clock_texts import short_clock_label
from kakomi.server.tables.listings import ListQuery
from kakomi.server.tables.summaries import GameSummary, ListedGame
from kakomi.server.tables.wording import public_names
from kakomi.session import Refused

MOST_BOARDS = 6
"""Boards per answer."""
MOST_LINES = 50
"""Lines per list."""


def help_on(command: commands.Help) -> CommandResult:
    """Give general help, or help on a command or a game."""
    return CommandResult((help_block(command.topics, get_language() or "en", translate),))


def show(request: Request, command: commands.Show) -> CommandResult:
    """Show boards by code, boards of people, or the sender's."""
    if not command.names:
        rows = _tables_of(request.guest, command.which or "next", is_own=True, game=command.game)[
            :MOST_BOARDS
        ]
        if not rows:
            return CommandResult((list_block(gettext("You have no matching boards."), (), (), translate),))
        return CommandResult(boards=tuple((row.code, "") for row in rows))
    results = [_show_one(request, name, command) for name in command.names[:MOST_BOARDS]]
    return CommandResult(
        tuple(block for result in results for block in result.blocks),
        tuple(board for result in results for board in result.boards)[:MOST_BOARDS],
    )


def _show_one(request: Request, name: Board | str, command: commands.Show) -> CommandResult:
    board = name if isinstance(name, Board) else Board(name)
    row = table_meant(board, request.authority)
    if row is not None and board.turns is None:
        return board_result(row.code)
    if row is not None and board.turns is not None:
        context = TableContext.of(row, None)
        title = gettext("Board {number} after move {turns}").format(number=row.number, turns=board.turns)
        once = position_after(context.table.match, board.turns)
        return CommandResult((position_block(once, title, translate, has_picture=can_draw()),))
    if isinstance(name, Board) and not find_people([board.code])[0]:
        request.table(name)  # raises
    person = _person(board.code)
    rows = _tables_of(person, command.which, is_own=person == request.authority.guest, game=command.game)
    if not rows:
        none = gettext("{name} has no public boards that match.")
        return CommandResult((list_block(none.format(name=person), (), (), translate),))
    return CommandResult(boards=tuple((row.code, "") for row in rows))


def games(request: Request, command: commands.Games) -> CommandResult:
    """List the sender's boards, or another person's public ones."""
    person = _person(command.person) if command.person else request.guest
    is_own = person == request.authority.guest
    rows = _tables_of(person, command.which, is_own=is_own, game=command.game)
    title = gettext("Your boards") if is_own else gettext("Boards of {name}").format(name=person)
    return CommandResult((_list_of_tables(title, rows, person),))


def _list_of_tables(title: str, rows: Sequence[models.Table], person: Guest) -> Block:
    now = clock.now()
    summaries = [GameSummary.of(row, person, now) for row in rows]
    lines = [
        (
            str(each.row.number),
            f"{translate(each.title)} {each.board}",
            each.opponents,
            each.state,
            each.time_left,
        )
        for each in summaries
    ]
    columns = (gettext("Board"), gettext("Game"), "", gettext("State"), gettext("Time"))
    return list_block(title, columns, lines, translate)


def _tables_of(
    person: Guest, which: commands.BoardFilter, *, is_own: bool, game: str = ""
) -> list[models.Table]:
    """A person's boards, running ones first; only the public ones unless `is_own`."""
    if which == "next":
        found = [selectors.waiting_tables(person)]
    else:
        are_over = {"all": (False, True), "finished": (True,)}.get(which, (False,))
        found = [selectors.tables_of(person, is_over=is_over) for is_over in are_over]
    wanted = ({} if is_own else {"listed_at__isnull": False}) | ({"game": game} if game else {})
    rows = [rows.filter(**wanted).prefetch_related("seats__guest")[:MOST_LINES] for rows in found]
    return [row for part in rows for row in part][:MOST_LINES]


def list_boards(command: commands.ListBoards) -> CommandResult:
    """List public boards, and the seeks that wait."""
    page = selectors.listed_tables(ListQuery.of({"game": command.game}))
    tables = [
        (str(row.number), translate(each.game.description.title), " – ".join(public_names(each.seats)))
        for row, each in ((row, ListedGame.of(row)) for row in page.rows)
    ]
    seeks = [
        (
            seek.row.code,
            translate(catalog.describe(seek.row.game).title),
            str(seek.row.owner),
            short_clock_label(seek.terms.control),
        )
        for seek in waiting_seeks()[:MOST_LINES]
        if command.game in ("", seek.row.game) and seek.row.pace == "days"
    ]
    board, game = gettext("Board"), gettext("Game")
    return CommandResult(
        (
            list_block(gettext("Public boards"), (board, game, gettext("Players")), tables, translate),
            list_block(
                gettext("Open challenges; to accept one, send “accept” and its code"),
                (gettext("Code"), game, gettext("Player"), gettext("Time control")),
                seeks,
                translate,
            ),
        )
    )


def list_games() -> CommandResult:
    """List the available games."""
    return CommandResult((games_block(translate),))


def standings(command: commands.Standings) -> CommandResult:
    """Show the ratings of one game or all games, optionally only of some people."""
    pools = Pool.objects.filter(pace="days").order_by("game", "size_class")
    if command.game:
        pools = pools.filter(game=command.game)
    people = [_person(name) for name in command.people]
    blocks = tuple(block for pool in pools if (block := _standings(pool, people)))
    if not blocks:
        return CommandResult((list_block(gettext("There are no ratings yet."), (), (), translate),))
    return CommandResult(blocks)


def _standings(pool: Pool, people: Sequence[Guest]) -> Block | None:
    now = clock.now()
    firm, provisional = (ranked(pool, now, provisional=wanted) for wanted in (False, True))
    rows = [*enumerate(firm[:MOST_LINES], 1), *((0, row) for row in provisional[:MOST_LINES])]
    chosen = [(place, row) for place, row in rows if not people or row.guest in people]
    if not chosen:
        return None
    title = f"{translate(catalog.describe(pool.game).title)}, {pool.size_class}"
    return standings_block(title, [_standing(place, row, now) for place, row in chosen], translate)


def _standing(place: int, row: CurrentRating, now: float) -> Standing:
    rating = row.standing.rating_at(now)
    return Standing(place, str(row.guest), rating.mean, rating.reach, row.games, rating.is_provisional)


def history(request: Request, command: commands.History) -> CommandResult:
    """Show all turns of a board, or list a person's finished boards."""
    of = command.of
    if of == "" and (answered := request.authority.table):
        return _history_of(answered, request.authority.guest)
    if of == "":
        rows = _tables_of(request.guest, "finished", is_own=True)
        return CommandResult((_list_of_tables(gettext("Your finished boards"), rows, request.guest),))
    board = of if isinstance(of, Board) else Board(of)
    row = table_meant(board, request.authority)
    if row is not None:
        return _history_of(row, request.authority.guest)
    if isinstance(of, Board) and not find_people([board.code])[0]:
        request.table(of)  # raises
    person = _person(board.code)
    rows = _tables_of(person, "finished", is_own=person == request.authority.guest)
    return CommandResult(
        (_list_of_tables(gettext("Finished boards of {name}").format(name=person), rows, person),)
    )


def _history_of(row: models.Table, guest: Guest | None) -> CommandResult:
    return CommandResult((board_block(board_report(row, guest, rounds=ALL_ROUNDS), translate),))


def _person(name: str) -> Guest:
    found, _ = find_people([name])
    if not found:
        raise Refused(lazy_message("there is no player called {name}", name=name))
    return found[0]
