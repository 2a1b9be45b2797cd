"""How games end: by the rules, cut off, forfeited, on time; decided or drawn."""

from functools import partial

from kakomi.study.report.content import Cell, GameLink, Number, Section, Table
from kakomi.study.report.statistics.shared import STRENGTH, number, strength_chart
from kakomi.study.report.study import Study, share_of
from kakomi.study.report.trace import Trace
from kakomi.study.report.wording import in_words

ENDINGS = {
    "rules": "ended by the rules",
    "counted": "cut off and counted",
    "resignation": "resigned",
    "time": "lost on time",
    "forfeit": "forfeited",
    "agreement": "drawn by agreement",
}


def endings(study: Study) -> Section:
    """Completion, draws and what else games end by."""
    draws = share_of(study.games, lambda trace: trace.is_draw)
    rules = share_of(study.games, lambda trace: trace.ending == "rules")
    assert draws and rules
    drawn = [trace for trace in study.games if trace.is_draw]
    cut = [trace for trace in study.games if trace.ending == "counted"]
    charts = strength_chart(
        study,
        "Draws",
        "share of games",
        [("draws", lambda games: share_of(games, lambda trace: trace.is_draw))],
        "How many games end without a sole winner, over the strength of the players.",
        unit="percent",
    )
    never = "The rules of this game allow no draw." if not study.game.description.has_draws else ""
    return Section(
        key="endings",
        title="How games end",
        group="fairness",
        finding=f"{in_words(rules, 'percent')} of games end by the rules, {in_words(draws, 'percent')} "
        "without a sole "
        f"winner. {never}".strip(),
        means="Completion is the share of games that the rules bring to an end; a draw is a game that "
        "nobody wins alone.",
        not_means="A game that is cut off at its limit of actions is counted apart and is neither a draw "
        "nor a time-out: its result is what the scores say at that moment.",
        numbers=(
            *number(study, "ended by the rules", rules, "percent"),
            *number(study, "without a sole winner", draws, "percent"),
        ),
        figures=(_table(study), *(charts if study.game.description.has_draws else ())),
        links=(
            *([GameLink(drawn[0].id, "A drawn game", drawn[0].plies)] if drawn else []),
            *([GameLink(cut[0].id, "A game that was cut off", cut[0].plies)] if cut else []),
        ),
        summary=f"{in_words(draws, 'percent')} of its games are drawn."
        if study.game.description.has_draws
        else "",
    )


def _ends(trace: Trace, by: str) -> bool:
    return trace.ending == by


def _table(study: Study) -> Table:
    seen = [
        ending
        for ending in ENDINGS
        if any(trace.ending == ending for _, games in study.strengths for trace in games)
    ]
    rows = []
    for sample, games in study.strengths:
        cells = [Cell(sample.title), Cell(f"{len(games):,}")]
        for ending in seen:
            one = share_of(games, partial(_ends, by=ending))
            assert one
            cells.append(Cell(number=Number(ENDINGS[ending], one, "percent", sample.title)))
        rows.append(tuple(cells))
    return Table("Endings", (STRENGTH, "games", *(ENDINGS[ending] for ending in seen)), tuple(rows))
