"""Games and studies that everybody may find: who agrees to it, and what the lists show."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kakomi import catalog
from kakomi.records import recorded
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis import services as study_services
from kakomi.server.analysis.models import Study
from kakomi.server.tables import listings, models, selectors, services
from kakomi.server.tables.listings import Cursor, ListQuery
from kakomi.server.tables.services import Sitter
from kakomi.session import Refused
from server.people import make_user, signed_in
from server.rated_games import begin_rated
from server.table_client import Person, opened

pytestmark = pytest.mark.django_db
BOT = Sitter(bot="4")


def listed(address: str = "/games/", client: Client | None = None) -> list[str]:
    """The headings of a list's cards."""
    page = (client or Client()).get(address)
    assert page.status_code == 200
    return re.findall(r'class="covers" href="[^"]*">([^<]*)</a>', page.content.decode())


def agreed(*people: Person, **options: int) -> models.Table:
    row = opened(*people, *([BOT] if len(people) == 1 else []), **(options or {"size": 6}))
    for person in people:
        person.do(row, "list")
    return row


def test_a_game_is_listed_once_all_people_agree_and_until_one_does_not() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    assert "Public games can be found and watched by everyone" in ann.look(row)
    assert "The game becomes public once all players agree" in ann.do(row, "list")
    assert listed() == []
    assert "Ann would like to make this game public" in bob.look(row)
    assert "This game is public" in bob.do(row, "list")
    assert listed() == ["Ann – Bob"]
    ann.do(row, "unlist")
    assert listed() == [] and "Bob would like to make this game public" in ann.look(row)


def test_a_bot_is_not_asked_and_a_free_seat_has_not_agreed() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    agreed(ann)
    assert listed() == ["Ann – level 4"]
    row = opened(ann, Sitter(), size=6)
    ann.do(row, "list")
    services.sit_down(row.seats.get(number=1), bob.guest)
    assert listed() == ["Ann – level 4"]
    bob.do(row, "list")
    assert listed() == ["Ann – Bob", "Ann – level 4"]


def test_games_between_account_holders_are_public_unless_one_opts_out() -> None:
    ann, bob = (make_user(name).guest for name in ("ann", "bob"))
    row = opened(Sitter(ann), Sitter(bob), size=6)
    assert listed() == ["Ann – Bob"]
    services.wish_listing(row, ann, wanted=False)
    assert listed() == [], "for this game"
    signed_in(bob.user).post("/me/preferences", {"shows_games": "no"})
    bob.refresh_from_db()
    private = opened(Sitter(ann), Sitter(bob), size=6)
    assert private.listed_at is None, "in general"
    services.wish_listing(private, bob, wanted=True)
    assert listed() == ["Ann – Bob"], "but here"


def test_games_with_guests_bots_and_invited_friends_are_private() -> None:
    ann, bob = (make_user(name).guest for name in ("ann", "bob"))
    opened(Sitter(ann), Sitter(Guest.objects.create(name="Eve")), size=6)
    opened(Sitter(ann), BOT, size=6)
    opened(Sitter(ann), Sitter(ann), size=6)
    row = opened(Sitter(ann), Sitter(), size=6)
    services.sit_down(row.seats.get(number=1), bob)
    assert listed() == []


def test_rated_games_are_public_and_stay_so() -> None:
    ann, bob = (make_user(name).guest for name in ("ann", "bob"))
    Guest.objects.update(shows_games=False)
    row = begin_rated([ann, bob])
    assert listed() == ["Ann – Bob"]
    with pytest.raises(Refused, match="Rated games are public"):
        services.wish_listing(row, ann, wanted=False)
    page = signed_in(ann.user).get(f"/table/{row.code}").content.decode()
    assert "This game is public" in page and "Make private" not in page
    signed_in(ann.user).post(f"/table/{row.code}/delete")
    assert listed() == ["Ann – Bob"]


def test_only_players_list_a_game() -> None:
    row = agreed(Person("Ann"))
    eve = Person("Eve")
    assert "Make public" not in eve.look(row)
    assert eve.send(row, "unlist").status_code == 422 and listed() == ["Ann – level 4"]


def test_who_deletes_a_game_shows_it_no_longer() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = agreed(ann, bob)
    bob.client.post(f"/table/{row.code}/delete")
    assert listed() == []


