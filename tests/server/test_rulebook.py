"""The pages of the rules, and the examples in them."""

import inspect
import random
import re
from html.parser import HTMLParser
from urllib.parse import urlencode

import pytest
from django.test import Client

import kakomi
from kakomi import catalog
from kakomi.core import IllegalAction
from kakomi.core.attempt import Attempt, attempt_at
from kakomi.server.rules import prose
from kakomi.server.rules.template_tags import cited
from server.fragment_page import FragmentPage

HTMX = {"HX-Request": "true"}
ALL = [(name, example) for name in kakomi.names() for example in catalog.describe(name).examples]
each_example = pytest.mark.parametrize(
    ("name", "example"), ALL, ids=[f"{name}-{example.name}" for name, example in ALL]
)


@pytest.mark.django_db
@pytest.mark.parametrize("name", kakomi.names())
def test_an_example_that_is_kept_up_is_as_one_that_is_loaded(name):
    for example in catalog.describe(name).examples:
        address = f"/rules/{name}/examples/{example.name}"
        page, played = FragmentPage(Client(), address), []
        for _ in [action for step in example.steps for action in step.actions]:
            page.look(f"{address}?{urlencode({'played': ' '.join(played), 'do': 'show', 'shown': 1})}")
            played = re.search(r'name="played" value="([^"]*)"', page.html["attempt"])[1].split()
            assert "data-rest" in page.sent
            whole = FragmentPage(Client(), f"{address}?{urlencode({'played': ' '.join(played), 'shown': 1})}")
            assert page.seen == whole.seen


def attempt(name, example, played=()) -> Attempt:
    return attempt_at(kakomi.game(name, **example.options), example, played)


def asked(name, example, **query):
    return Client(headers=HTMX).get(f"/rules/{name}/examples/{example}", query)


def page(name, **headers):
    answer = Client(headers=headers).get(f"/rules/{name}")
    assert answer.status_code == 200
    return answer.content.decode()


