"""Games found by player, game, size, result and opening, and taken home."""

import io
import json
import re
import zipfile
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from kakomi import catalog, records
from kakomi.server.accounts.models import Guest
from kakomi.server.explorer import downloads, jobs
from kakomi.server.explorer.models import Opening, Unindexed
from kakomi.server.explorer.openings import opening_key
from kakomi.server.explorer.queries import GameQuery
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig
from server.people import make_user
from server.test_notices import act, known

pytestmark = pytest.mark.django_db


def played(
    *actions: str, names: tuple[str, str] = ("Bob", "Eve"), game: str = "lin", **options: Any
) -> models.Table:
    """A listed game between two guests, which the second of them gives up."""
    sitters = [Sitter(Guest.objects.create(name=name), name=name) for name in names]
    row = services.begin(MatchConfig(catalog.game(game, **(options or {"size": 9}))), sitters)
    for number, text in enumerate(actions):
        act(row, "play", text, seat=number % 2)
    act(row, "resign", seat=1)
    models.Table.objects.filter(pk=row.pk).update(listed_at=timezone.now())
    row.refresh_from_db()
    return row


def found(client: Client, **asked: object) -> set[str]:
    html = client.get("/games/search", asked).content.decode()
    return {row.code for row in models.Table.objects.all() if f'"/table/{row.code}"' in html}


def test_games_are_found_by_what_is_known_of_them(client: Client):
    small = played("a1", size=5)
    large, other = played("a1", names=("Ada", "Bobby")), played(game="rin", size=8)
    assert found(client) == {small.code, large.code, other.code}
    assert found(client, player="bob") == {small.code, large.code, other.code}
    assert found(client, player="ada") == {large.code}
    assert found(client, game="rin") == {other.code}
    assert found(client, game="lin", size=5) == {small.code}
    assert found(client, result="won-1") == {small.code, large.code, other.code}
    assert (
        found(client, result="won-2")
        == found(client, result="draw")
        == found(client, result="going")
        == set()
    )


@pytest.mark.parametrize("player", ["bob", "BOB", "Bobb", "bobby_", "b%", "%", "_obby", "by"])
def test_a_player_is_found_by_the_beginning_of_a_name(client: Client, player: str):
    row = played("a1", names=("Bobby_1", "Eve"))
    begins = "bobby_1".startswith(player.lower())
    assert found(client, player=player) == ({row.code} if begins else set())
    models.Seat.objects.filter(name="Bobby_1").update(name="", name_folded="")
    guest = Guest.objects.get(name="Bobby_1")
    guest.name, guest.handle = "", "Bobby_1"
    guest.save()
    assert found(client, player=player) == ({row.code} if begins else set())


@pytest.mark.parametrize(
    ("name", "player"),
    [
        ("Ödön", "öD"),
        ("ödön", "ÖDÖ"),
        ("Straße", "STRASS"),
        ("Ярослав", "яро"),
        ("Ａｄａ", "ada"),
        ("ada", "ＡＤ"),
    ],
)
def test_capitals_count_in_no_alphabet(client: Client, name: str, player: str):
    row = played("a1", names=(name, "Eve"))
    assert found(client, player=player) == {row.code}
    make_user("Ñandú")
    Guest.objects.filter(handle="Ñandú").update(name="")
    models.Seat.objects.filter(table=row, number=1).update(guest=Guest.objects.get(handle="Ñandú"))
    assert found(client, player="ñAND") == {row.code} and found(client, player="o") == set()


def test_players_are_read_from_an_index():
    if connection.vendor == "postgresql":  # which prefers to read small tables as a whole
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
    plan = GameQuery(player="bob").rows(None).explain()
    for name in ("seats_by_folded_name", "guests_by_folded_handle"):
        assert re.search(rf"\b{name}\b.*(<|~<~)", plan, re.DOTALL), plan
    assert not re.search(r"SCAN tables_seat|SCAN guests|Seq Scan", plan), plan


def test_an_opening_is_found_however_the_board_is_turned(client: Client):
    one, other = played("a1", "b3"), played("i9", "h7")
    third = played("a1", "c3")
    assert found(client, game="lin", size=9, opening="a1 b3") == set(), "not yet"
    jobs.index_games()
    assert found(client, game="lin", size=9, opening="a9 c8") == {one.code, other.code}
    assert found(client, game="lin", size=9, opening="a1") == {one.code, other.code, third.code}
    assert found(client, like=one.code, ply=2) == {one.code, other.code}
    assert found(client, like=one.code, ply=0) == {one.code, other.code, third.code}


