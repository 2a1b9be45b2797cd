"""What may be written to others, whether at a table or to one person."""

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.name_rules import has_forbidden_word
from kakomi.server.moderation.restrictions import mute_of
from kakomi.server.moderation.wording import until_in_words


def why_not_written(author: Guest, text: str, longest: int) -> str:
    """Why somebody may not write a text to others, and what would be right; empty if they may."""
    if muted := why_muted(author):
        return muted
    if not text:
        return lazy_message("Write something first.")
    if len(text) > longest:
        return lazy_message(
            "A message may have {most} characters; this one has {count}.", most=longest, count=len(text)
        )
    if has_forbidden_word(text):
        return lazy_message("This site doesn’t take one of these words.")
    return ""


def why_muted(author: Guest) -> str:
    """Until when somebody may write nothing to others, and why; empty if they may write."""
    measure = mute_of(author)
    if measure is None:
        return ""
    return lazy_message(
        "You may write no messages until {until}. The reason: {reason}",
        until=until_in_words(measure),
        reason=measure.reason,
    )


def on_one_line(text: str) -> str:
    """A text on one line, without invisible characters."""
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())


def on_lines(text: str) -> str:
    """A text with its lines, at most one empty one between two, and no invisible characters."""
    lines = [on_one_line(line) for line in text.splitlines()]
    kept = [line for number, line in enumerate(lines) if line or (number and lines[number - 1])]
    return "\n".join(kept).strip()
