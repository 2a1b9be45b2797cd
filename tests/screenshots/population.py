"""Players, finished and running games, open challenges and a tournament for a site to be photographed.

Games are played by searches of different strength. Everything but dates follows from a seed.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from kakomi import catalog
from kakomi.contest.tournament import Swiss
from kakomi.core import Game
from kakomi.search import Search
from kakomi.server.accounts.models import Guest
from kakomi.server.chat.services import write_message
from kakomi.server.lobby import services as lobby
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.services import Wish
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.site import clock
from kakomi.server.tables import models, services
from kakomi.server.tables.selectors import table_of
from kakomi.server.tables.services import Sitter
from kakomi.server.tournaments import services as tournaments
from kakomi.server.tournaments.models import Tournament
from kakomi.session import MatchConfig, TimeControl
from server.due_jobs import run_jobs
from server.people import make_user, signed_in
from server.tournament_people import DAYS, asked_for, going_games

DAY = 86_400.0
LIVE = TimeControl(600.0, 10.0)
LONG_LIVE = TimeControl(3_600.0, 30.0)
"""For games that are photographed while their clocks run."""
PEOPLE = ("ada", "hiro", "mina", "olek", "tove", "priya", "juan", "noor", "bea", "wim")
"""The most skilful first."""
SMALL = {"lin": 9, "ren": 8, "rin": 8, "rings": 3, "rive": 4}
USUAL = {"lin": 13, "ren": 10, "rin": 12, "rings": 4, "rive": 5}
FINISHED = 6
"""The number of finished games of each kind."""
LIVE_TURNS, DAYS_TURNS, TOURNAMENT_TURNS, RESIGNED_TURNS, MOST_TURNS = 100, 14, 9, 30, 400
RATING_JOBS = ("kakomi.server.ratings.jobs.rate_results", "kakomi.server.explorer.jobs.index_games")
TOURNAMENT_JOBS = ("kakomi.server.tournaments.jobs.withdraw", "kakomi.server.tournaments.jobs.advance")
CHAT = (
    (0, "Hi, have a good game!"),
    (1, "Thanks, you too. I haven’t played this size before."),
    (0, "It gets interesting around move 20."),
)


@dataclass
class Population:
    """What the pages of the site can show."""

    cookies: dict[str, str] = field(default_factory=dict)
    """User name -> the session cookie of a browser in which they are signed in."""
    live: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """Game -> the table, the player to move and their opponent."""
    finished: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Game -> the table of a finished game and one of its players."""
    correspondence: str = ""
    """A table at which Ada is to move."""
    tournament: str = ""


