"""A set of small numbers with constant-time insertion, removal and random choice.

It consists of two arrays of a record: the first `count` elements of `members` are the members in any order,
and `places` holds the index of each member. Both functions return the new count.
"""


def put_in(members, places, count, item):
    """Add a number that isn't a member."""
    members[count] = item
    places[item] = count
    return count + 1


def take_out(members, places, count, item):
    """Remove a member; the last one takes its place."""
    last = members[count - 1]
    place = places[item]
    members[place] = last
    places[last] = place
    return count - 1
