"""Tables seen from elsewhere: pictures, boards in other pages, previews of links, QR codes."""

import re

import pytest
import segno
from django.test import Client
from django.urls import reverse

from kakomi.server.boards import sharing
from kakomi.server.security.headers import FRAMED_POLICY
from kakomi.server.site.exceptions import RenderUnavailable
from kakomi.server.tables import models
from kakomi.server.tables.services import Sitter
from server.table_client import Person, opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def row() -> models.Table:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    ann.do(row, "touch 1,1")
    return row


def test_a_board_may_stand_in_other_pages_and_nothing_else(client: Client, row: models.Table) -> None:
    page = client.get(reverse("table_embed", args=[row.code]))
    assert page["Content-Security-Policy"] == FRAMED_POLICY and "frame-ancestors *" in FRAMED_POLICY
    assert page["Cross-Origin-Resource-Policy"] == "cross-origin" and not page.cookies
    assert b"<script" not in page.content and b"<form" not in page.content
    assert b'http-equiv="refresh"' in page.content and b"Ann" in page.content
    table = client.get(reverse("table", args=[row.code]))
    assert "frame-ancestors 'none'" in table["Content-Security-Policy"]
    assert table["Cross-Origin-Resource-Policy"] == "same-origin"


def test_a_board_that_is_done_is_not_looked_at_again(client: Client) -> None:
    ann = Person("Ann")
    row = opened(ann, Person("Bob"), size=6)
    ann.do(row, "resign")
    page = client.get(reverse("table_embed", args=[row.code]))
    assert b'http-equiv="refresh"' not in page.content


def test_a_picture_may_stand_in_other_pages(client: Client, row: models.Table) -> None:
    picture = client.get(reverse("table_picture", args=[row.code]))
    assert picture["Content-Type"].startswith("image/svg+xml")
    assert picture["Cross-Origin-Resource-Policy"] == "cross-origin"


class Renderer:
    """Makes no pictures, and counts how often it is asked."""

    def __init__(self, failure: str = "") -> None:
        self.asked: list[object] = []
        self._failure = failure

    def __call__(self) -> "Renderer":
        return self

    async def render(self, job: object) -> bytes:
        self.asked.append(job)
        if self._failure:
            raise RenderUnavailable(self._failure)
        return b"a picture"


def ask_for_png(row: models.Table) -> tuple[int, bytes]:
    answer = Client().get(reverse("table_png", args=[row.code]))
    return answer.status_code, answer.content


def test_a_png_is_made_once_for_each_position(row: models.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = Renderer()
    monkeypatch.setattr(sharing, "shared_render_queue", renderer)
    sharing._KEPT.clear()
    assert [ask_for_png(row) for _ in range(2)] == [(200, b"a picture")] * 2
    assert [job.turns for job in renderer.asked] == [[["1,1"]]]  # type: ignore[attr-defined]


def test_a_png_that_can_not_be_made_is_refused(row: models.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "shared_render_queue", Renderer("too many"))
    sharing._KEPT.clear()
    assert ask_for_png(row) == (503, b"too many\n")
    answer = Client().post(reverse("table_png", args=[row.code]))
    assert answer.status_code == 405


def test_a_link_says_what_it_leads_to(client: Client, row: models.Table) -> None:
    page = client.get(reverse("table", args=[row.code])).content.decode()
    found = dict(re.findall(r'<meta property="og:(\S+)" content="([^"]*)">', page))
    assert found["title"] == "Rin: Ann – Bob" and found["description"].startswith("6 × 6 · Close rings")
    assert found["url"] == f"http://testserver/table/{row.code}"
    assert found["image"] == f"http://testserver/table/{row.code}/picture.png"


def test_an_invitation_has_a_code_for_cameras() -> None:
    ann = Person("Ann")
    row = opened(ann, Sitter(), size=6)
    page = ann.look(row)
    link = f"http://testserver{reverse('join', args=[row.seats.get(number=1).invitation])}"
    drawn = segno.make(link, error="m", micro=False).svg_inline(border=2, lineclass=None)
    assert re.findall(r' d="([^"]+)"', drawn)[-1] in page
