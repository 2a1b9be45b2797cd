"""Shared studies and positions, and which of the site's pages other sites may embed."""

import re
from html import unescape

import pytest
from django.test import Client

from kakomi import catalog
from kakomi.records import recorded
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis import services
from kakomi.server.analysis.models import Study
from kakomi.server.boards import sharing
from kakomi.server.security.headers import DRAWING_POLICY, FRAMED_POLICY, HEADERS
from kakomi.server.site.rendering import RenderJob
from server.site_walk import addresses
from server.table_client import Person, opened

pytestmark = pytest.mark.django_db
POSITION = "/analysis/position/rive"
QUERY = "size=2&position=b1/1wb/w1%20w%20excess=2%20shrinking=0"


@pytest.fixture
def study() -> Study:
    game = catalog.game("rin", size=6)
    owner = Guest.objects.create(name="Ann")
    return services.create(owner, recorded(game, ["1,1", "2,2", "3,3"]), title="An idea")


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[RenderJob]:
    """The jobs of requested pictures, which a fake renderer collects."""
    asked: list[RenderJob] = []

    class Renderer:
        async def render(self, job: RenderJob) -> bytes:
            asked.append(job)
            return b"a picture"

    monkeypatch.setattr(sharing, "shared_render_queue", Renderer)
    sharing._KEPT.clear()
    return asked


def preview(page: str) -> dict[str, str]:
    found = re.findall(r'<meta property="og:(\S+)" content="([^"]*)">', page)
    return {name: unescape(value) for name, value in found}


def test_a_link_to_a_position_says_what_it_leads_to_and_shows_it(jobs: list[RenderJob]) -> None:
    page = Client().get(f"{POSITION}?{QUERY}")
    assert page["X-Robots-Tag"] == "noindex"
    said = preview(page.content.decode())
    assert said["title"] == "Rive" and "White to move" in said["description"]
    assert Client().get(said["url"]).status_code == 200
    picture = Client().get(said["image"])
    assert (picture.status_code, picture.content) == (200, b"a picture")
    assert [(job.options, job.position) for job in jobs] == [
        ({"size": 2}, "b1/1wb/w1 w excess=2 shrinking=0")
    ]


def test_the_same_position_is_drawn_once_however_its_link_is_spelt(jobs: list[RenderJob]) -> None:
    for query in ("size=2&actions=a1", "actions=a1&size=2", "size=2&actions=a1&utm=elsewhere"):
        assert Client().get(f"{POSITION}/picture.png?{query}").status_code == 200
    assert [job.turns for job in jobs] == [[["a1"]]]


def test_pictures_of_what_lasts_may_be_kept(study: Study) -> None:
    lasting = Client().get(f"{POSITION}/picture.svg?{QUERY}&theme=dark")
    assert lasting["Cache-Control"] == sharing.LASTING and lasting["Content-Type"].startswith("image/svg")
    again = Client().get(
        f"{POSITION}/picture.svg?{QUERY}&theme=dark", headers={"If-None-Match": lasting["ETag"]}
    )
    assert again.status_code == 304 and again["Cross-Origin-Resource-Policy"] == "cross-origin"
    changing = Client().get(f"/analysis/study/{study.code}/picture.svg")
    assert changing["Cache-Control"] == sharing.CHANGING
    ann = Person("Ann")
    row = opened(ann, Person("Bob"), size=6)
    address = f"/table/{row.code}/picture.svg"
    assert Client().get(address)["Cache-Control"] == sharing.CHANGING
    ann.do(row, "resign")
    assert Client().get(address)["Cache-Control"] == sharing.LASTING


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("size=99", "size"),
        ("size=2&position=bbbb", "bbbb"),
        ("size=2&actions=z9", "z9"),
        ("size=2&actions=a1.a1", "a1"),
        ("size=2&actions=" + "a1." * 3_000, "characters in the link"),
    ],
)
def test_a_position_that_there_is_not_is_refused_with_the_reason(query: str, said: str) -> None:
    for part in ("picture.svg", "picture.png", "embed"):
        answer = Client().get(f"{POSITION}/{part}?{query}")
        assert answer.status_code == 400 and said in unescape(answer.content.decode())
        assert Client().get(f"/analysis/position/chess/{part}").status_code == 404
    assert Client().get(f"{POSITION}?{query}").status_code == 422


def test_a_study_is_shown_at_the_turn_that_is_asked_for(study: Study, jobs: list[RenderJob]) -> None:
    address = f"/analysis/study/{study.code}"
    for query in ("", "?node=1", "?node=99"):
        Client().get(f"{address}/picture.png{query}")
    assert [job.turns for job in jobs] == [[["1,1", "2,2", "3,3"]], [["1,1"]]]
    frame = Client().get(f"{address}/embed?node=1").content.decode()
    assert f'src="{address}/picture.svg?node=1&amp;theme=auto"' in frame and "An idea" in frame


def test_a_game_that_goes_on_is_hidden_from_its_players_in_pictures_as_well() -> None:
    ann, bob, eve = Person("Ann"), Person("Bob"), Person("Eve")
    row = opened(ann, bob, size=6)
    ann.do(row, "touch 1,1")
    eve.client.get(f"/analysis/table/{row.code}")
    address = f"/analysis/study/{Study.objects.get().code}"
    for part in ("picture.svg", "picture.png", "embed", "download.svg"):
        assert bob.client.get(f"{address}/{part}").status_code == 403


def test_only_boards_in_frames_are_for_other_pages(study: Study, jobs: list[RenderJob]) -> None:
    row = opened(Person("Ann"), Person("Bob"), size=6)
    values = {"game": "rin", "form": "svg", "invitation": "x", "token": "x", "name": "x", "path": "x"}
    framed, shared = set(), set()
    for address in addresses():
        code = study.code if address.route.startswith("analysis/study") else row.code
        if "engine" in address.route or "events" in address.route:
            continue  # endless streams
        known = dict.fromkeys(address.parameters, "1") | values | {"code": code}
        answer = Client().get(address.filled(known))
        policy = answer["Content-Security-Policy"]
        framed |= {address.route} if "frame-ancestors *" in policy else set()
        shared |= {address.route} if answer["Cross-Origin-Resource-Policy"] == "cross-origin" else set()
        if policy == FRAMED_POLICY:
            assert not answer.cookies and b"<script" not in answer.content and b"<form" not in answer.content
        else:
            assert policy in (HEADERS["Content-Security-Policy"], DRAWING_POLICY)
            assert answer["X-Frame-Options"] == "DENY"
    boards = ("table/<slug:code>", "analysis/study/<slug:code>", "analysis/position/<slug:game>")
    assert framed == {f"{board}/embed" for board in boards}
    pictures = {f"{board}/picture.{form}" for board in boards for form in ("svg", "png")}
    assert shared == framed | pictures
    assert len(jobs) == 3
