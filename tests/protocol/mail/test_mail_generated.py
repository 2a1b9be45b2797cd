"""A sample of the mails that `python -m tests.protocol.mail` generates by the hundred thousand."""

import pytest

from protocol.mail.generated import CHECKS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("start", range(0, 400, 100))
def test_mails_made_by_chance(check, start):
    for seed in range(start, start + 100):
        check(seed)