def test_a_card_says_who_won_and_how_much_was_played() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = agreed(ann, bob)
    ann.do(row, "touch 1,1")
    page = Client().get("/games/").content.decode()
    assert "Rin, 6 × 6 · 1 move" in page and "in progress" in page
    bob.do(row, "resign")
    page = Client().get("/games/").content.decode()
    assert "Ann wins" in page and "in progress" not in page
    stranger = Client().get(f"/table/{row.code}").content.decode()
    assert "Spectating" in stranger and f"/analysis/table/{row.code}" in stranger


def test_a_card_leaves_names_as_they_are_and_needs_no_winner() -> None:
    ann, bob = Person("ann"), Person("Bob")
    row = agreed(ann, bob)
    bob.do(row, "resign")
    assert "ann wins" in Client().get("/games/").content.decode()
    row.seats.update(share=0.0)  # a bot has won in the place of a person who left
    page = Client().get("/games/").content.decode()
    assert "finished" in page and " wins" not in page


def test_a_game_from_before_lists_were_kept_says_who_won() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    ann.do(row, "touch 1,1")
    bob.do(row, "resign")
    models.Table.objects.update(plies=0)
    models.Seat.objects.update(share=None)
    ann.do(row, "list")
    bob.do(row, "list")
    page = Client().get("/games/").content.decode()
    assert "Ann wins" in page and "1 move" in page


def test_players_of_the_same_name_can_be_told_apart_and_lost_ones_are_named() -> None:
    row = agreed(Person("Ann"), Person("Ann"))
    assert listed() == ["Ann 1 – Ann 2"]
    row.seats.filter(number=1).update(guest=None, name="")
    assert listed() == ["Ann – deleted player"]


def test_empty_lists_say_how_something_comes_in() -> None:
    for address, words in (
        ("/games/?game=rin", "No public games of Rin"),
        ("/studies/", "No public studies yet"),
    ):
        page = Client().get(address).content.decode()
        assert words in page and "Share yours" in page


@pytest.mark.parametrize(
    "query", ["game=chess", "before=x", "before=1", f"before={'9' * 30}-1", "before=1-٣"]
)
def test_a_list_that_there_is_not(query: str) -> None:
    for address in ("/games/", "/studies/", "/api/v1/tables", "/api/v1/studies"):
        assert Client().get(f"{address}?{query}").status_code == 404


def many(count: int) -> list[models.Table]:
    """Listed tables, half of them of Ren, in pairs of the same moment."""
    ann = Guest.objects.create(name="Ann")
    rows = []
    for number in range(count):
        row = opened(Sitter(ann), BOT, game="ren" if number % 4 < 2 else "rin", size=6)
        row.seats.filter(guest=ann).update(wants_listing=True)
        row.listed_at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number // 2)
        rows.append(row)
    models.Table.objects.bulk_update(rows, ["listed_at"])
    return rows


def test_pages_hold_everything_once_newest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listings, "MOST", 3)
    rows = many(8)
    rows.sort(key=lambda row: (row.listed_at, row.pk), reverse=True)
    found, query, client = [], ListQuery(), Client()
    while True:
        page = selectors.listed_tables(query)
        found += [row.code for row in page.rows]
        if page.older is None:
            break
        query = ListQuery(before=Cursor.parse(str(page.older)))
    assert found == [row.code for row in rows]
    answer = client.get("/api/v1/tables", {"game": "ren"}).json()
    more = client.get("/api/v1/tables", {"game": "ren", "before": answer["older"]}).json()
    both = [game["code"] for game in answer["tables"] + more["tables"]]
    assert both == [row.code for row in rows if row.game == "ren"] and more["older"] is None
    first = client.get("/games/").content.decode()
    assert f'rel="next" href="/games/?before={Cursor.of(rows[2])}"' in first


