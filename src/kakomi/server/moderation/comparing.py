"""Compares people's rated games with level 10, in the background: turn by turn, only while nobody else needs
the processor, and for so many minutes a day.

A game of somebody is a row that a process claims. What is known is kept after every search, so a process that
dies loses one search, and whoever is next goes on.
"""

import asyncio
import contextlib
import os

from django.db import transaction
from django.db.models import F, QuerySet, Sum

from kakomi import catalog
from kakomi.core.system import cores
from kakomi.records import game_of
from kakomi.search import Report
from kakomi.server import clock
from kakomi.server.analysis.selectors import game_count, record_at_table
from kakomi.server.configuration import configuration
from kakomi.server.engines import EnginePool, EnginePoolError
from kakomi.server.engines.pool import shared_pool
from kakomi.server.moderation.expected_agreement import board_of, curve_of, measured_pools
from kakomi.server.moderation.models import Comparison
from kakomi.server.ratings.models import Entrant, Pool
from kakomi.server.tables.selectors import table_of
from kakomi.session import Refused
from kakomi.session.time_control import DAY
from kakomi.study.agreement import LINES, agrees, limits_of, plies_to_compare, seed_for
from kakomi.study.analysis import Ply

SPAN = 7 * DAY
"""Games that ended longer ago aren't begun with: a site that has little time looks at what is new."""
RUN_SECONDS = 5.0
"""Of engine time, after which a run of the job ends: a site that stops waits for it."""
LEASE = 120.0
"""Seconds without a further search after which another process goes on."""
MOST_ATTEMPTS = 3
"""As often a game that comes no further is tried; then what is known of it is all."""
QUIET = 0.5
"""The machine has little to do while fewer processes than so many for each core want to run."""
ASKER = "agreement"


def compare_games() -> None:
    """Compare games, one after the other, for a few seconds: until somebody needs the engines, or the day's
    time is used up."""
    if configuration().agreement_minutes:
        run = Run(shared_pool())
        while run.may_go_on() and (row := claim()) and run.compare(row):
            pass


def is_idle(engines: EnginePool) -> bool:
    """Whether nobody waits for an engine of this process, and the machine has little to do."""
    return not engines.busy and not engines.waiting and os.getloadavg()[0] < QUIET * cores()


def has_time_left() -> bool:
    """Whether some of the day's time is left. What a game took counts for the day on which it was last at."""
    since = clock.now() - DAY
    used = Comparison.objects.filter(at__gt=since).aggregate(used=Sum("seconds"))["used"] or 0.0
    return bool(used < 60 * configuration().agreement_minutes)


def claim() -> Comparison | None:
    """A game that nobody is at, ours for a while; what was begun comes first. None if there is none."""
    now = clock.now()
    ours = {"claimed_until": now + LEASE, "attempts": F("attempts") + 1}
    free = Comparison.objects.filter(is_done=False, claimed_until__lt=now)
    for number in free.order_by("claimed_until").values_list("pk", flat=True)[:5]:
        if free.filter(pk=number).update(**ours):
            return Comparison.objects.select_related("entrant__result__table", "entrant__change").get(
                pk=number
            )
    for entrant in waiting(now)[:5]:
        with transaction.atomic():
            row, is_new = Comparison.objects.get_or_create(
                entrant=entrant, defaults={"at": now, "claimed_until": now + LEASE, "attempts": 1}
            )
        if is_new:
            return row
    return None


def waiting(now: float) -> "QuerySet[Entrant]":
    """People's rated games that nobody has begun with: those about whom there is an open case first, then
    the latest. Programs that say so are left out."""
    rows = Entrant.objects.filter(
        guest__is_bot=False,
        guest__is_erased=False,
        result__ended_at__gt=now - SPAN,
        result__is_annulled=False,
        change__isnull=False,
        comparison=None,
        result__pool__in=_measured(),
    )
    looked_at = rows.filter(guest__cases__closed_at=None, guest__cases__isnull=False)
    chosen = looked_at if looked_at.exists() else rows
    return chosen.select_related("result__table", "change").order_by("-result__ended_at", "-pk")


def _measured() -> list[int]:
    known = Pool.objects.values_list("pk", "game", "size_class")
    return [number for number, *pool in known if tuple(pool) in measured_pools()]


class Run:
    """A few seconds of comparing."""

    def __init__(self, engines: EnginePool) -> None:
        self._engines = engines
        self._seconds = 0.0

    def may_go_on(self) -> bool:
        """Whether there is time left, and nobody else needs the processor."""
        return self._seconds < RUN_SECONDS and has_time_left() and is_idle(self._engines)

    def compare(self, row: Comparison) -> bool:
        """Ask for a game's turns that weren't asked for yet; whether all are."""
        found = plies_of(row.entrant) if row.attempts <= MOST_ATTEMPTS else []
        for ply in found[row.asked :]:
            if not self.may_go_on():
                return _give_back(row)
            try:
                report = asyncio.run(searched(ply, self._engines))
            except EnginePoolError:  # once more when the claim has ended, and not for ever
                return False
            if report is None:
                return _give_back(row)
            self._seconds += report.seconds
            if not _keep(row, ply, report):
                return False
        return bool(Comparison.objects.filter(pk=row.pk).update(is_done=True))


def _give_back(row: Comparison) -> bool:
    """Let any process go on with a game."""
    Comparison.objects.filter(pk=row.pk).update(claimed_until=0.0, attempts=0)
    return False


def plies_of(entrant: Entrant) -> list[Ply]:
    """The actions to ask for, in all games of a match; none on boards that were not measured."""
    row, found = entrant.result.table, []
    for number in range(game_count(row)):
        leg = table_of(row).match.games[number]
        with contextlib.suppress(Refused):  # komi and colours were never settled
            record = record_at_table(row, number)
            game = game_of(record, catalog.game)
            if leg.players is not None and not record.position and curve_of(board_of(game)):
                found += plies_to_compare(record, game, leg.players[entrant.seat])
    return found


async def searched(ply: Ply, engines: EnginePool) -> Report | None:
    """What level 10 searches in an action's position; None if it was kept from finishing."""
    game, latest, simulations = ply.before.game, None, limits_of(ply.before.game).simulations
    searching = engines.analyse(
        game.name,
        game.options,
        [game.action_texts[action] for action in ply.before.played()],
        asker=ASKER,
        lines=LINES,
        simulations=simulations,
        seed=seed_for(ply),
    )
    async with contextlib.aclosing(searching) as reports:
        async for report in reports:
            latest = report
    is_whole = latest is not None and (latest.is_proven or latest.simulations >= (simulations or 0))
    return latest if is_whole else None


def _keep(row: Comparison, ply: Ply, report: Report) -> bool:
    """Count a turn, on disk; whether the game is still ours."""
    curve, answer = curve_of(board_of(ply.before.game)), agrees(report, ply.action)
    is_ours = Comparison.objects.filter(pk=row.pk, asked=row.asked)
    row.asked += 1
    row.seconds += report.seconds
    if answer is not None and curve is not None:
        row.turns += 1
        row.agreed += answer
        row.expected += curve.most(row.entrant.change.rated)
    row.at = clock.now()
    kept = {name: getattr(row, name) for name in ("asked", "seconds", "turns", "agreed", "expected", "at")}
    return bool(is_ours.update(**kept, attempts=0, claimed_until=row.at + LEASE))
