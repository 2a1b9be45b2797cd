"""What the outbox does when a person is erased: mails to them go, and those to others forget the name."""

import re
from collections.abc import Set
from typing import Any

from kakomi.server.accounts.selectors import pattern_of
from kakomi.server.notices.models import Delivery
from kakomi.server.tables.selectors import GONE


def forget_names(names: Set[str], addresses: Set[str]) -> None:
    """Take names out of all deliveries, and delete those to some addresses."""
    known = {address.lower() for address in addresses}
    named = pattern_of(names | addresses)
    for delivery in Delivery.objects.only("content").order_by("pk").iterator():
        if str(delivery.content.get("to", "")).lower() in known:
            delivery.delete()
        elif named and (without := _without(delivery.content, named)) != delivery.content:
            Delivery.objects.filter(pk=delivery.pk).update(content=without)


def _without(content: Any, named: "re.Pattern[str]") -> Any:
    """Data that JSON can hold, with the names in its texts replaced."""
    match content:
        case str():
            return named.sub(GONE, content)
        case dict():
            return {key: _without(value, named) for key, value in content.items()}
        case list():
            return [_without(value, named) for value in content]
    return content