def test_a_page_asks_the_same_number_of_questions_however_much_it_shows() -> None:
    def asked(address: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            Client().get(address)
        return len(queries)

    many(2)
    few = asked("/games/")
    many(listings.MOST)
    assert asked("/games/") == asked("/games/?game=rin") == few <= 3


@pytest.mark.parametrize("game", ["", "rin"])
@pytest.mark.parametrize("model", [models.Table, Study])
def test_lists_are_read_from_an_index(
    game: str, model: type[models.Table] | type[Study], monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[str] = []

    def explained(rows: "QuerySet[models.Table]", part: slice) -> list[models.Table]:
        plans.append(sliced(rows, part).explain())
        return []

    sliced = QuerySet.__getitem__
    monkeypatch.setattr(QuerySet, "__getitem__", explained)
    if connection.vendor == "postgresql":  # which prefers to read small tables as a whole
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
    for before in (None, Cursor(datetime(2026, 1, 1, tzinfo=UTC), 7)):
        ListQuery(game, before).page(model.objects.all())
    for plan in plans:
        name = f"{model._meta.app_label}_listed{'_of_game' if game else ''}"
        assert re.search(rf"INDEX {name} |using {name} ", plan, re.IGNORECASE), plan
        assert not re.search(r"TEMP B-TREE|Sort", plan), plan


def studied(owner: Guest, title: str = "An idea", name: str = "rin") -> Study:
    game = catalog.game(name, size=6)
    return study_services.create(owner, recorded(game, ["1,1"]), title=title)


def test_an_owner_lists_a_named_study_and_takes_it_back() -> None:
    ann = Person("Ann")
    study = studied(ann.guest, title="")
    answer = ann.client.post(f"/analysis/study/{study.code}/listing", {"do": "list"})
    assert answer.status_code == 422 and "name the study before making it public" in answer.content.decode()
    ann.client.post(f"/analysis/study/{study.code}/listing", {"do": "list", "title": "An idea"})
    page = Client().get("/studies/").content.decode()
    assert listed("/studies/") == ["An idea"] and "by Ann" in page and "1 move" in page
    assert listed("/studies/?game=ren") == []
    eve = Person("Eve")
    assert eve.client.post(f"/analysis/study/{study.code}/listing", {"do": "unlist"}).status_code == 422
    ann.client.post(f"/analysis/study/{study.code}/listing", {"do": "unlist"})
    assert listed("/studies/") == []


def test_a_deleted_study_is_not_listed_and_stays_so() -> None:
    ann = Person("Ann")
    study = studied(ann.guest)
    study_services.set_listed(study, ann.guest, is_listed=True)
    study_services.set_deleted(study, ann.guest, True)
    assert listed("/studies/") == []
    with pytest.raises(Refused, match="has been deleted"):
        study_services.set_listed(study, ann.guest, is_listed=True)
    study_services.set_deleted(study, ann.guest, False)
    assert listed("/studies/") == []


def test_a_study_of_a_game_that_goes_on_is_not_listed() -> None:
    ann = Person("Ann")
    row = opened(ann, BOT, size=6)
    ann.client.get(f"/analysis/table/{row.code}")
    study = Study.objects.get()
    study_services.rename(study, ann.guest, "An idea")
    with pytest.raises(Refused, match="this game is still in progress: make the study public once it’s over"):
        study_services.set_listed(study, ann.guest, is_listed=True)
    ann.do(row, "resign")
    study_services.set_listed(study, ann.guest, is_listed=True)
    assert listed("/studies/") == ["An idea"]


def test_programs_list_and_find_games_and_studies() -> None:
    ann = Person("Ann")
    bearer = {"Authorization": f"Bearer {ann.guest.token}"}
    row, study, client = opened(ann, BOT, size=6), studied(ann.guest), Client()
    act = {"kind": "list", "base": 0, "key": "a-name-of-mine"}
    address = f"/api/v1/tables/{row.code}/acts"
    done = client.post(address, act, content_type="application/json", headers=bearer)
    assert done.status_code == 200 and done.json()["is_listed"] is True
    (game,) = client.get("/api/v1/tables?game=rin").json()["tables"]
    assert (game["code"], game["plies"], game["is_over"]) == (row.code, 0, False)
    assert [seat["name"] for seat in game["seats"]] == ["Ann", "level 4"]
    client.post(
        f"/api/v1/studies/{study.code}/listing",
        {"is_listed": True},
        content_type="application/json",
        headers=bearer,
    )
    (found,) = client.get("/api/v1/studies").json()["studies"]
    assert (found["code"], found["title"], found["author"]) == (study.code, "An idea", "Ann")
    assert client.get(f"/api/v1/studies/{study.code}/record").json()["game"] == "rin"


def test_search_engines_are_told_what_is_listed() -> None:
    ann = Person("Ann")
    row, study = opened(ann, BOT, size=6), studied(ann.guest)
    pages = (f"/table/{row.code}", f"/analysis/study/{study.code}")
    client = Client()
    assert [client.get(page).get("X-Robots-Tag") for page in pages] == ["noindex"] * 2
    ann.do(row, "list")
    study_services.set_listed(study, ann.guest, is_listed=True)
    assert [client.get(page).get("X-Robots-Tag") for page in pages] == [None] * 2
    found = client.get("/games/?game=rin").content.decode()
    assert f'"og:image" content="http://testserver/table/{row.code}/picture.png"' in found
    assert '<link rel="canonical" href="http://testserver/games/">' in found
