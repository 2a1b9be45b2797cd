"""A few of the random mails that `python -m tests.server.mail_fuzz` sends in large numbers."""

import pytest
from django.db import connection

from kakomi.server.mail import answers
from server.mail_fuzz.robots import answers_to_unmarked
from server.mail_fuzz.rounds import Run, quiet
from server.mail_fuzz.world import Worlds

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("number", range(2))
def test_mails_made_by_chance(number: int) -> None:
    """On PostgreSQL, two threads deliver the same mail concurrently."""
    run = Run(1, threads=2 if connection.vendor == "postgresql" else 1)
    run.round(number, mails=60)
    assert run.states["done"] > 20 and sum(run.kinds.values()) == 60


def test_a_world_begins_as_the_one_before() -> None:
    worlds, found = Worlds(1), []
    for _ in range(2):
        with quiet(), worlds.begun(0) as world:
            found.append(sorted((letter.to, letter.reply_to) for letter in world.letters))
            world.rows()[0].delete()
    assert found[0] == found[1] and len(found[0]) > 3


def test_a_program_that_looks_like_a_person_is_answered_few_times() -> None:
    with quiet(), Worlds(1).begun(0) as world:
        assert answers_to_unmarked(world) == answers.TO_STRANGERS
