"""German: its catalogue, its rules, and who gets to see it."""

import pickle
import re
from gettext import GNUTranslations, NullTranslations
from io import BytesIO

import pytest
from babel.messages.mofile import write_mo
from django.test import Client
from django.utils import translation

import kakomi
from kakomi import IllegalAction, catalog, records
from kakomi.core.i18n import lazy_join, lazy_message, lazy_plural, translated
from kakomi.server.site.language import translate, why
from messages import LANGUAGES, messages, messages_in_code, messages_in_template, read, source_of

READING = {"en": "*Our reading:*", "de": "*Unsere Auslegung:*"}

each_language = pytest.mark.parametrize("language", LANGUAGES)


def values(template: str) -> set[str]:
    """What a template has filled in: `{name}` and `{seconds:g}`, `%(title)s`."""
    return set(re.findall(r"\{(\w+)[^{}]*\}", template)) | set(re.findall(r"%\((\w+)\)", template))


def compiled_of(language: str) -> GNUTranslations:
    with source_of(language).with_suffix(".mo").open("rb") as file:
        return GNUTranslations(file)


def tags(template: str) -> list[str]:
    return sorted(re.findall(r"<[^>]+>", template))


@each_language
def test_every_text_is_translated_and_nothing_else(language):
    wanted = {(m.text if isinstance(m.text, str) else m.text[0], m.context) for m in messages()}
    found = {(m.id if isinstance(m.id, str) else m.id[0], m.context): m for m in read(language) if m.id}
    assert found.keys() == wanted, "make messages brings the catalogue up to date"
    for message in found.values():
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(strings) and not message.fuzzy, message.id


def test_texts_are_found_wherever_they_stand():
    code = """f"{gettext('one')} · {named.gettext(f'{x}') + _('two' ' more')}"; ngettext("a", "b", n)"""
    assert [text for text, *_ in messages_in_code(code, "")] == [("a", "b"), "one", "two more"]
    template = """{% load i18n %}{{ name|default:_("You") }}{% if x == _('100 %') %}{% endif %}"""
    assert [text for text, *_ in messages_in_template(template, "")] == ["You", "100 %%"]
    template = """{% load i18n %}{% include "x" with it=_("None") %}{# _("no") #}{% translate "yes" %}"""
    assert [text for text, *_ in messages_in_template(template, "")] == ["None", "yes"]


@each_language
def test_translations_fill_in_the_same_values(language):
    for message in read(language):
        if message.id:
            texts = message.id if isinstance(message.id, tuple) else (message.id,)
            strings = message.string if isinstance(message.string, tuple) else (message.string,)
            for string in strings:
                assert values(string) <= values(texts[-1]), message.id
                assert tags(string) == tags(texts[-1]), message.id
            assert values(strings[-1]) == values(texts[-1]), message.id
            assert (texts[0][-1] in ".:…?!") == (strings[0][-1] in ".:…?!"), message.id


@each_language
def test_what_is_compiled_is_what_translators_wrote(language):
    compiled = BytesIO()
    write_mo(compiled, read(language))
    compiled.seek(0)
    fresh, kept = (vars(one)["_catalog"] for one in (GNUTranslations(compiled), compiled_of(language)))
    assert {**fresh, "": ""} == {**kept, "": ""}, "make messages compiles the catalogue"


@each_language
@pytest.mark.parametrize("name", kakomi.names())
def test_rules_are_translated_piece_by_piece(name, language):
    english, _ = catalog.describe(name).rules_in("en")
    translated, found = catalog.describe(name).rules_in(language)
    assert found == language
    for begins in ("#", "- ", "| ", "1. ", "    ", "  0 ", "<!-- example: "):
        pieces, same = (
            [line for line in text.split("\n") if line.startswith(begins)] for text in (english, translated)
        )
        assert len(pieces) == len(same), begins
    assert translated.count(READING[language]) == english.count(READING["en"]) > 0
    assert re.findall(r"<!--.*-->", translated) == re.findall(r"<!--.*-->", english)
    assert set(re.findall(r"`[^`\n]+`", translated)) == set(re.findall(r"`[^`\n]+`", english))
    assert sorted(re.findall(r"\d\d+", translated)) == sorted(re.findall(r"\d\d+", english))
    assert catalog.describe(name).author in translated