@pytest.mark.parametrize("name", catalog.names())
def test_a_position_has_the_key_of_each_of_its_images(name: str):
    start = catalog.game(name).start()
    first = start.legal_actions()[0]
    keys = {opening_key(start.play_action(symmetry.actions[first])) for symmetry in start.game.symmetries}
    assert len(keys) == 1
    assert len({opening_key(start.play_action(action)) for action in start.legal_actions()}) > 1


def test_openings_are_kept_once(client: Client):
    played("a1", "b3", "c4")
    assert Unindexed.objects.count() == 1
    jobs.index_games()
    jobs.index_games()
    assert Opening.objects.count() == 3 and not Unindexed.objects.exists()


def test_games_that_nobody_shows_are_found_by_their_players_alone(client: Client):
    ada = known(client)
    row = services.begin(MatchConfig(catalog.game("lin", size=9)), [Sitter(ada, name="Ada"), Sitter(bot="1")])
    played("a1")
    assert row.code in found(client) and found(client, mine="1") == {row.code}
    stranger = Client()
    assert row.code not in found(stranger) and found(stranger, mine="1") == set()
    assert not zipped(stranger, mine="1") and len(zipped(client, mine="1")) == 1


def streamed(client: Client, kind: str, **asked: object) -> bytes:
    answer: Any = client.get(f"/games/kakomi-games.{kind}", asked)

    async def read() -> bytes:
        return b"".join([piece async for piece in answer.streaming_content])

    return async_to_sync(read)()


def zipped(client: Client, **asked: object) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(streamed(client, "zip", **asked))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_was_found_is_taken_home(client: Client):
    row = played("a1", "b3")
    ((name, text),) = zipped(client, game="lin").items()
    record = records.read_json(text.decode())
    assert row.code in name and record.game == "lin"
    assert [seat.name for seat in record.seats] == ["Bob", "Eve"]
    lines = streamed(client, "jsonl").decode().splitlines()
    assert [json.loads(line)["game"] for line in lines] == ["lin"]
    assert client.get("/games/kakomi-games.exe").status_code == 404
    assert client.head("/games/kakomi-games.zip").content == b""


def test_all_that_is_found_is_taken_home_in_parts_that_nothing_keeps(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(downloads, "ROWS_AT_ONCE", 2)
    codes = [played("a1", size=5).code for _ in range(5)]
    kept = selectors.CACHE.positions
    lines = streamed(client, "jsonl").splitlines()
    assert len(lines) == 5 and selectors.CACHE.positions == kept
    assert [name.split("-")[1] for name in zipped(client)] == codes[::-1]
    monkeypatch.setattr(downloads, "MOST_IN_ZIP", 3)
    assert len(zipped(client)) == 3


@pytest.mark.parametrize("kind", downloads.FORMATS)
def test_a_client_that_goes_away_ends_the_work(client: Client, monkeypatch: pytest.MonkeyPatch, kind: str):
    monkeypatch.setattr(downloads, "ROWS_AT_ONCE", 2)
    for _ in range(6):
        played("a1", size=5)
    replayed = []

    def replay(row: models.Table) -> Any:
        replayed.append(row.code)
        return selectors.table_of(row)

    monkeypatch.setattr(selectors, "replayed_table", replay)
    answer: Any = client.get(f"/games/kakomi-games.{kind}")

    async def read_one() -> None:
        pieces = aiter(answer.streaming_content)
        assert await anext(pieces)
        await pieces.aclose()

    with CaptureQueriesContext(connection) as queries:
        async_to_sync(read_one)()
    assert len(replayed) == 1
    assert sum('FROM "tables_table"' in query["sql"] for query in queries) == 1


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"result": "unfair"}, 422),
        ({"opening": "a1"}, 422),
        ({"game": "lin", "opening": "z99"}, 422),
        ({"game": "lin", "size": "999", "opening": "a1"}, 422),
        ({"game": "lin", "opening": "a1 " * 11}, 422),
        ({"game": "chess"}, 404),
        ({"size": "x"}, 404),
        ({"like": "nowhere"}, 404),
        ({"before": "-1"}, 404),
        ({"player": "%_'\"<b>"}, 200),
        ({"player": "\x00"}, 200),
    ],
)
def test_nonsense_gets_a_sentence(client: Client, asked: dict[str, str], status: int):
    for address in ("/games/search", "/games/kakomi-games.jsonl"):
        assert client.get(address, asked).status_code == status


def test_pages_go_on_where_the_last_one_ended(client: Client):
    for _ in range(26):
        played(size=5)
    html = client.get("/games/search").content.decode()
    assert html.count("listed-card") == 24 and 'rel="next"' in html
    last = models.Table.objects.order_by("-pk")[23].pk
    assert client.get(f"/games/search?before={last}").content.decode().count("listed-card") == 2
