"""An analysis in words."""

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.core.returns import percent
from kakomi.search import Report
from kakomi.study.analysis.analysis import Analysis
from kakomi.study.analysis.dispersion import standard_error
from kakomi.study.analysis.move import Move
from kakomi.study.analysis.searches import PositionLimits


def points(loss: float, error: float) -> str:
    """A loss in percentage points, with its standard error."""
    return f"{100 * loss:.1f} ± {100 * error:.1f}"


def chances_in_words(report: Report, analysis: Analysis) -> str:
    """Everybody's chances, with the standard error of the first player's."""
    names = analysis.game.player_names
    chances = ", ".join(
        f"{name} {percent(chance)}" for name, chance in zip(names, report.chances, strict=True)
    )
    if report.is_exact:
        return chances
    error = standard_error(report.chances[0], report.samples, analysis.dispersion)
    return f"{chances} (± {100 * error:.1f})"


def verdict(move: Move) -> str:
    """The cost of a graded action, in a sentence without its full stop."""
    texts = move.ply.before.game.action_texts
    grade = move.grade.word.capitalize() if move.grade else "Good enough"
    chances = f"{percent(move.promise)} → {percent(move.after.chances[move.ply.player])}"
    return (
        f"{grade}: {move.ply.action_text} loses {points(move.loss, move.error)} points "
        f"({chances}); better is {texts[move.best[0]]}"
    )


def limits_in_words(effort: PositionLimits) -> LazyMessage:
    """The limits of a position's search."""
    if effort.simulations is None:
        return lazy_message("{seconds:g} s", seconds=effort.seconds)
    simulations = lazy_message("{count:,} simulations", count=effort.simulations)
    if effort.seconds is None:
        return simulations
    seconds = lazy_message("{seconds:g} s", seconds=effort.seconds)
    return lazy_message("{simulations} or {seconds}", simulations=simulations, seconds=seconds)
