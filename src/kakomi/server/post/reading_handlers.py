"""What is only read by mail: help, boards, lists, ratings. For strangers what everybody may see."""

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
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.language import translate
from kakomi.server.listings import ListQuery
from kakomi.server.lobby.selectors import find_people, waiting_seeks
from kakomi.server.notices.mail_pictures import can_draw
from kakomi.server.post.outgoing import ALL_ROUNDS, board_report
from kakomi.server.post.requests import Request, Result, Sitting, shown, table_meant
from kakomi.server.post.table_handlers import position_after
from kakomi.server.ratings.models import CurrentRating, Pool
from kakomi.server.ratings.selectors import ranked
from kakomi.server.tables import models, selectors
from kakomi.server.tables.clock_texts import short_clock_label
from kakomi.server.tables.summaries import GameSummary, ListedGame
from kakomi.server.tables.wording import public_names
from kakomi.session import Refused

MOST_BOARDS = 6
"""Boards in one answer."""
MOST_LINES = 50
"""Lines of a list."""


def help_on(command: commands.Help) -> Result:
    """Explain the whole, a command, or a game."""
    return Result((help_block(command.topics, get_language() or "en", translate),))


def show(request: Request, command: commands.Show) -> Result:
    """Boards by their codes, those of people, or the sender's."""
    if not command.names:
        rows = _tables_of(request.guest, command.which or "next", is_own=True, game=command.game)[
            :MOST_BOARDS
        ]
        if not rows:
            return Result((list_block(gettext("No board of yours is like that."), (), (), translate),))
        return Result(boards=tuple((row.code, "") for row in rows))
    results = [_shown(request, name, command) for name in command.names[:MOST_BOARDS]]
    return Result(
        tuple(block for result in results for block in result.blocks),
        tuple(board for result in results for board in result.boards)[:MOST_BOARDS],
    )


def _shown(request: Request, name: Board | str, command: commands.Show) -> Result:
    board = name if isinstance(name, Board) else Board(name)
    row = table_meant(board, request.authority)
    if row is not None and board.turns is None:
        return shown(row.code)
    if row is not None and board.turns is not None:
        at = Sitting.of(row, None)
        said = gettext("Board {number} after turn {turns}").format(number=row.number, turns=board.turns)
        once = position_after(at.table.match, board.turns)
        return Result((position_block(once, said, translate, has_picture=can_draw()),))
    if isinstance(name, Board) and not find_people([board.code])[0]:
        request.table(name)  # raises
    person = _person(board.code)
    rows = _tables_of(person, command.which, is_own=person == request.authority.guest, game=command.game)
    if not rows:
        none = gettext("{name} has no board that everybody may see, or none that is like that.")
        return Result((list_block(none.format(name=person), (), (), translate),))
    return Result(boards=tuple((row.code, "") for row in rows))


def games(request: Request, command: commands.Games) -> Result:
    """Somebody's boards, each in a line: all of one's own, of others those that everybody may find."""
    person = _person(command.person) if command.person else request.guest
    is_own = person == request.authority.guest
    rows = _tables_of(person, command.which, is_own=is_own, game=command.game)
    title = gettext("Your boards") if is_own else gettext("Boards of {name}").format(name=person)
    return Result((_listed(title, rows, person),))


def _listed(title: str, rows: Sequence[models.Table], person: Guest) -> Block:
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


def _tables_of(person: Guest, which: commands.Which, *, is_own: bool, game: str = "") -> list[models.Table]:
    """Somebody's boards, those being played first; of others those that everybody may see."""
    if which == "next":
        found = [selectors.waiting_tables(person)]
    else:
        are_over = {"all": (False, True), "finished": (True,)}.get(which, (False,))
        found = [selectors.tables_of(person, is_over=is_over) for is_over in are_over]
    wanted = ({} if is_own else {"listed_at__isnull": False}) | ({"game": game} if game else {})
    rows = [rows.filter(**wanted).prefetch_related("seats__guest")[:MOST_LINES] for rows in found]
    return [row for part in rows for row in part][:MOST_LINES]


def list_boards(command: commands.ListBoards) -> Result:
    """Who plays what, and who waits: what everybody may see."""
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
    return Result(
        (
            list_block(
                gettext("Boards that everybody may see"), (board, game, gettext("Players")), tables, translate
            ),
            list_block(
                gettext("Who waits; accept and the code joins them"),
                (gettext("Code"), game, gettext("Who"), gettext("Clock")),
                seeks,
                translate,
            ),
        )
    )


def list_games() -> Result:
    """The games that can be played."""
    return Result((games_block(translate),))


def standings(command: commands.Standings) -> Result:
    """The ratings of a game's players, or of all games."""
    pools = Pool.objects.filter(pace="days").order_by("game", "size_class")
    if command.game:
        pools = pools.filter(game=command.game)
    people = [_person(name) for name in command.people]
    blocks = tuple(block for pool in pools if (block := _standings(pool, people)))
    if not blocks:
        return Result((list_block(gettext("Nothing has been rated there yet."), (), (), translate),))
    return Result(blocks)


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


def history(request: Request, command: commands.History) -> Result:
    """All turns of a board, or the finished games of somebody."""
    of = command.of
    if of == "" and (answered := request.authority.table):
        return _turns(answered, request.authority.guest)
    if of == "":
        rows = _tables_of(request.guest, "finished", is_own=True)
        return Result((_listed(gettext("Your finished boards"), rows, request.guest),))
    board = of if isinstance(of, Board) else Board(of)
    row = table_meant(board, request.authority)
    if row is not None:
        return _turns(row, request.authority.guest)
    if isinstance(of, Board) and not find_people([board.code])[0]:
        request.table(of)  # raises
    person = _person(board.code)
    rows = _tables_of(person, "finished", is_own=person == request.authority.guest)
    return Result((_listed(gettext("Finished boards of {name}").format(name=person), rows, person),))


def _turns(row: models.Table, guest: Guest | None) -> Result:
    return Result((board_block(board_report(row, guest, rounds=ALL_ROUNDS), translate),))


def _person(name: str) -> Guest:
    found, _ = find_people([name])
    if not found:
        raise Refused(lazy_message("nobody signs in as {name}", name=name))
    return found[0]
