"""A report as a page: complete, offline, reproducible and accessible."""

import json
import re
from html.parser import HTMLParser

import pytest

import kakomi
from kakomi import records
from kakomi.study.report.content import Chart, DataPoint, Series
from kakomi.study.report.page.charts import Axis, draw_chart
from kakomi.study.report.page.html import page
from kakomi.study.report.report import Report
from kakomi.study.report.study import Study
from kakomi.study.report.writers import as_object
from study.report.conftest import played_study, report_of

VOID = {"meta", "input", "br", "link", "img"}


class Page(HTMLParser):
    """A parser that checks nesting and collects IDs, links and loaded files."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.hrefs: list[str] = []
        self.loads: list[str] = []
        self.games: set[str] = set()
        self.unnamed: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [given["id"]] if given.get("id") else []
        self.hrefs += [given["href"]] if tag == "a" and given.get("href") else []
        self.loads += [value for name in ("src", "srcset") if (value := given.get(name))]
        self.games |= {given["data-game"]} if given.get("data-game") else set()
        if tag == "svg" and not (given.get("aria-labelledby") or given.get("aria-label")):
            self.unnamed.append(str(given))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def text(report: Report) -> str:
    return page(report)


@pytest.fixture(scope="module")
def parsed(text: str) -> Page:
    return Page(text)


def replays(text: str) -> dict:
    found = re.search(r'<script type="application/json" id="replay-data">(.*?)</script>', text, re.DOTALL)
    return json.loads(found[1].replace("<\\/", "</"))


def test_it_is_well_formed_and_no_id_comes_twice(parsed: Page) -> None:
    assert parsed.open == []
    assert len(set(parsed.ids)) == len(parsed.ids)


def test_it_loads_nothing(text: str, parsed: Page) -> None:
    assert parsed.loads == []
    urls = set(re.findall(r"https?://[^\"' )<]+", text))
    assert urls <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(\s*['\"]?(?!#)", text) and "fetch(" not in text


def test_all_its_links_lead_somewhere(text: str, parsed: Page) -> None:
    games = replays(text)["games"]
    assert parsed.games and parsed.games == games.keys()
    inside = {href[1:] for href in parsed.hrefs if href.startswith("#")}
    assert inside <= {*parsed.ids, *games}


def test_every_picture_is_named_and_every_chart_described(text: str, parsed: Page) -> None:
    assert parsed.unnamed == []
    charts = re.findall(r'<svg class="chart".*?</svg>', text, re.DOTALL)
    assert len(charts) > 8
    assert all(re.search(r"<title[^>]*>[^<]+</title>\s*<desc[^>]*>[^<]+</desc>", chart) for chart in charts)
    assert all('tabindex="0"' in chart for chart in charts)


def test_every_section_says_what_it_means_and_what_not(text: str, report: Report) -> None:
    assert text.count("What it means.") == text.count("What it does not mean.") == len(report.sections)
    for section in report.sections:
        assert section.means.endswith(".") and section.not_means.endswith(".")
        assert "nan" not in section.finding and "None" not in section.finding


def test_every_number_of_games_says_how_many_and_whose(report: Report) -> None:
    for section in report.sections:
        for number in section.numbers:
            assert number.players or number.unit == "power"
            assert number.estimate.games > 0 or number.note


def test_the_footer_says_how_to_make_it_again(text: str) -> None:
    footer = text[text.index("<footer>") : text.index("</footer>")]
    assert "kakomi report rin --size 4" in footer and "38 games" in footer and "seed 1" in footer
    assert kakomi.__version__ in footer


def test_the_same_games_make_the_same_page_and_other_seeds_another(text: str) -> None:
    game = kakomi.game("rin", size=4)
    assert page(report_of(played_study(game))) == text
    assert page(report_of(played_study(game, seed=2))) != text


def test_replays_end_where_the_games_end(text: str, report: Report) -> None:
    data = replays(text)
    for name, replayed in data["games"].items():
        record = records.read(replayed["record"].encode(), kakomi.game)
        assert [a for turn in record.turns for a in turn.actions] == [step[0] for step in replayed["steps"]]
        held = list(replayed["start"])
        for *_, changes in replayed["steps"]:
            for point, owner in changes:
                held[point] = owner
        stones = records.position_after(record, report.game).stones()
        assert {data["names"][at]: owner for at, owner in enumerate(held) if owner >= 0} == stones, name
        assert len(replayed["scores"]) == len(replayed["chances"]) == len(replayed["steps"]) + 1


def test_text_that_looks_like_tags_stays_text(played: Study) -> None:
    from dataclasses import replace

    report = report_of(played)
    hostile = page(
        replace(report, origin=replace(report.origin, command="<script>alert(1)</script>", more="<b>"))
    )
    assert "<script>alert" not in hostile and "&lt;b&gt;" in hostile


def test_three_players_have_sections_of_their_own(played_by_three: Study) -> None:
    text = page(report_of(played_by_three))
    assert Page(text).open == []
    assert 'id="kingmaking"' in text and 'id="coalitions"' in text and "Red wins" in text


def test_json_has_all_sections_and_numbers(report: Report) -> None:
    data = as_object(report)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert [section["key"] for section in data["sections"]] == [section.key for section in report.sections]
    number = data["sections"][0]["numbers"][0]
    assert number["low"] < number["value"] < number["high"] and number["games"] == 8
    assert number["words"] in page(report)


def test_a_report_that_was_stopped_says_so(report: Report) -> None:
    from dataclasses import replace

    stopped = replace(report, origin=replace(report.origin, is_complete=False, planned=1000))
    assert "stopped early: 38 of 1,000 games" in page(stopped)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (3, 47, [10, 20, 30, 40]), (-2, 2, [-2, -1, 0, 1, 2])],
)
def test_ticks_are_round(low: float, high: float, ticks: list[float]) -> None:
    assert Axis(low, high, 0, 100).ticks() == ticks


def test_a_chart_of_one_point_is_drawn() -> None:
    point = DataPoint(1.0, 0.5, told="one point")
    for form in ("line", "points", "bars", "band"):
        chart = Chart("One", "x", "y", (Series("s", (point,), form),), "About it.")
        assert "one point" in draw_chart(chart, "k") and "nan" not in draw_chart(chart, "k")
