"""Signing up and in: guests keep everything, passwords are replaced, other browsers are signed out."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from kakomi.server.accounts import services
from kakomi.server.accounts.adapters import AccountAdapter
from kakomi.server.accounts.models import Guest, SignIn, User
from kakomi.server.accounts.selectors import has_belongings
from kakomi.server.accounts.sessions import SEEN_EVERY, drop_old_sign_ins
from kakomi.server.lobby import services as lobby
from kakomi.server.lobby.models import Seek
from kakomi.server.notices.push import add_browser
from kakomi.server.notices.services import notify
from kakomi.server.rules.services import complete_lesson
from kakomi.server.tables import vacations
from kakomi.server.tables.models import Table
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.vacations import RegularTimeOff
from server.lobby_people import somebody, sought
from server.push_agent import UserAgent
from server.table_client import Person, opened

pytestmark = pytest.mark.django_db
PASSWORD = "boards of many stones"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture(autouse=True)
def _fast_and_forgetful(settings: Any) -> None:
    from django.core.cache import cache

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    cache.clear()


def sign_up(client: Client, username: str = "ada", **more: str) -> Any:
    return client.post("/account/sign-up", {"username": username, "password1": PASSWORD, **more})


def sign_in(client: Client, login: str = "ada", password: str = PASSWORD, **more: str) -> Any:
    return client.post("/account/sign-in", {"login": login, "password": password, **more})


def user_of(client: Client) -> str | None:
    """Who is signed in, as the page says."""
    found = re.search(r"You’re signed in as ([^.]+)\.", client.get("/me").content.decode())
    return found and found[1]


def link_in_mail() -> str:
    found = re.search(r"http://testserver(/\S+)", mail.outbox[-1].body)
    assert found, mail.outbox[-1].body
    return found[1]


def test_capitals_of_a_name_do_not_matter_in_any_alphabet() -> None:
    sign_up(Client(), "Ösel")
    client = Client()
    assert sign_in(client, "öSEL").status_code == 302
    assert user_of(client) == "Ösel"
    refused = sign_up(Client(), "ösel").content.decode()
    assert "This name is taken." in refused
    assert sign_up(Client(), "\uff41dmin").status_code == 422  # full-width: refused like the plain one
    assert not User.objects.filter(username="\uff41dmin").exists()


def test_a_guest_who_signs_up_keeps_name_games_and_seats() -> None:
    cleo = Person("Cleo")
    row = opened(cleo, Sitter(), size=4)
    assert sign_up(cleo.client).url == "/me?welcome"
    user = User.objects.get()
    assert (user.guest_id, user.guest.name, user.guest.handle) == (cleo.guest.pk, "Cleo", "ada")
    assert row.seats.filter(guest=user.guest).exists()
    assert user_of(cleo.client) == "ada"
    assert row.code in cleo.client.get("/").content.decode()


def test_somebody_new_needs_a_name_and_a_password_alone() -> None:
    client = Client()
    assert sign_up(client).status_code == 302
    assert user_of(client) == "ada"
    assert "so you can’t reset a forgotten password" in client.get("/me").content.decode()
    assert User.objects.get().guest.name == "ada" and not mail.outbox


@pytest.mark.parametrize(
    ("page", "then"),
    [
        ("/lobby/new/lin?size=13", "/lobby/new/lin?size=13"),
        ("/tournaments/", "/tournaments/"),
        ("/", "/me?welcome"),
        ("/account/sign-in", "/me?welcome"),
        ("/me/some-secret", "/me?welcome"),
        ("//evil.example/lobby/", "/me?welcome"),
    ],
)
def test_signing_up_leads_back_to_what_somebody_was_doing(page: str, then: str) -> None:
    client = Client()
    address = page if page.startswith("//") else f"//testserver{page}"
    html = client.get("/account/sign-up", headers={"referer": f"http:{address}"}).content.decode()
    form = html[html.index('action="/account/sign-up"') :].partition("</form>")[0]
    field = re.search(r'name="next" value="([^"]+)"', form)
    assert sign_up(client, **({"next": field[1]} if field else {})).url == then


def test_signing_up_adopts_the_time_zone_of_the_browser() -> None:
    sign_up(Client(), zone="Europe/Berlin")
    sign_up(Client(), "bob", zone="Moon/Crater")
    assert list(User.objects.order_by("pk").values_list("guest__zone", flat=True)) == ["Europe/Berlin", ""]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"username": "ADA"}, "This name is taken"),
        ({"username": "a b"}, "valid username"),
        ({"username": "bob@example.org"}, "Use the email field for your email address"),
        ({"username": "b" * 31}, "30 characters"),
        ({"username": "Admin"}, "moderator"),
        ({"username": "bob", "password1": "short"}, "too short"),
        ({"username": "bob", "password1": "password"}, "too common"),
        ({"username": "bob", "email": "nowhere"}, "valid email"),
    ],
)
def test_a_mistake_is_named_and_makes_nobody(wrong: dict[str, str], said: str) -> None:
    sign_up(Client())
    answer = Client().post("/account/sign-up", {"username": "bob", "password1": PASSWORD, **wrong})
    assert answer.status_code == 422 and said in answer.content.decode()
    assert User.objects.count() == 1 and Guest.objects.count() == 1


def test_the_private_link_is_no_way_round_a_password() -> None:
    cleo, elsewhere = Person("Cleo"), Client()
    link = f"/me/{cleo.guest.token}"
    elsewhere.post(link)
    assert "Cleo" in elsewhere.get("/me").content.decode()
    sign_up(cleo.client)
    assert "Cleo" not in elsewhere.get("/me").content.decode()
    assert elsewhere.get(link).status_code == 404
    new = f"/me/{Guest.objects.get(pk=cleo.guest.pk).token}"
    assert "sign in instead" in elsewhere.post(new).content.decode()
    assert "Cleo" not in elsewhere.get("/me").content.decode()
    assert new not in cleo.client.get("/me").content.decode()


def test_a_cookie_of_the_guest_is_worth_nothing_without_signing_in() -> None:
    cleo = Person("Cleo")
    old = cleo.client.cookies["sessionid"].value
    sign_up(cleo.client)
    thief = Client()
    thief.cookies["sessionid"] = old
    assert "Cleo" not in thief.get("/me").content.decode()
    assert thief.get("/api/v1/me").status_code == 401


@pytest.mark.parametrize("login", ["ada", "ADA", "Ada@Example.org"])
def test_signing_in_by_name_or_address(login: str) -> None:
    sign_up(Client(), email="ada@example.org")
    client = Client()
    assert sign_in(client, login, next="/about").url == "/about"
    assert user_of(client) == "ada"


def test_wrong_passwords_and_unknown_names_look_the_same() -> None:
    sign_up(Client())
    wrong, unknown = sign_in(Client(), password="no"), sign_in(Client(), "bob")
    assert wrong.status_code == unknown.status_code == 422
    said = "Wrong username or password."
    assert said in wrong.content.decode() and said in unknown.content.decode()


def test_a_password_is_guessed_a_few_times_only() -> None:
    sign_up(Client())
    client = Client()
    for _ in range(5):
        sign_in(client, password="no")
    assert "Try again in five minutes or use a passkey" in sign_in(client).content.decode()


def test_after_signing_in_nobody_is_led_to_another_site() -> None:
    sign_up(Client())
    assert sign_in(Client(), next="https://evil.example/").url == "/"


def test_a_forgotten_password_is_replaced_by_mail_and_ends_all_sign_ins() -> None:
    elsewhere, client = Client(), Client()
    sign_up(elsewhere, email="ada@example.org")
    client.post("/account/forgotten", {"email": "ada@example.org"})
    page = client.get(link := link_in_mail(), follow=True)
    new = {"password1": "another, longer one", "password2": "another, longer one"}
    assert client.post(page.redirect_chain[-1][0], new, follow=True).status_code == 200
    assert user_of(elsewhere) is None and user_of(client) is None
    assert sign_in(client).status_code == 422
    assert sign_in(client, password="another, longer one").status_code == 302
    assert "already used" in Client().get(link).content.decode()
    assert "Your password has been reset using a link in an email" in mail.outbox[-1].body


def test_who_asks_for_a_password_does_not_learn_whose_address_it_is() -> None:
    sign_up(Client(), email="ada@example.org")
    answers = [
        Client().post("/account/forgotten", {"email": address}, follow=True).content.decode()
        for address in ("ada@example.org", "bob@example.org")
    ]
    assert "If an account uses that address" in answers[0] and "If an account uses that address" in answers[1]
    assert [message.to for message in mail.outbox].count(["bob@example.org"]) == 0


def test_addresses_are_confirmed_by_link() -> None:
    client = Client()
    sign_up(client, email="ada@example.org")
    link = link_in_mail()
    assert "not confirmed" in client.get("/account/addresses").content.decode()
    assert "ada@example.org" in Client().get(link).content.decode()
    assert not EmailAddress.objects.filter(verified=True).exists()
    assert "ada@example.org confirmed" in Client().post(link, follow=True).content.decode()
    assert EmailAddress.objects.get().verified
    client.post("/account/addresses", {"action_add": "", "email": "countess@example.org"})
    assert "countess@example.org confirmed" in client.post(link_in_mail(), follow=True).content.decode()
    client.post("/account/addresses", {"action_primary": "", "email": "countess@example.org"})
    client.post("/account/addresses", {"action_remove": "", "email": "ada@example.org"})
    assert EmailAddress.objects.get().email == "countess@example.org"
    assert User.objects.get().email == "countess@example.org"


def test_another_password_signs_out_all_other_browsers() -> None:
    here, elsewhere = Client(), Client()
    sign_up(here)
    sign_in(elsewhere)
    new = {"oldpassword": PASSWORD, "password1": "another, longer one", "password2": "another, longer one"}
    assert here.post("/account/password", new, follow=True).status_code == 200
    assert user_of(here) == "ada" and user_of(elsewhere) is None
    assert SignIn.objects.count() == 1


def test_a_browser_is_signed_out_from_another_one() -> None:
    here, elsewhere, third = Client(), Client(headers={"User-Agent": FIREFOX}), Client()
    sign_up(here)
    sign_in(elsewhere)
    sign_in(third)
    page = here.get("/me").content.decode()
    assert "Firefox on Linux" in page and page.count("this browser") == 1
    number = SignIn.objects.get(data__contains="Firefox").pk
    here.post("/me/browsers", {"number": str(number)})
    assert [user_of(each) for each in (here, elsewhere, third)] == ["ada", None, "ada"]
    assert elsewhere.get("/api/v1/me").status_code == 401
    here.post("/me/browsers", {"number": "all"})
    assert [user_of(each) for each in (here, third)] == ["ada", None]


def test_nobody_signs_out_somebody_else_s_browser() -> None:
    ada, bob = Client(), Client()
    sign_up(ada)
    sign_up(bob, "bob")
    for number in (*SignIn.objects.values_list("pk", flat=True), "x", "", "٣", "9" * 30):
        assert bob.post("/me/browsers", {"number": str(number)}).status_code == 302
    assert user_of(ada) == "ada" and user_of(bob) == "bob"


def test_a_closed_account_is_out_at_once() -> None:
    client = Client()
    sign_up(client)
    user = User.objects.get()
    user.is_active = False
    user.save()
    assert user_of(client) is None
    assert sign_in(client).status_code == 302 and user_of(client) is None


def test_the_browser_is_the_guest_again_that_it_was() -> None:
    sign_up(Client())
    cleo = Person("Cleo")
    row = opened(cleo, Sitter(), size=4)
    assert sign_in(cleo.client).url == "/me"
    page = cleo.client.get("/me").content.decode()
    assert "This browser was used by the guest Cleo" in page and "1 game." in page
    cleo.client.post("/account/sign-out")
    assert "Cleo" in cleo.client.get("/me").content.decode()
    assert row.code in cleo.client.get("/").content.decode()


_BELONGINGS: dict[str, Callable[[Guest], object]] = {
    "a seek": sought,
    "a challenge": lambda cleo: sought(somebody(), kind=Seek.Kind.CHALLENGE, invitees=[cleo]),
    "a place": lambda cleo: lobby.accept(sought(somebody(), game="rings", least=3, most=3).code, cleo),
    "a notice": lambda cleo: notify(cleo, "rest_ended", "1"),
    "a block": lambda cleo: services.block(cleo, somebody()),
    "time off": lambda cleo: vacations.choose_time_off(cleo, RegularTimeOff(weekend=(5, 6))),
    "a study": lambda cleo: cleo.studies.create(game="rin", record=""),
    "a lesson": lambda cleo: complete_lesson(cleo, "ren", "first"),
    "push": lambda cleo: add_browser(
        cleo, "https://push.example/", UserAgent().keys["p256dh"], UserAgent().keys["auth"], "phone"
    ),
}


@pytest.mark.parametrize("what", _BELONGINGS)
def test_whatever_a_guest_has_is_offered_at_the_next_sign_in(what: str) -> None:
    sign_up(Client())
    cleo = Person("Cleo")
    _BELONGINGS[what](cleo.guest)
    assert sign_in(cleo.client).url == "/me"
    page = cleo.client.get("/me").content.decode()
    assert "This browser was used by the guest Cleo" in page and "The guest has" not in page
    cleo.client.post("/me/take-over")
    assert has_belongings(User.objects.get().guest)


def test_a_guest_who_has_nothing_is_not_asked_about_nor_told_who_has_blocked_them() -> None:
    sign_up(Client())
    cleo = Person("Cleo")
    services.block(somebody(), cleo.guest)
    assert sign_in(cleo.client).url == "/"
    assert "was used by the guest" not in cleo.client.get("/me").content.decode()


def test_looking_costs_guests_no_row_and_users_few_writes() -> None:
    cleo, client = Person("Cleo"), Client()
    cleo.client.get("/me")
    assert not SignIn.objects.exists()
    sign_up(client)
    seen = SignIn.objects.get().seen_at
    client.get("/me")
    assert SignIn.objects.get().seen_at == seen
    SignIn.objects.update(seen_at=seen - 2 * SEEN_EVERY)
    client.get("/me")
    assert SignIn.objects.get().seen_at > seen - SEEN_EVERY


def test_what_nobody_comes_back_to_is_dropped() -> None:
    Client().get("/account/sign-in/passkey", headers={"Accept": "application/json"})
    client = Client()
    sign_up(client)
    drop_old_sign_ins()
    assert SignIn.objects.count() == 2
    for row in SignIn.objects.all():
        SignIn.objects.filter(pk=row.pk).update(seen_at=row.seen_at.replace(year=row.seen_at.year - 1))
    drop_old_sign_ins()
    assert user_of(client) == "ada" and SignIn.objects.count() == 1


def test_no_secret_of_a_sign_in_is_in_the_cookie_or_stands_in_the_database() -> None:
    from django.core import signing

    client = Client()
    sign_up(client)
    cookie = signing.loads(
        client.cookies["sessionid"].value, salt="django.contrib.sessions.backends.signed_cookies"
    )
    assert set(cookie) <= {"guest", "sign_outs", "guest_before", "sign_in", "_session_expiry"}
    assert not SignIn.objects.filter(key_hash=cookie["sign_in"]).exists()


def test_pages_for_users_send_others_to_sign_in() -> None:
    for name in ("account_email", "account_change_password", "mfa_add_webauthn", "mfa_activate_totp"):
        answer = Client().get(reverse(name))
        assert answer["Location"].startswith("/account/sign-in?next="), name


def test_a_user_takes_over_what_the_browser_had_as_a_guest() -> None:
    ada = Person("Ada")
    sign_up(ada.client)
    cleo = Person("Cleo")
    both = opened(ada, Sitter(cleo.guest), size=4)
    own = opened(cleo, Sitter(), size=4)
    cleo.client.post("/analysis/new/ren", {"size": "4"})
    complete_lesson(cleo.guest, "ren", "first")
    news = Table.objects.get(pk=own.pk).news
    sign_in(cleo.client)
    cleo.client.post("/me/take-over")
    user = User.objects.get()
    assert list(own.seats.values_list("guest", flat=True)) == [user.guest_id, None]
    assert list(both.seats.values_list("guest", flat=True)) == [user.guest_id] * 2
    assert Table.objects.get(pk=own.pk).news > news
    assert user.guest.studies.count() == user.guest.completed_lessons.count() == 1
    assert not Guest.objects.get(pk=cleo.guest.pk).seats.exists()
    assert "was used by the guest Cleo" not in cleo.client.get("/me").content.decode()
    cleo.client.post("/account/sign-out")
    assert "Cleo" not in cleo.client.get("/me").content.decode()


def test_nobody_takes_over_a_guest_who_has_signed_up_meanwhile() -> None:
    sign_up(Client())
    cleo = Person("Cleo")
    opened(cleo, Sitter(), size=4)
    before = cleo.client.cookies["sessionid"].value
    sign_in(cleo.client)
    other = Client()
    other.cookies["sessionid"] = before
    sign_up(other, "cleo")
    assert cleo.client.post("/me/take-over").status_code == 302
    assert User.objects.get(username="cleo").guest.seats.count() == 1


def test_two_who_sign_up_as_one_guest_are_two_users(settings: Any) -> None:
    """As when the form is sent twice."""
    cleo = Person("Cleo")
    for username in ("one", "two"):
        services.sign_up(User(username=username), cleo.guest)
    assert len(set(User.objects.values_list("guest", flat=True))) == 2


def test_of_two_who_want_a_name_at_once_one_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    sign_up(Client())
    monkeypatch.setattr(AccountAdapter, "clean_username", lambda self, username, shallow=False: username)
    answer = sign_up(Client(), "Ada")
    assert answer.url == "/account/sign-up"
    assert User.objects.count() == 1 and Guest.objects.count() == 1
