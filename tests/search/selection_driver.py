"""A driver for selection, as used in compiled code."""

from kakomi.kernel import driver
from kakomi.search.selection import select


@driver
def chosen(nodes, visits, sums, configs):
    return select(nodes, visits, sums, 0, configs[0])
