"""Sentences that can be said in another language, as they remember what they were made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Language(Protocol):
    """What translates: `gettext.NullTranslations` and its kind, or `django.utils.translation`."""

    def gettext(self, message: str, /) -> str:
        """The message in this language, or itself."""

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        """The one that suits the number, in this language or as it is."""


class LazyMessage(str):
    """An English sentence like any other text, that also holds the template and the values it was made of."""

    __slots__ = ("many", "one", "values")
    one: str
    """The template, or that for a count of 1."""
    many: str
    """The template for any other `count`; empty if nothing is counted."""
    values: Mapping[str, Any]
    """What the template is filled with; a `count` chooses between the two."""

    def __new__(cls, one: str, many: str, values: Mapping[str, Any]) -> LazyMessage:
        template = many if many and values["count"] != 1 else one
        sentence = super().__new__(cls, template.format(**values) if values else template)
        sentence.one, sentence.many, sentence.values = one, many, values
        return sentence

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.one, self.many, self.values


def lazy_message(template: str, /, **values: Any) -> LazyMessage:
    """A sentence of one template: `lazy_message("{name} has {score} points", name=..., score=...)`.

    Write the template out where it is called, as translators' tools read it there. Values may be told
    themselves, and are translated then.
    """
    return LazyMessage(template, "", values)


def lazy_plural(one: str, many: str, /, *, count: int, **values: Any) -> LazyMessage:
    """A sentence for a count of 1 or for any other: `lazy_plural("1 stone", "{count} stones", count=...)`."""
    return LazyMessage(one, many, {"count": count, **values})


def lazy_join(between: str, parts: Sequence[str]) -> LazyMessage:
    """Told texts one after the other, with what stands between them."""
    names = [f"part{number}" for number in range(len(parts))]
    return LazyMessage(
        between.join(f"{{{name}}}" for name in names), "", dict(zip(names, parts, strict=True))
    )


def gettext_noop(text: str) -> str:
    """The text itself; the name by which games mark plain texts for translators is `_`."""
    return text


def translated(text: str, language: Language) -> str:
    """A text in a language; one that was not told is translated as a whole, or stays as it is."""
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
