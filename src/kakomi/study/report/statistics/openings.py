"""First turns, up to the board's symmetries: how often they are played, and what they bring."""

from collections import defaultdict

from kakomi.study.report.content import BoardMap, Cell, GameLink, Number, Section, Table
from kakomi.study.report.estimates import Estimate, difference, holm, p_value, share
from kakomi.study.report.study import Study, share_of
from kakomi.study.report.symmetries import known_symmetries, turn_up_to_symmetry
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

MOST_ROWS = 10
REAL = 0.05
FEWEST_GAMES = 5
"""First turns of fewer games get no share of the win."""


def openings(study: Study) -> Section | None:
    """First turns of the strongest players that begin on the empty board; None where none did."""
    games = [trace for trace in study.games if not trace.opening and not trace.position and trace.plies]
    if not games:
        return None
    groups = _groups(study, games)
    ordered = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    favourite, first = ordered[0]
    chosen = share_of(games, frozenset(first).__contains__)
    assert chosen
    return Section(
        key="openings",
        title="Openings",
        group="skill",
        finding=f"{len(groups)} different first turns were played; {_spelled(study, favourite)} comes in "
        f"{in_words(chosen, 'percent')} of games.",
        means="First turns that a rotation or reflection of the board makes alike are one. The share of "
        "the win is that of whoever plays it.",
        not_means="A first turn that wins often is not proven to be good: few games are behind each, and "
        "the answers to it were as strong as these bots are.",
        figures=(_table(study, ordered, games), _map(study, games)),
        links=tuple(GameLink(one[0].id, f"Begins with {_spelled(study, turn)}") for turn, one in ordered[:3]),
    )


def _groups(study: Study, games: list[Trace]) -> dict[tuple[int, ...], list[Trace]]:
    found: dict[tuple[int, ...], list[Trace]] = defaultdict(list)
    for trace in games:
        found[first_turn(study, trace)].append(trace)
    return found


def first_turn(study: Study, trace: Trace) -> tuple[int, ...]:
    """The actions of the first turn, the same for all that symmetries make alike."""
    return turn_up_to_symmetry(study.game, trace.actions[: int((trace.turns == 0).sum())])


def _spelled(study: Study, turn: tuple[int, ...]) -> str:
    return " ".join(study.game.action_texts[action] for action in turn)


def _table(study: Study, ordered: list, games: list[Trace]) -> Table:
    scored = [(turn, some, _score(some), _score(_others(games, some))) for turn, some in ordered[:MOST_ROWS]]
    tested = [
        p_value(difference(own, rest), 0.0) if own and rest and own.games >= FEWEST_GAMES else 1.0
        for _, _, own, rest in scored
    ]
    corrected = holm(tested)
    rows = []
    for (turn, some, own, _), chance in zip(scored, corrected, strict=True):
        chosen = share_of(games, frozenset(some).__contains__)
        assert chosen and own
        rows.append(
            (
                Cell(
                    _spelled(study, turn), link=GameLink(some[0].id, f"Begins with {_spelled(study, turn)}")
                ),
                Cell(f"{len(some):,}"),
                Cell(number=Number("played", chosen, "percent", study.best.title)),
                Cell(number=Number("wins", own, "percent", study.best.title))
                if own.games >= FEWEST_GAMES
                else Cell("–"),
                Cell("yes" if chance < REAL else "may be chance"),
            )
        )
    columns = ("first turn", "games", "of all games", "share of the win", "differs from the others")
    about = (
        "Whether a first turn differs is tested against all others, corrected by Holm's method for all rows."
    )
    return Table(f"The {len(rows)} first turns that come most often", columns, tuple(rows), about)


def _others(games: list[Trace], some: list[Trace]) -> list[Trace]:
    left_out = frozenset(some)
    return [trace for trace in games if trace not in left_out]


def _score(games: list[Trace]) -> Estimate | None:
    return share((trace.block, trace.shares[int(trace.movers[0])], 1.0) for trace in games)


def _map(study: Study, games: list[Trace]) -> BoardMap:
    """How often each place is touched by the first turn, on any of the boards that are alike."""
    counts: dict[str, float] = defaultdict(float)
    symmetries = known_symmetries(study.game)
    for trace in games:
        turn = trace.actions[: int((trace.turns == 0).sum())]
        for symmetry in symmetries:
            for action in turn:
                target = study.game.actions[symmetry.actions[action]].target
                if target:
                    counts[target] += 1 / len(symmetries)
    most = max(counts.values(), default=1.0)
    return BoardMap(
        "Where games begin",
        f"The stronger the tint, the more often the first turn goes there, in {len(games):,} games of "
        f"{study.best.title}; places that are alike share their games.",
        {name: (count / most, None) for name, count in counts.items()},
        {
            name: f"{name}: in the first turn of {100 * count / len(games):.1f} % of games"
            for name, count in counts.items()
        },
    )
