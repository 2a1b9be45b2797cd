"""Labels of reports, measures and log entries."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy

from kakomi.core.i18n import lazy_message
from kakomi.server.moderation.models import Measure, Report

REPORTS = {
    Report.Kind.NAME: gettext_lazy("Offensive name or impersonation"),
    Report.Kind.CHAT: gettext_lazy("Insults, threats or spam in messages"),
    Report.Kind.TOURNAMENT: gettext_lazy("Offensive or misleading tournament name"),
    Report.Kind.CONDUCT: gettext_lazy("Stalling, leaving or sabotaging games"),
    Report.Kind.ENGINE: gettext_lazy("Computer assistance"),
    Report.Kind.ARRANGED: gettext_lazy("Arranged results"),
    Report.Kind.OTHER: gettext_lazy("Something else"),
}
"""The kinds of reports, as the form offers them."""
OUTCOMES = {
    Report.Outcome.OPEN: gettext_lazy("open"),
    Report.Outcome.ACTED: gettext_lazy("action taken"),
    Report.Outcome.NOTHING: gettext_lazy("no action"),
}
MEASURES = {
    Measure.Kind.MUTE: gettext_lazy("Mute"),
    Measure.Kind.SUSPENSION: gettext_lazy("Suspension"),
    Measure.Kind.NAME: gettext_lazy("Name change required"),
    Measure.Kind.ANNULMENT: gettext_lazy("Result annulled"),
}
EFFECTS = {
    Measure.Kind.MUTE: gettext_lazy("You can’t send messages. Everything else still works."),
    Measure.Kind.SUSPENSION: gettext_lazy(
        "You can’t start games with others or send messages. You can finish your current games and play bots."
    ),
    Measure.Kind.NAME: gettext_lazy("You can’t start games with others until you choose another name."),
    Measure.Kind.ANNULMENT: gettext_lazy("The game doesn’t count for ratings."),
}
"""What a measure means for the person."""
MEASURE_TITLES = {
    Measure.Kind.MUTE: lazy_message("You’ve been muted."),
    Measure.Kind.SUSPENSION: lazy_message("You’ve been suspended."),
    Measure.Kind.NAME: lazy_message("You have to choose another name."),
    Measure.Kind.ANNULMENT: lazy_message("The result of one of your games was annulled."),
}
"""The text of a measure's notice."""
ACTS = {
    "open": gettext_lazy("opened a case"),
    "mute": gettext_lazy("muted"),
    "suspension": gettext_lazy("suspended"),
    "name": gettext_lazy("required a name change"),
    "annulment": gettext_lazy("annulled a result"),
    "lift": gettext_lazy("lifted a restriction"),
    "appeal granted": gettext_lazy("granted an appeal"),
    "appeal refused": gettext_lazy("rejected an appeal"),
    "close": gettext_lazy("closed a case"),
    "erasure asked": gettext_lazy("requested an account deletion"),
    "erasure withdrawn": gettext_lazy("withdrew a deletion request"),
    "erasure": gettext_lazy("confirmed an account deletion"),
    "message": gettext_lazy("removed a message"),
    "tournament": gettext_lazy("renamed a tournament"),
    "redaction": gettext_lazy("removed a deleted player’s name from texts"),
}
"""The actions of staff in the log."""


def until_in_words(measure: Measure) -> str:
    """When a measure ends, in its person's time zone; empty if it has no end date."""
    if measure.until is None:
        return ""
    zone = measure.about.time_zone
    return f"{datetime.fromtimestamp(measure.until, ZoneInfo(zone)):%Y-%m-%d %H:%M} ({zone})"
