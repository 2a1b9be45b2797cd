"""The admin: who gets in, what they see there and what not, and what they may change."""

import time
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from kakomi.server.accounts import services, sessions
from kakomi.server.accounts.models import Guest, User
from kakomi.server.analysis.models import Study
from kakomi.server.notices.models import Mailing, Notice
from kakomi.server.security.rate_limits import Purpose
from kakomi.server.tables.models import Outage
from kakomi.server.tables.services import Sitter
from server.table_client import Person, opened

pytestmark = pytest.mark.django_db
PASSWORD = "boards of many stones"


@pytest.fixture(autouse=True)
def _fast_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def ada() -> User:
    return services.add_staff("Ada", PASSWORD, "ada@example.org")


def sign_in(client: Client, name: str = "Ada", password: str = PASSWORD) -> Any:
    return client.post("/account/sign-in", {"login": name, "password": password, "next": "/admin/"})


def test_a_site_without_staff_has_no_admin() -> None:
    assert Client().get("/admin/login/").status_code == 404
    assert Client().post("/admin/login/", {"username": "root", "password": "root"}).status_code == 404


def test_staff_sign_in_however_their_name_is_capitalized(ada: User) -> None:
    client = Client()
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/account/sign-in?next=%2Fadmin%2F"
    assert sign_in(client, password="boards").status_code == 422
    assert sign_in(client, "ADA").url == "/admin/"
    assert "Stored data" in client.get("/admin/").content.decode()


def test_who_is_no_longer_staff_is_out_at_once(ada: User) -> None:
    services.add_staff("Bob", PASSWORD)
    client = Client()
    sign_in(client)
    services.set_staff(ada, False)
    assert client.get("/admin/", follow=True).status_code == 404
    stranger = Client()
    sign_in(stranger)
    assert stranger.get("/admin/", follow=True).status_code == 404


def test_a_new_password_ends_what_the_old_one_opened(ada: User) -> None:
    client = Client()
    sign_in(client)
    services.set_password(ada, "another, longer one")
    assert client.get("/admin/").status_code == 302