class Populating:
    """Fills the site of this process."""

    def __init__(self, seed: int, report: Callable[[str], None]) -> None:
        self._chance, self._report = random.Random(seed), report
        self._people: dict[str, Guest] = {}
        self._now = time.time() - 24 * DAY
        self.made = Population()

    def populate(self) -> Population:
        """Make everything, from the past to now."""
        with clock.time_from(lambda: self._now):
            for name in PEOPLE:
                user = make_user(name, name.capitalize())
                self._people[name] = user.guest
            for number in range(FINISHED):
                for game in SMALL:
                    self._finished_game(game, number)
                self._report(f"{(number + 1) * len(SMALL)} finished games")
            self._now = time.time() - DAY
            self._tournament()
            self._correspondence()
            self._now = time.time() - 1_500
            for number, game in enumerate(SMALL):
                self._live_game(game, number)
            self._report(f"{len(SMALL)} live games")
            self._now = time.time()
            self._challenges()
        for name, guest in self._people.items():
            browser = signed_in(guest.user)
            (cookie,) = (morsel for key, morsel in browser.cookies.items() if "session" in key)
            self.made.cookies[name] = cookie.value
        return self.made

    def _finished_game(self, game: str, number: int) -> None:
        """Play a game to its end, or until somebody resigns."""
        names = self._two()
        self._now += 0.7 * DAY * self._chance.random()
        size = USUAL[game] if game in ("rive", "rings") and number == 0 else SMALL[game]
        row = self._begin(game, size, names, LIVE, is_rated=number != 3)
        self._play_out(row, names, RESIGNED_TURNS if number in (1, 4) else MOST_TURNS)
        run_jobs(RATING_JOBS)
        if "ada" in names or game not in self.made.finished:
            self.made.finished[game] = (row.code, "ada" if "ada" in names else names[0])

    def _two(self) -> list[str]:
        """Two different people; Ada plays most."""
        first = "ada" if self._chance.random() < 0.4 else self._chance.choice(PEOPLE[1:])
        names = [first, self._chance.choice([name for name in PEOPLE if name != first])]
        self._chance.shuffle(names)
        return names

    def _live_game(self, game: str, number: int) -> None:
        """Begin a game that runs; Ada plays Rin."""
        names = ["ada", "hiro"] if game == "rin" else [PEOPLE[2 + number % 4], PEOPLE[6 + number % 4]]
        row = self._begin(game, USUAL[game], names, LONG_LIVE, is_rated=True)
        for seat, text in CHAT:
            write_message(row, self._people[names[seat]], text, f"hello-{seat}-{len(text)}")
        before = self._now
        self._play(row, names, _turns_of_most_of(table_of(row).match.position.game))
        self._now = before + 20
        to_act = row.to_act or 0
        self.made.live[game] = (row.code, names[to_act], names[1 - to_act])

    def _correspondence(self) -> None:
        for game, names in (("lin", ("ada", "mina")), ("rive", ("tove", "ada")), ("ren", ("olek", "priya"))):
            row = self._begin(game, USUAL[game], names, DAYS, is_rated=True)
            self._play(row, names, DAYS_TURNS)
            if row.to_act is not None and names[row.to_act] != "ada" and "ada" in names:
                self._play(row, names, 1)
            if game == "lin":
                self.made.correspondence = row.code

    def _tournament(self) -> None:
        """Begin a tournament and play its first round."""
        wanted = asked_for("rin", Swiss(rounds=4), name="Winter Open", is_rated=True)
        self._now -= 10
        row = tournaments.create(self._people["ada"], wanted, "winter")
        for name in PEOPLE[:8]:
            tournaments.enter(row, self._people[name])
        self._now += 60
        self._go_on(row)
        for game in going_games(row):
            self._play_out(game.table, self._names(game.table), RESIGNED_TURNS)
        self._go_on(row)
        for game in going_games(row)[:3]:
            self._play(game.table, self._names(game.table), TOURNAMENT_TURNS)
        begins_at = time.time() + 2 * DAY
        coming = asked_for("lin", Swiss(rounds=5), name="Lin for everyone", begins_at=begins_at)
        other = tournaments.create(self._people["tove"], coming, "lin")
        for name in ("tove", "ada", "noor"):
            tournaments.enter(other, self._people[name])
        self.made.tournament = row.code
        self._report("a running tournament")

    @staticmethod
    def _go_on(row: Tournament) -> None:
        run_jobs()
        row.refresh_from_db()

    @staticmethod
    def _names(row: models.Table) -> list[str]:
        return [seat.guest.handle or "" for seat in row.seats.order_by("number") if seat.guest]

    def _challenges(self) -> None:
        for name, game, control, is_rated in (
            ("tove", "rin", LIVE, True),
            ("noor", "rings", LIVE, False),
            ("mina", "lin", DAYS, True),
        ):
            terms = SeekTerms(game, control, sizes=(SMALL[game],))
            lobby.create_seek(self._people[name], Wish(Seek.Kind.OPEN, terms, is_rated), f"seek-{name}")
        # Until the owners' pages are open, and all pages are photographed.
        Seek.objects.filter(pace="live").update(seen_at=self._now + 300, due_at=self._now + 7_200)

    def _begin(
        self, game: str, size: int, names: Sequence[str], control: TimeControl, *, is_rated: bool
    ) -> models.Table:
        terms = MatchConfig(catalog.game(game, size=size))
        sitters = [Sitter(self._people[name], name=self._people[name].name) for name in names]
        return services.begin(terms, sitters, control, is_rated=is_rated)

    def _play(self, row: models.Table, names: Sequence[str], turns: int) -> None:
        """Play turns at a table, at most to the end of the game."""
        row.refresh_from_db()
        game = table_of(row).match.position.game
        searches = [self._search(game, name) for name in names]
        for _ in range(turns):
            if row.is_over or row.to_act is None:
                return
            search, simulations = searches[row.to_act]
            self._add(row, row.to_act, _turn(row, search, simulations))

    def _play_out(self, row: models.Table, names: Sequence[str], turns: int = MOST_TURNS) -> None:
        """Play to the end of a game; somebody resigns after the given number of turns."""
        self._play(row, names, turns)
        if not row.is_over:
            self._add(row, row.to_act or 0, [("resign", None)])

    def _search(self, game: Game, name: str) -> tuple[Search, int]:
        rank = PEOPLE.index(name)
        return Search(game, seed=self._chance.randrange(10**6), memory_mb=16), 120 // (rank + 1) + 12

    def _add(self, row: models.Table, seat: int, entries: Sequence[tuple[str, str | None]]) -> None:
        self._now += self._chance.uniform(2, 14)
        services.add(row.code, entries, seat=seat, base=row.entries, key=f"{row.code}-{row.entries}")
        row.refresh_from_db()


def _turn(row: models.Table, search: Search, simulations: int) -> list[tuple[str, str | None]]:
    """One turn: the search's choices until another player is to act."""
    position = table_of(row).match.position
    player, entries = position.to_move, list[tuple[str, str | None]]()
    while not position.is_over and position.to_move == player and (not entries or position.turn):
        action = search.run(position, simulations=simulations).action
        entries.append(("play", position.game.actions[action].text))
        position = position.play_action(action)
    return entries


def _turns_of_most_of(game: Game) -> int:
    """The turns after which a live game has gone on for long without being over: random games are shorter."""
    position, chance, turns = game.start(), random.Random(1), 0
    while not position.is_over and turns < LIVE_TURNS:
        mover = position.to_move
        position = position.play(chance.choice(position.legal()))
        turns += position.is_over or position.to_move != mover
    return int(0.8 * turns) if position.is_over else LIVE_TURNS
