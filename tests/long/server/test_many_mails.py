"""Thousands of random mails; `tests/server/test_mail_fuzz.py` tests a hundred."""

import pytest
from django.db import connection

from server.mail_fuzz.rounds import MAILS, Run

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("seed", range(25))
def test_mails_made_by_chance(seed: int) -> None:
    run = Run(seed, threads=2 if connection.vendor == "postgresql" else 1)
    run.round(0, mails=MAILS)
    assert sum(run.kinds.values()) == MAILS