def test_a_text_that_was_told_is_the_english_text():
    sentence = lazy_message("{name} has {count} stones", name=lazy_message("Black"), count=3)
    assert sentence == "Black has 3 stones" and hash(sentence) == hash("Black has 3 stones")
    assert pickle.loads(pickle.dumps(sentence)).values == sentence.values
    assert translated(sentence, NullTranslations()) == sentence
    assert lazy_plural("1 stone", "{count} stones", count=1) == "1 stone"
    assert lazy_plural("1 stone", "{count} stones", count=0) == "0 stones"
    assert lazy_join("; ", [lazy_message("Black"), "d4"]) == "Black; d4"


def test_told_texts_are_said_in_german_with_what_is_in_them():
    german = compiled_of("de")
    assert (
        translated(lazy_message("{player} to move.", player=lazy_message("White")), german)
        == "Weiß ist am Zug."
    )
    assert translated(lazy_message("{player} to move.", player="White"), german) == "White ist am Zug."
    assert (
        translated(lazy_join(", ", [lazy_message("Black"), lazy_message("White")]), german) == "Schwarz, Weiß"
    )
    assert translated(lazy_message("nobody translates this"), german) == "nobody translates this"
    assert translated("", german) == ""


@pytest.mark.parametrize(("count", "words"), [(1, "1 Stein geschlagen"), (3, "3 Steine geschlagen")])
def test_plurals(count, words):
    with translation.override("de"):
        assert words == translate(
            lazy_plural("{count} stone captured", "{count} stones captured", count=count)
        )


def test_an_action_that_is_not_allowed_is_explained_in_german():
    position = kakomi.game("rin", size=4).start().play("0,0")
    with pytest.raises(IllegalAction) as caught:
        position.play("0,0")
    with translation.override("de"):
        assert why(caught.value) == (
            "0,0 geht nicht: auf diesem Schnittpunkt liegt schon ein Stein (Regel R4)"
        )
    assert "there is already a stone on that point" in str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "die Datei ist leer"),
        (b'{"kakomi_record":1,"game":"rin","turns":[{"player":1,"actions":["0,0"]}]}', "Schwarz ist am Zug"),
        (b"(;GM[0]", "die SGF-Datei ist unvollständig"),
        (b'{"kakomi_record":2}', "kakomi_record: Version 2 des Formats wird nicht unterstützt, nur 1"),
        (b'{"kakomi_record":1}', "keine Aufzeichnung einer Partie: das Feld game fehlt"),
        (b'{"kakomi_record":1,"game":1}', "game: erwartet: str, gefunden: int"),
        (
            b'{"kakomi_record":1,"game":"rin","event":"a\\nb"}',
            "event: erwartet: eine Zeile ohne Steuerzeichen",
        ),
        (
            b'{"kakomi_record":1,"game":"rin","options":{"size":3}}',
            "size 3 ist in rin nicht möglich: wähle 4 bis 18, gerade",
        ),
        (
            b'{"kakomi_record":1,"game":"rin","result":{"reason":"resignation","winners":[0]}}',
            "result.reason: 'resignation', aber die Partie ist nicht aufgegeben",
        ),
    ],
)
def test_a_file_that_is_refused_is_refused_in_german(data, words):
    def reached() -> None:
        record = records.read(data, catalog.game)
        records.position_after(record, records.game_of(record, catalog.game))

    with pytest.raises(records.RecordError) as caught:
        reached()
    with translation.override("de"):
        assert words in why(caught.value)


@pytest.mark.django_db
def test_the_browser_says_which_language_until_the_guest_does(client: Client):
    def language(**headers: str) -> str:
        html = client.get("/", headers=headers).content.decode()
        return re.findall(r'<html[^>]* lang="([\w-]+)"', html)[0]

    assert language() == "en"
    assert language(accept_language="de-AT,de;q=0.9,en;q=0.5") == "de"
    assert language(accept_language="fr") == "en"
    client.post("/me/preferences", {"language": "de"})
    assert language(accept_language="en") == "de"
    client.post("/me/preferences", {"language": "en"})
    assert language(accept_language="de") == "en"
    client.post("/me/preferences", {"language": "tlh"})
    assert language(accept_language="de") == "en"
