"""Sentences that can be translated later, because they keep their template and values, and values in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

Refusal = TypeVar("Refusal", bound=Exception)


class Language(Protocol):
    """A source of translations, such as `gettext.NullTranslations` or `django.utils.translation`."""

    def gettext(self, message: str, /) -> str:
        """The message in this language, or the message itself."""

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """The singular or plural, as the number requires, in this language or unchanged."""


class LazyMessage(str):
    """An English sentence, as a string that also has the template and the values that it was made of."""

    __slots__ = ("many", "one", "values")
    one: str
    """The template, or the template for a count of 1."""
    many: str
    """The template for other counts; empty if nothing is counted."""
    values: Mapping[str, Any]
    """The values of the template's fields; `count` selects the template."""

    def __new__(cls, one: str, many: str, values: Mapping[str, Any]) -> LazyMessage:
        template = many if many and values["count"] != 1 else one
        sentence = super().__new__(cls, template.format(**values) if values else template)
        sentence.one, sentence.many, sentence.values = one, many, values
        return sentence

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.one, self.many, self.values


def lazy_message(template: str, /, **values: Any) -> LazyMessage:
    """A sentence from a template: `lazy_message("{name} has {score} points", name=..., score=...)`.

    The template must be a literal, as tools collect it from the source. Values that are messages themselves
    are translated too.
    """
    return LazyMessage(template, "", values)


def lazy_plural(one: str, many: str, /, *, count: int, **values: Any) -> LazyMessage:
    """A sentence with a singular and a plural: `lazy_plural("1 stone", "{count} stones", count=...)`."""
    return LazyMessage(one, many, {"count": count, **values})


def lazy_error(kind: type[Refusal], template: str, /, **values: Any) -> Refusal:
    """An exception with a message from a template."""
    return kind(lazy_message(template, **values))


def lazy_join(between: str, parts: Sequence[str]) -> LazyMessage:
    """Texts joined by a separator; messages among them remain translatable."""
    names = [f"part{number}" for number in range(len(parts))]
    return LazyMessage(
        between.join(f"{{{name}}}" for name in names), "", dict(zip(names, parts, strict=True))
    )


def gettext_noop(text: str) -> str:
    """The text itself, marked for translators. Games import it as `_`."""
    return text


def translated(text: str, language: Language) -> str:
    """A text in a language. A plain string is translated as a whole."""
    if not isinstance(text, LazyMessage):
        return language.gettext(text) if text else ""
    values = {
        name: translated(value, language) if isinstance(value, LazyMessage) else value
        for name, value in text.values.items()
    }
    if text.many:
        template = language.ngettext(text.one, text.many, text.values["count"])
    else:
        template = language.gettext(text.one)
    return template.format(**values) if values else template


_MOST_CHARACTERS = 42


def truncated_repr(value: Any) -> str:
    """The `repr` of a value, truncated to 42 characters."""
    try:
        shown = repr(value)
    except ValueError:  # Python refuses to write numbers of more than a few thousand digits
        shown = f"a very long {type(value).__name__}"
    return shown if len(shown) <= _MOST_CHARACTERS else shown[: _MOST_CHARACTERS - 3] + "..."


def capitalised(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def range_in_words(allowed: Sequence[int]) -> str:
    """A range in words: `4 to 18, even`, or the values themselves."""
    if isinstance(allowed, range) and len(allowed) > 3:
        ends = {"least": allowed[0], "most": allowed[-1]}
        if allowed.step == 1:
            return lazy_message("{least} to {most}", **ends)
        if allowed.step == 2 and allowed[0] % 2 == 0:
            return lazy_message("{least} to {most}, even", **ends)
        if allowed.step == 2:
            return lazy_message("{least} to {most}, odd", **ends)
    *first, last = [str(value) for value in allowed]
    return lazy_message("{values} or {last}", values=", ".join(first), last=last) if first else last


def names_in_words(names: Sequence[str]) -> str:
    """Several names: `Red, Blue and Green`; empty if there are none."""
    *first, last = names or [""]
    if not first:
        return lazy_join("", [last])  # joined, so that a name isn't translated
    return lazy_message("{first} and {last}", first=lazy_join(", ", first), last=last)


def winners_in_words(winners: Sequence[str], players: int) -> str:
    """A sentence with the winners, without its full stop. If all players win, it is a draw."""
    if len(winners) == players:
        return lazy_message("A draw")
    if len(winners) > 1:
        return lazy_message("{names} share the win", names=names_in_words(winners))
    return lazy_message("{name} wins", name=winners[0])
