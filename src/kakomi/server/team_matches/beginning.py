"""A match begins: its boards are paired and their tables opened, once, in one transaction."""

from kakomi.contest.team_pairing import Board, pair_boards
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.lobby.strengths import strength_under
from kakomi.server.moderation.restrictions import kept_from_people
from kakomi.server.ratings.selectors import is_suspended
from kakomi.server.tables.services import Sitter, begin
from kakomi.server.team_matches.models import BoardGame, Entry, TeamMatch
from kakomi.server.team_matches.notices import tell_begun, tell_cancelled
from kakomi.server.team_matches.services import end, locked
from kakomi.server.team_matches.terms import terms_of
from kakomi.server.teams.models import BELONGING, Member

State = TeamMatch.State


def go_on(number: int) -> None:
    """Begin a match that is due, or end a challenge that nobody has answered by then."""
    with writing():
        row = locked(TeamMatch(pk=number))
        if row.due_at is None or row.due_at > clock.now():
            return
        if row.state == State.PROPOSED or not _begin(row):
            end(row, State.CANCELLED)
            tell_cancelled(row)


def _begin(row: TeamMatch) -> bool:
    """Open the tables of a locked match; False if a team has nobody who would play."""
    present = {is_home: _present(row, is_home=is_home) for is_home in (True, False)}
    people = {str(guest.pk): guest for guests in present.values() for guest in guests}
    strengths = {name: strength_under(terms_of(row), 2, guest) for name, guest in people.items()}
    home, away = (
        {str(guest.pk): strengths[str(guest.pk)] for guest in present[is_home]} for is_home in (True, False)
    )
    boards = pair_boards(home, away, row.boards, row.seed)
    for place, board in enumerate(boards, start=1):
        _open_board(row, place, board, people)
    if boards:
        row.state, row.due_at = State.RUNNING, None
        row.save(update_fields=["state", "due_at"])
    return bool(boards)


def _present(row: TeamMatch, *, is_home: bool) -> list[Guest]:
    """Who has entered for a team, still belongs to it, and may begin such a game."""
    team = row.home_id if is_home else row.away_id
    members = Member.objects.filter(team=team, team__closed_at=None, state__in=BELONGING).values("guest")
    entries = Entry.objects.filter(match=row, is_home=is_home, guest__in=members, guest__is_erased=False)
    guests = [entry.guest for entry in entries.select_related("guest")]
    kept = set(kept_from_people(guest.pk for guest in guests))
    pace = terms_of(row).pace
    return [
        guest
        for guest in guests
        if guest.pk not in kept and not (row.is_rated and is_suspended(guest.pk, pace))
    ]


def _open_board(row: TeamMatch, place: int, board: Board, people: dict[str, Guest]) -> None:
    home, away = people[board.home], people[board.away]
    for number in range(1, row.games + 1):
        home_begins = board.home_begins if number == 1 else not board.home_begins
        _open_game(row, place, number, [home, away] if home_begins else [away, home], int(not home_begins))


def _open_game(row: TeamMatch, place: int, number: int, seated: list[Guest], home_seat: int) -> None:
    terms = terms_of(row)
    sitters = [Sitter(guest, name=guest.name) for guest in seated]
    table = begin(terms.config(2), sitters, terms.control, is_rated=row.is_rated)
    BoardGame.objects.create(match=row, board=place, number=number, table=table, home_seat=home_seat)
    tell_begun(row, table, [guest.pk for guest in seated], number)
