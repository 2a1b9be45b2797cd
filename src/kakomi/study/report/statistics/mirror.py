"""Whether copying the opponent pays: games of a level against a player that mirrors each of its turns."""

from itertools import pairwise

from kakomi.bots.mirror import images, mirror_of
from kakomi.study.report.content import Cell, GameLink, Number, Section, Table
from kakomi.study.report.estimates import Estimate, difference, holm, p_value, share
from kakomi.study.report.statistics.shared import number
from kakomi.study.report.study import Study, extreme, mean_of, share_of, share_of_seat
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

MIRROR = "mirror:"
REAL = 0.05


def mirror(study: Study) -> Section | None:
    """What a player wins that copies, by seat, beside what an equal player wins; None where nobody copied."""
    found = [(sample, games) for sample, games in study.samples.items() if sample.kind == "mirror" and games]
    if not found:
        return None
    sample, games = found[0]
    rows = [
        (seat, _score(games, seat), _equal(study, sample.level, seat)) for seat in range(study.game.players)
    ]
    tests = holm([p_value(difference(own, equal), 0.0) if own and equal else 1.0 for _, own, equal in rows])
    second = rows[-1][1]
    told = in_words(second, "percent") if second else "none"
    copied = mean_of(games, lambda trace: copied_share(study, trace))
    return Section(
        key="mirror",
        title="Mirror strategies",
        group="skill",
        finding=f"Who copies level {sample.level} as second player wins {told} of games.",
        means="One player answers each turn by its image under half a turn of the board, or a reflection, "
        "as long as that is legal, and else as its level plays. If copying wins as much as playing does, "
        "the game needs a rule against it.",
        not_means="The level doesn't know that it is copied, and sets no trap; people soon would. That "
        "copying fails against this level is no proof that it always does.",
        numbers=(
            *(_number(study, seat, own, sample.title) for seat, own, _ in rows if own),
            *number(study, "turns that were copied", copied, "percent", sample),
        ),
        figures=(_table(study, rows, tests),),
        links=_links(games),
    )


def _number(study: Study, seat: int, own: Estimate, who: str) -> Number:
    return Number(f"who copies as {study.game.player_names[seat]} wins", own, "percent", who)


def _seat(trace: Trace) -> int:
    """Which seat copies."""
    return next(seat for seat, name in enumerate(trace.seats) if name.startswith(MIRROR))


def _score(games: list[Trace], seat: int) -> Estimate | None:
    return share((trace.block, trace.shares[seat], 1.0) for trace in games if _seat(trace) == seat)


def _equal(study: Study, level: int, seat: int) -> Estimate | None:
    """What the seat wins between two of the level."""
    games = next((games for sample, games in study.strengths if sample.level == level), [])
    return share_of(games, share_of_seat(seat))


def copied_share(study: Study, trace: Trace) -> float:
    """The part of the turns of whoever copies that are images of the turn before."""
    symmetry, seat = mirror_of(study.game), _seat(trace)
    turns: dict[int, list[int]] = {}
    for turn, action in zip(trace.turns.tolist(), trace.actions, strict=True):
        turns.setdefault(turn, []).append(action)
    movers = {turn: int(mover) for turn, mover in zip(trace.turns.tolist(), trace.movers, strict=True)}
    answers = [(before, after) for before, after in pairwise(turns) if movers[after] == seat]
    if symmetry is None or not answers:
        return 0.0
    same = sum(images(symmetry, tuple(turns[before])) == turns[after] for before, after in answers)
    return same / len(answers)


def _table(
    study: Study, rows: list[tuple[int, Estimate | None, Estimate | None]], tests: list[float]
) -> Table:
    cells = []
    for (seat, own, equal), chance in zip(rows, tests, strict=True):
        name = study.game.player_names[seat]
        scores = [Cell(number=Number(name, one, "percent")) if one else Cell("–") for one in (own, equal)]
        cells.append((Cell(name), *scores, Cell("differs" if chance < REAL else "may be chance")))
    columns = ("seat", "who copies wins", "an equal player wins", "so it")
    return Table("Copying and playing", columns, tuple(cells), "Corrected by Holm's method for both seats.")


def _links(games: list[Trace]) -> tuple[GameLink, ...]:
    won = [trace for trace in games if trace.winner == _seat(trace)]
    lost = [trace for trace in games if trace.winner not in (_seat(trace), None)]
    found = [(won, "Copying wins"), (lost, "Copying loses")]
    return tuple(extreme(some, lambda trace: -trace.plies, label) for some, label in found if some)