def test_signing_in_lasts_for_a_day_of_work(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client, now = Client(), time.time()
    sign_in(client)
    monkeypatch.setattr(time, "time", lambda: now + sessions.SIGN_IN_SECONDS - 60)
    assert client.get("/admin/").status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + sessions.SIGN_IN_SECONDS + 60)
    again, _ = client.get("/admin/", follow=True).redirect_chain[-1]
    assert again == "/account/again?next=%2Fadmin%2F"
    assert client.post(again, {"password": PASSWORD})["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_who_signs_out_of_the_admin_is_the_guest_again_that_the_browser_was(ada: User) -> None:
    guest = Person("Cleo")
    sign_in(guest.client)
    assert "Ada" in guest.client.get("/me").content.decode()
    guest.client.post("/admin/logout/", follow=True)
    assert "Cleo" in guest.client.get("/me").content.decode()
    assert guest.client.get("/admin/").status_code == 302


def test_every_page_is_shown_and_no_secret_is_on_it(ada: User) -> None:
    cleo = Person("Cleo")
    row = opened(cleo, Sitter(), size=4)
    cleo.client.post("/analysis/new/ren", {"size": "4"})
    client = Client()
    sign_in(client)
    assert Study.objects.exists()
    secrets = [cleo.guest.token, ada.guest.token, *row.seats.values_list("invitation", flat=True)]
    for model in admin.site._registry:
        place = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        pages = [reverse(f"{place}_changelist")]
        pages += [reverse(f"{place}_change", args=[each.pk]) for each in model._default_manager.all()]
        for page in pages:
            answer = client.get(page)
            assert answer.status_code == 200, page
            assert not [secret for secret in secrets if secret in answer.content.decode()], page


HIDDEN = {
    *("accounts.Block", "accounts.ApiToken"),  # secrets of people, and digests of tokens
    *(
        "tables.Heartbeat",
        "lobby.LobbyNews",
        "explorer.Opening",
        "explorer.Unindexed",
    ),  # what the site counts
    *("mail.AnswerCount", "mail.HandledCommand"),  # counts, and what was said to one person
    *("lobby.LobbyGuest", "mail.Subscription", "notices.Preference"),  # people's own choices
    *("tables.TimeOff", "tables.Vacation"),  # likewise; the logs of tables show their effect
    *("plans.Plan", "mail.QueuedTurn"),  # secrets of players
    *("ratings.Pool", "ratings.CurrentRating", "puzzles.Attempt", "tournaments.Game"),  # on pages
    *("analysis.Revision", "analysis.GameAnalysis", "rules.CompletedLesson", "ratings.Change"),  # follows
    "tournaments.CalendarAddress",  # whoever knows it reads what is somebody's own
    *("chat.Message", "chat.DirectMessage", "chat.ChatChoice"),  # private; moderators read what is reported
    "chat.Note",  # private
    *("moderation.Case", "moderation.Report", "moderation.Measure"),  # on the moderation pages
    *("moderation.Appeal", "moderation.ErasureRequest", "moderation.AuditEntry"),  # there too
}


def test_every_kind_of_rows_is_seen_by_staff_or_hidden_for_a_reason() -> None:
    shown = {model._meta.label for model in admin.site._registry}
    shown |= {inline.model._meta.label for page in admin.site._registry.values() for inline in page.inlines}
    ours = {m._meta.label for m in apps.get_models() if m.__module__.startswith("kakomi.server.")}
    assert ours - shown == HIDDEN


def test_what_services_write_is_only_looked_at(ada: User) -> None:
    guest = ada.guest
    rows = [
        Outage.objects.create(start=1.0, end=2.0),
        Notice.objects.create(guest=guest, kind="rest_ended", key="k", at=1.0),
        Mailing.objects.create(guest=guest),
    ]
    client = Client()
    sign_in(client)
    for row in rows:
        place = f"admin:{row._meta.app_label}_{row._meta.model_name}"
        assert client.get(reverse(f"{place}_changelist")).status_code == 200
        page = reverse(f"{place}_change", args=[row.pk])
        assert client.get(page).status_code == 200
        assert client.post(page, {}).status_code == 403
        assert client.post(reverse(f"{place}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
        assert client.get(reverse(f"{place}_add")).status_code == 403


def test_tables_and_their_logs_change_through_services_alone(ada: User) -> None:
    row = opened(Person("Cleo"), Sitter(), size=4)
    client = Client()
    sign_in(client)
    change = reverse("admin:tables_table_change", args=[row.pk])
    assert "Cleo" in client.get(change).content.decode()
    assert client.post(change, {"is_over": "on"}).status_code == 403
    assert (
        client.post(reverse("admin:tables_table_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    )


def test_staff_rename_a_guest_and_sign_them_out(ada: User) -> None:
    cleo, client = Person("A rude word"), Client()
    sign_in(client)
    client.post(reverse("admin:accounts_guest_change", args=[cleo.guest.pk]), {"name": "Guest"})
    assert Guest.objects.get(pk=cleo.guest.pk).name == "Guest"
    assert 'value="Guest"' in cleo.client.get("/me").content.decode()
    chosen = {"action": "sign_out", "_selected_action": [cleo.guest.pk]}
    answer = client.post(reverse("admin:accounts_guest_changelist"), chosen, follow=True)
    assert "Signed out 1 guest." in answer.content.decode()
    assert 'value="Guest"' not in cleo.client.get("/me").content.decode()
    assert Guest.objects.get(pk=cleo.guest.pk).token != cleo.guest.token


def test_only_groups_are_added_here(ada: User) -> None:
    client = Client()
    sign_in(client)
    pages = {
        model: f"admin:{model._meta.app_label}_{model._meta.model_name}_add" for model in admin.site._registry
    }
    open_to_staff = [model for model, page in pages.items() if client.get(reverse(page)).status_code == 200]
    assert open_to_staff == [Group]


def test_a_guest_with_games_or_studies_is_not_deleted_by_a_slip(ada: User) -> None:
    cleo, client = Person("Cleo"), Client()
    sign_in(client)
    client.post(reverse("admin:accounts_guest_delete", args=[cleo.guest.pk]), {"post": "yes"})
    assert Guest.objects.filter(pk=cleo.guest.pk).exists()


@pytest.mark.parametrize(
    ("name", "password", "told"),
    [
        ("ada", PASSWORD, "This name is taken"),
        ("Ada Lovelace", PASSWORD, "valid username"),
        ("a" * 31, PASSWORD, "30 characters"),
        ("bob", "short", "too short"),
        ("bob", "password", "too common"),
        ("bob", "", "too short"),
    ],
)
def test_impossible_staff_are_refused_with_the_reason(ada: User, name: str, password: str, told: str) -> None:
    with pytest.raises(ValidationError) as refused:
        services.add_staff(name, password)
    assert told in " ".join(refused.value.messages)
    assert User.objects.count() == 1 and Guest.objects.count() == 1


def test_passwords_are_guessed_slowly() -> None:
    for page in ("sign-in", "sign-in/second", "again", "forgotten"):
        assert Purpose.of("POST", f"/account/{page}").kind == "signins"
