"""How much is answered: to each address, and to all strangers together, in a day.

Somebody else's address may stand in a mail, so there are few answers to strangers. Addresses are counted by a
keyed digest, and no list of them is kept.
"""

import hashlib
import hmac

from django.conf import settings
from django.db.models import F

from kakomi.server import clock
from kakomi.server.post.models import AnswerCount

TO_PEOPLE = 200
"""Answers a day to the address of somebody who has an account."""
TO_UNPROVED = 50
"""The same, where nothing but a mail's `From` says that it comes from there."""
TO_STRANGERS = 5
"""Answers a day to any other address."""
TO_ALL_STRANGERS = 500
"""Answers a day to all of those together."""
DAY = 24 * 3600.0


def take(address: str, *, is_known: bool, is_vouched_for: bool = True) -> bool:
    """Take one answer to an address from what is left for today; False if nothing is. In a transaction."""
    if is_known:
        return _count(address.lower(), TO_PEOPLE if is_vouched_for else TO_UNPROVED)
    return _count(address.lower(), TO_STRANGERS) and _count("", TO_ALL_STRANGERS)


def has_left(address: str, *, is_known: bool) -> bool:
    """Whether an answer to an address for which nobody vouches may still be sent today."""
    today = AnswerCount.objects.filter(day=_today())
    most = TO_UNPROVED if is_known else TO_STRANGERS
    is_used = today.filter(address=_digest(address.lower()), count__gte=most).exists()
    return not is_used and (
        is_known or not today.filter(address=_digest(""), count__gte=TO_ALL_STRANGERS).exists()
    )


def _count(address: str, most: int) -> bool:
    AnswerCount.objects.get_or_create(address=_digest(address), day=_today())
    counted = AnswerCount.objects.filter(address=_digest(address), day=_today(), count__lt=most)
    return counted.update(count=F("count") + 1) > 0


def _today() -> int:
    """Days since the epoch."""
    return int(clock.now() // DAY)


def _digest(address: str) -> str:
    key = f"kakomi.post.budget {settings.SECRET_KEY}".encode()
    return hmac.new(key, address.encode(), hashlib.sha256).hexdigest()