class Elements(HTMLParser):
    """The start tags of a page."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("name", kakomi.names())
def test_a_page_has_all_of_the_rules_its_examples_and_its_author(name):
    description, html = catalog.describe(name), page(name)
    ids = [attributes["id"] for _, attributes in Elements(html).found if "id" in attributes]
    assert len(ids) == len(set(ids))
    for heading in re.findall(r"^## (.*)$", description.rules_text, re.MULTILINE):
        assert f">{heading}</h2>" in html
    for example in description.examples:
        assert f"example-{example.name}" in ids
    links = {attributes["href"] for tag, attributes in Elements(html).found if tag == "a"}
    assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
    assert f"/play/{name}" in links
    assert description.author in html
    assert "<!-- example" not in html
    assert "&lt;!--" not in html


@pytest.mark.parametrize("name", kakomi.names())
def test_nothing_in_a_page_needs_what_its_policy_forbids(name):
    for tag, attributes in Elements(page(name)).found:
        assert tag != "style"
        assert tag != "script" or "src" in attributes
        assert not [key for key in attributes if key == "style" or key.startswith("on")]


@pytest.mark.parametrize("name", kakomi.names())
def test_every_reading_of_this_project_is_set_apart(name):
    text, html = catalog.describe(name).rules_text, page(name)
    labels = text.count("*Our reading:*")
    marked = [attributes.get("class") for _, attributes in Elements(html).found]
    assert marked.count("reading-label") == marked.count("reading") == labels > 0


def test_markdown_can_bring_no_html_of_its_own():
    html = prose._html("<script>alert(1)</script>\n\n[a](javascript:alert(1)) <b onclick='x'>b</b>", [], {})
    assert {tag for tag, _ in Elements(html).found} == {"p"}


def test_headings_with_the_same_words_have_links_of_their_own():
    headings, text = [], "# Game\n\n## End\n\none\n\n## End\n\ntwo\n\n## !?\n\n## End\n"
    html = "".join(part.html for part in prose._parts(text, headings, {}))
    anchors = [heading.anchor for heading in headings]
    assert anchors == ["game", "end", "end-more", "-more", "end-more-more"]
    assert html.count('id="end-more"') == 1


def test_rules_in_another_language_and_those_that_are_not_translated(monkeypatch, tmp_path):
    def files(module):
        return tmp_path

    (tmp_path / "rules.md").write_text("# Game\n\n## The end\n", encoding="utf-8")
    (tmp_path / "rules.de.md").write_text("# Spiel\n\n## Das Ende\n\n*Unsere Lesart:* so.", encoding="utf-8")
    monkeypatch.setattr("kakomi.core.description.files", files)
    find = prose.prose_of.__wrapped__
    german, french = find("rin", "de"), find("rin", "fr")
    assert (german.title, german.language) == ("Spiel", "de")
    assert [heading.text for heading in german.contents] == ["Das Ende"]
    assert 'class="reading"' in german.parts[0].html
    assert (french.title, french.language) == ("Game", "en")


@each_example
def test_the_solution_leads_through_and_is_told_at_each_task(name, example):
    played = []
    for number, step in enumerate(example.steps):
        for action in step.actions:
            answer = asked(
                name, example.name, played=" ".join(played), at=action_target(name, example, action)
            )
            played.append(action)
            assert answer.status_code == 200
        made = answer.context["example"].attempt
        assert made.played == tuple(played)
        assert made.number == number + 1
        assert answer.context["example"].feedback == step.told
    assert made.step is None
    assert "is-open" not in answer.content.decode()


def action_target(name, example, text):
    """The target that a reader touches to play an action."""
    actions = kakomi.game(name, **example.options).actions
    return next(action.target or action.text for action in actions if action.text == text)


@each_example
def test_being_shown_leads_through_as_well(name, example):
    played = ""
    for _ in [action for step in example.steps for action in step.actions]:
        played = " ".join(
            asked(name, example.name, played=played, do="show").context["example"].attempt.played
        )
    assert attempt(name, example, played.split()).step is None


@each_example
def test_what_is_not_allowed_is_refused_with_the_reason_and_changes_nothing(name, example):
    begun = attempt(name, example)
    legal = {action.target for action in begun.position.game.actions if action.text in begun.position.legal()}
    closed = [point for point in begun.position.stones() if point not in legal]
    shown = asked(name, example.name, at=closed[0]).context["example"]
    assert shown.attempt == begun
    assert shown.tone == "bad"
    assert "RULES" in shown.feedback
    html = asked(name, example.name, at=closed[0]).content.decode()
    assert f'<a class="rule-link" href="/rules/{name}#rule-' in html


def test_a_miss_is_seen_as_soon_as_the_task_is_out_of_reach():
    shown = asked("rin", "corner-black", at="5,5").context["example"]
    assert shown.attempt.is_missed
    assert shown.feedback == shown.attempt.step.misses[""]
    on_the_way = asked("rin", "corner-black", at="3,2").context["example"]
    assert not on_the_way.attempt.is_missed
    assert "second of two stones" in on_the_way.feedback


def test_trying_again_goes_back_to_the_beginning_of_the_task():
    played = "d4 a1"  # completes the first of two tasks and misses the second
    shown = asked("ren", "rui", played=played).context["example"]
    assert shown.attempt.is_missed
    assert asked("ren", "rui", played=played, do="again").context["example"].attempt.played == ("d4",)
    assert asked("ren", "rui", played=played, do="show").context["example"].attempt.played == ("d4", "d5")
    assert asked("ren", "rui", played=played, do="reset").context["example"].attempt.played == ()


def test_another_way_to_the_same_end_is_right_too():
    assert asked("ren", "row", at="a7").context["example"].attempt.step is None
    assert asked("rive", "three", played="c2 xe2 xd2", at="c1").context["example"].attempt.step is None


def test_a_cell_without_a_majority_is_refused_where_a_conversion_is_due():
    shown = asked("rings", "convert", played="F7", at="BC4").context["example"]
    assert "a majority needs" in shown.feedback


@pytest.mark.parametrize(
    "query",
    [{"played": "z9"}, {"played": "3,2 3,3"}, {"at": "nowhere"}, {"played": "3,2 " * 200}, {"at": "\0"}],
)
def test_nonsense_is_refused(query):
    answer = asked("rin", "ring", **query)
    assert answer.status_code == 400


def test_who_asks_to_be_shown_more_at_the_end_stays_there():
    html = asked("rin", "ring", played="3,2", do="show").content.decode()
    assert html == asked("rin", "ring", played="3,2").content.decode()


def test_what_does_not_exist_is_not_found():
    assert Client().get("/rules/chess").status_code == 404
    assert Client().get("/rules/rin/examples/none").status_code == 404


def test_without_scripts_the_whole_page_shows_the_example():
    answer = Client().get("/rules/rin/examples/ring", {"do": "show"})
    html = answer.content.decode()
    assert "<h1" in html
    assert html.count('class="example is-open"') == len(catalog.describe("rin").examples) - 1


def test_after_the_end_nothing_more_is_taken():
    ring = next(example for example in catalog.describe("rin").examples if example.name == "ring")
    with pytest.raises(IllegalAction, match="this example is finished"):
        attempt("rin", ring, ["3,2"]).then("0,0")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", kakomi.names())
def test_every_rule_that_a_game_cites_has_its_place(name, language):
    rules = prose.prose_of(name, language).rules
    told = "".join(part.html for part in prose.prose_of(name, language).parts)
    assert re.findall(r'id="rule-(\w+)"', told) == list(rules)
    sentences = inspect.getsource(catalog.describe(name).explain)
    numbers = re.findall(r"[A-Z]\d+", " ".join(re.findall(r'"[^"\n]*\(RULES ([^)]*)\)', sentences)))
    assert set(numbers) <= rules.keys() and all(rules[rule].text for rule in numbers)


@pytest.mark.parametrize("name", kakomi.names())
def test_what_a_game_says_to_newcomers_names_a_rule_that_is_told(name):
    chance, position = random.Random(name), catalog.game(name, **catalog.describe(name).quick).start()
    rules, said = prose.prose_of(name, "en").rules, set()
    while not position.is_over and position.ply < 300:
        guidance = position.guidance()
        assert guidance.rule in rules and guidance.text
        said.add(guidance.rule)
        position = position.play_action(chance.choice(position.legal_actions()))
    assert len(said) > 1
    assert not position.is_over or position.guidance() is None


def test_citations_become_links_and_nothing_else_is_let_through():
    link = '<a class="rule-link" href="/rules/rive#rule-V4" data-rule="V4">Capturing</a>'
    assert cited("nothing to remove (RULES V4)", "rive") == f"nothing to remove (→ {link})"
    assert cited("<b> (Regeln V4, V5) & so (RULES X9)", "rive") == f"&lt;b&gt; (→ {link}) &amp; so "
    assert cited("(RULES V4)", "no game") == ""
    assert cited("turn 3: nothing to remove (RULES V4)") == f"turn 3: nothing to remove (→ {link})"
    assert cited("(RULES X9)") == ""


@pytest.mark.django_db
def test_the_rules_can_be_had_without_the_rest_of_their_page():
    text = Client().get("/rules/rive/text").content.decode()
    assert 'id="rule-V3"' in text and "<html" not in text
    assert 'href="/rules/rive#example-capture"' in text and "<form" not in text
    assert Client().get("/rules/rive/text", headers={"Accept-Language": "de"}).content.decode().count("Regel")
    assert Client().get("/rules/none/text").status_code == 404


@pytest.mark.parametrize(
    ("asked", "led_to"),
    [
        ("/rules/rive/", "/rules/rive"),
        ("/rules/rive//?a=b&c=%C3%A9", "/rules/rive?a=b&c=%C3%A9"),
        ("/rules/rive/course/", "/rules/rive/course"),
        ("/play/rin/", "/play/rin"),
        ("/api/v1/games/", "/api/v1/games"),
    ],
)
def test_a_slash_too_many_leads_on(asked: str, led_to: str) -> None:
    answer = Client().get(asked)
    assert (answer.status_code, answer["Location"]) == (301, led_to)
    assert Client().post(asked).status_code in (403, 404)


@pytest.mark.django_db
@pytest.mark.parametrize("asked", ["/rules/chess/x/y/", "/nowhere/", "/play/", "/admin/login/"])
def test_no_slash_leads_to_nothing_or_away(asked: str) -> None:
    assert Client().get(asked).status_code == 404
