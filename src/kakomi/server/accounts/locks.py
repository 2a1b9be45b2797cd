"""Locks on people: whoever changes what several people share, such as a seek, holds those of all of them.

A person's lock is their guest's row. Locks are taken in the order of numbers, so that no two processes wait
for each other, and whoever holds somebody's lock knows that they join, leave or begin nothing else meanwhile.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing

Result = TypeVar("Result")
Find = Callable[[], Iterable[int]]


def with_people(find: Find, do: Callable[[frozenset[int]], Result]) -> Result:
    """Do something in a transaction that holds the locks of the people that `find` finds.

    They are asked for again under the locks, and handed on; if others have come meanwhile, all begins anew.
    """
    wanted = frozenset(find())
    while True:
        with writing():
            lock(wanted)
            if (found := frozenset(find())) <= wanted:
                return do(found)
        wanted |= found


def lock(numbers: Iterable[int]) -> None:
    """Lock people inside a transaction."""
    people = Guest.objects.select_for_update(no_key=True).filter(pk__in=tuple(numbers))
    list(people.order_by("pk").values_list("pk"))
