"""A set of small numbers as rules need it: to draw from, add to and take out of in constant time.

It lies in two arrays of a record: `members`, of which the first `count` are in it in any order, and
`places`, which for each number in it holds where. Both functions return the new count.
"""


def put_in(members, places, count, item):
    """Add a number that isn't in."""
    members[count] = item
    places[item] = count
    return count + 1


def take_out(members, places, count, item):
    """Take out a number that is in; the last member takes its place."""
    last = members[count - 1]
    place = places[item]
    members[place] = last
    places[last] = place
    return count - 1
