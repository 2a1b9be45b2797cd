"""Where the numbers of a report come from: its games, who played them, and how intervals are made."""

from html import escape

from kakomi.study.report.page.tables import draw_table
from kakomi.study.report.plan import Sample
from kakomi.study.report.report import Report

_PLAYED = (
    "All figures rest on these games. Players of one level play with themselves from the empty board; "
    "neighbouring levels play on random openings, each opening once from every seat."
)
_OWN = "All figures rest on the games of a folder, as they were recorded."
_INTERVALS = (
    "Intervals are of 95 % and rest on the differences between blocks of games that belong together: "
    "shares have Wilson's interval, means Student's, medians Woodruff's. Where several things are tested "
    "at once, p-values are corrected by Holm's method. How a game stood is what the search of the player "
    "to act expected. Kakomi's documentation (docs/reports.md) defines every number and names its source."
)


def draw_sources(report: Report) -> str:
    """The section as HTML."""
    rows = "".join(
        f"<tr><td>{escape(sample.title)}</td><td>{games:,}</td>"
        f"<td>{escape(_choice(report, sample))}</td></tr>"
        for sample, games in report.counts
    )
    is_own = any(sample.kind == "own" for sample, _ in report.counts)
    more = f"<p>{escape(report.origin.more)}</p>" if report.origin.more else ""
    return (
        '<section id="sources"><h2>Where this comes from</h2>'
        f"<p>{escape(_OWN if is_own else _PLAYED)}</p>"
        f"{draw_table('Samples', ('players', 'games', 'how they choose'), rows)}"
        f"<p>{escape(_INTERVALS)}</p>{more}</section>"
    )


def _choice(report: Report, sample: Sample) -> str:
    """How the players of a sample choose an action."""
    match sample.kind:
        case "random":
            return "any legal action, all alike: not how anybody plays"
        case "own":
            return "as recorded"
    level = report.game.description.levels[sample.level - 1]
    chosen = f"freely, temperature {level.temperature:g}" if level.temperature else "the best found"
    told = f"a search of {level.simulations:,} simulations, {chosen}"
    match sample.kind:
        case "ladder":
            return f"{told}; the weaker one as its own level says"
        case "mirror":
            return f"{told}; its opponent copies each turn while it can"
    return told
