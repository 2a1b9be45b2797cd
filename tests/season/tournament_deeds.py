"""Actions in tournaments in a season: organising, entering, leaving, returning and directing."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from kakomi import catalog
from kakomi.contest.tournament import AnyFormat, Elimination, RoundRobin, Swiss, Tables
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.terms import SeekTerms, seats_of
from kakomi.server.site import clock
from kakomi.server.tables.table_request import why_unrated
from kakomi.server.tournaments import services
from kakomi.server.tournaments import terms as tournament_terms
from kakomi.server.tournaments.models import Entrant, Game, Tournament
from kakomi.server.tournaments.selectors import find_tournament
from kakomi.server.tournaments.terms import TournamentTerms, table_sizes
from kakomi.session.time_control import DAY
from season.lobby_deeds import controls, quick_options
from season.site_process import SHORT_ROUNDS

Deed = dict[str, Any]
State = Tournament.State
SHARE = 20
"""People per running tournament, approximately."""
CONFIGS: tuple[tuple[AnyFormat, int], ...] = (
    (Swiss(rounds=3), 12),
    (RoundRobin(), 4),
    (Elimination(), 6),
    (Elimination(losses=2), 4),
    *((Tables(seats=seats, rounds=2), 12) for seats in (3, 4, 5, 6)),
)
"""Formats, each with its maximum number of entrants."""


def at_tournaments(guest: Guest, chance: random.Random, slowness: float) -> Iterator[Deed]:
    """Yield a person's occasional actions in tournaments."""
    going = list(Tournament.objects.filter(state__in=(State.OPEN, State.RUNNING)))
    if len(going) * SHARE < Guest.objects.count() and chance.random() < 0.05:
        yield {"do": "organise", "seed": chance.getrandbits(32), "slowness": slowness}
    for row in going:
        if row.organiser_id == guest.pk:
            yield from _directing(row, chance)
    yield from taking_part(guest, chance)


def taking_part(guest: Guest, chance: random.Random) -> Iterator[Deed]:
    """Yield a person's entries, leaves and returns."""
    entered = {each.tournament_id: each for each in Entrant.objects.filter(guest=guest)}
    for row in Tournament.objects.filter(state__in=(State.OPEN, State.RUNNING)).order_by("pk"):
        known, drawn = entered.get(row.pk), chance.random()
        if known is not None and known.is_in and not known.leaving:
            if drawn < 0.02:
                yield {"do": "leave", "code": row.code}
        elif drawn < (0.5 if known is None else 0.1) and _has_room(row):
            yield {"do": "enter", "code": row.code}


def _has_room(row: Tournament) -> bool:
    """Whether the page offers to enter."""
    is_open = row.state == State.OPEN or services.may_enter_late(row)
    return is_open and row.entrants.filter(is_in=True).count() < row.most


def _directing(row: Tournament, chance: random.Random) -> Iterator[Deed]:
    """Yield a director's actions, mostly corrections."""
    ended = list(Game.objects.filter(round__tournament=row, is_over=True).select_related("round"))
    if ended and chance.random() < 0.3:
        game = chance.choice(ended)
        seats = game.table.seats.count()
        places = [chance.randint(1, seats) for _ in range(seats)]
        deed = {"do": "correct", "round": game.round.number, "table": game.number, "places": places}
        yield deed | {"code": row.code, "version": row.version}
    present = list(row.entrants.filter(is_in=True).values_list("number", flat=True))
    if present and chance.random() < 0.03:
        yield {"do": "remove", "code": row.code, "entrant": chance.choice(present)}
    if chance.random() < 0.03:
        yield {"do": "close_entries", "code": row.code, "closed": not row.is_closed}
    if chance.random() < 0.005:
        yield {"do": "cancel", "code": row.code}


def _organise(guest: Guest, deed: Deed) -> None:
    chance, slowness = random.Random(deed["seed"]), deed["slowness"]
    config, most = chance.choice(CONFIGS)
    names = [name for name in catalog.names() if seats_of(catalog.describe(name))[0] == 2]
    name = "rings" if isinstance(config, Tables) else chance.choice(names)
    terms = SeekTerms(name, controls(slowness)[0], quick_options(catalog.describe(name)))
    wanted, offered = chance.choice(SHORT_ROUNDS) * slowness, tournament_terms.ROUND_DAYS
    agreed = TournamentTerms(
        name=f"Cup {deed['seed']}",
        terms=terms,
        format=config,
        begins_at=clock.now() + chance.uniform(0.2, 1.0) * slowness / 3 * DAY,
        is_rated=chance.random() < 0.7 and _may_be_rated(config, terms),
        most=most,
        round_days=next((days for days in offered if days >= wanted), max(offered)),
    )
    services.create(guest, agreed, deed["key"])


def _may_be_rated(config: AnyFormat, terms: SeekTerms) -> bool:
    return not why_unrated(terms.game_for(table_sizes(config, terms)[1]), terms.control, "")


def _correct(guest: Guest, deed: Deed) -> None:
    services.correct(
        find_tournament(deed["code"]),
        guest,
        number=deed["round"],
        table=deed["table"],
        places=deed["places"],
        reason=f"I correct {deed['key']}",
        version=deed["version"],
    )


def _cancel(guest: Guest, deed: Deed) -> None:
    services.cancel(find_tournament(deed["code"]), guest, f"I cancel {deed['key']}")


def _close_entries(guest: Guest, deed: Deed) -> None:
    services.close_entries(find_tournament(deed["code"]), guest, closed=deed["closed"])


DEEDS: dict[str, Callable[[Guest, Deed], object]] = {
    "organise": _organise,
    "enter": lambda guest, deed: services.enter(find_tournament(deed["code"]), guest),
    "leave": lambda guest, deed: services.leave(find_tournament(deed["code"]), guest),
    "remove": lambda guest, deed: services.remove_entrant(
        find_tournament(deed["code"]), guest, deed["entrant"]
    ),
    "correct": _correct,
    "cancel": _cancel,
    "close_entries": _close_entries,
}
