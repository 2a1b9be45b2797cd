"""Backups hold accounts whole: those tables too that other packages keep of them."""

import gzip
import json
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.test import Client

from kakomi.server.accounts import tokens
from kakomi.server.accounts.models import ApiToken, Block, Guest, User
from kakomi.server.accounts.services import block, make_bot
from kakomi.server.operations import backups
from kakomi.server.operations.backups.manifest import MADE_BY_MIGRATIONS, kept_models
from server.people import make_user


def silent(done: int, total: int) -> None:
    """Nobody looks on."""


def test_every_model_is_in_a_backup() -> None:
    """But for those that every database makes itself."""
    kept = {model._meta.label_lower for model in kept_models()}
    assert kept == {model._meta.label_lower for model in apps.get_models()} - MADE_BY_MIGRATIONS
    assert {"account.emailaddress", "mfa.authenticator", "accounts.apitoken"} <= kept


@pytest.mark.django_db(transaction=True)
def test_accounts_passkeys_and_tokens_come_back(tmp_path: Path) -> None:
    ada, bob = make_user("ada"), make_user("bob")
    ada.set_password("boards of many stones")
    ada.save()
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
    passkey = Authenticator.objects.create(
        user=ada, type=Authenticator.Type.WEBAUTHN, data={"name": "key", "credential": {"id": "x"}}
    )
    bot = make_bot(ada, "crusher")
    text = tokens.make_token(bot, "engine", ["read", "play"], 90)[1]
    block(ada.guest, bob.guest)
    backups.back_up(tmp_path / "kept.gz", silent)

    ApiToken.objects.all().delete()
    User.objects.filter(owner__isnull=False).delete()
    User.objects.all().delete()
    backups.restore(tmp_path / "kept.gz", silent)

    back = User.objects.get(username="ada")
    assert back.check_password("boards of many stones") and back.guest.handle == "ada"
    assert EmailAddress.objects.get().user == back and EmailAddress.objects.get().verified
    assert Authenticator.objects.get().data == passkey.data
    assert User.objects.get(username="crusher").owner == back
    assert Block.objects.get().blocker == back.guest
    me = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {text}"}).json()
    assert (me["person"], me["is_bot"], me["scopes"]) == ("crusher", True, ["read", "play"])


@pytest.mark.django_db(transaction=True)
def test_who_comes_back_from_an_older_backup_is_found_by_name(tmp_path: Path) -> None:
    make_user("Ödön")
    backups.back_up(tmp_path / "kept.gz", silent)
    lines = gzip.decompress((tmp_path / "kept.gz").read_bytes()).decode().splitlines(keepends=True)
    rows = [json.loads(line) for line in lines[1:]]
    for row in rows:
        row["fields"].pop("handle_folded", None)
    older = lines[0] + "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "older.gz").write_bytes(gzip.compress(older.encode()))
    backups.restore(tmp_path / "older.gz", silent)
    assert Guest.objects.get(handle_folded__prefix="öd").handle == "Ödön"
