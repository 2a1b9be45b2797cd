"""What cases, measures and the log are called."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy

from kakomi.core.i18n import lazy_message
from kakomi.server.moderation.models import Measure, Report

REPORTS = {
    Report.Kind.NAME: gettext_lazy("The name is offensive, or pretends to be somebody else’s"),
    Report.Kind.CHAT: gettext_lazy("Insults, threats or advertising in messages"),
    Report.Kind.TOURNAMENT: gettext_lazy("The name of a tournament is offensive, or misleads"),
    Report.Kind.CONDUCT: gettext_lazy("Stalls on purpose, leaves games, or plays to spoil them"),
    Report.Kind.ENGINE: gettext_lazy("Seems to play with the help of a program"),
    Report.Kind.ARRANGED: gettext_lazy("Results seem to be arranged"),
    Report.Kind.OTHER: gettext_lazy("Something else"),
}
"""Kinds of reports, as those choose who report."""
OUTCOMES = {
    Report.Outcome.OPEN: gettext_lazy("not looked at yet"),
    Report.Outcome.ACTED: gettext_lazy("something was done"),
    Report.Outcome.NOTHING: gettext_lazy("nothing was done"),
}
MEASURES = {
    Measure.Kind.MUTE: gettext_lazy("Mute"),
    Measure.Kind.SUSPENSION: gettext_lazy("Suspension"),
    Measure.Kind.NAME: gettext_lazy("Another name is asked for"),
    Measure.Kind.ANNULMENT: gettext_lazy("A result is annulled"),
}
EFFECTS = {
    Measure.Kind.MUTE: gettext_lazy("You can’t write messages. All else stays as it is."),
    Measure.Kind.SUSPENSION: gettext_lazy(
        "You begin no games with others, and write no messages. Games that go on are played to their end, "
        "and you can play bots."
    ),
    Measure.Kind.NAME: gettext_lazy(
        "You begin no games with others until you have chosen another name. As soon as you have, this ends."
    ),
    Measure.Kind.ANNULMENT: gettext_lazy("The game counts for nobody’s rating."),
}
"""What a measure means, for the person."""
TOLD = {
    Measure.Kind.MUTE: lazy_message("You may write no messages for some time."),
    Measure.Kind.SUSPENSION: lazy_message("You may begin no games with others for some time."),
    Measure.Kind.NAME: lazy_message("You have to choose another name."),
    Measure.Kind.ANNULMENT: lazy_message("The result of one of your games was annulled."),
}
"""What a notice says of it."""
ACTS = {
    "open": gettext_lazy("opened a case"),
    "mute": gettext_lazy("muted"),
    "suspension": gettext_lazy("suspended"),
    "name": gettext_lazy("asked for another name"),
    "annulment": gettext_lazy("annulled a result"),
    "lift": gettext_lazy("took a measure back"),
    "appeal granted": gettext_lazy("granted an appeal"),
    "appeal refused": gettext_lazy("refused an appeal"),
    "close": gettext_lazy("closed a case"),
    "erasure asked": gettext_lazy("asked for an erasure"),
    "erasure withdrawn": gettext_lazy("withdrew an erasure"),
    "erasure": gettext_lazy("confirmed an erasure"),
    "message": gettext_lazy("removed a message"),
    "tournament": gettext_lazy("renamed a tournament"),
    "redaction": gettext_lazy("an erased person’s name was taken out of texts"),
}
"""What staff do, as the log says it."""


def until_in_words(measure: Measure) -> str:
    """When a measure ends, by the clocks where its person lives; empty if no moment ends it."""
    if measure.until is None:
        return ""
    zone = measure.about.time_zone
    return f"{datetime.fromtimestamp(measure.until, ZoneInfo(zone)):%Y-%m-%d %H:%M} ({zone})"
