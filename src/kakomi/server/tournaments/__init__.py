"""Tournaments on the site, built on the pure functions of `kakomi.contest.tournament`."""

ADVANCE = "kakomi.server.tournaments.jobs.advance_due"
"""The job that begins tournaments, pairs rounds and ends tournaments."""
WITHDRAW = "kakomi.server.tournaments.jobs.withdraw_leavers"
"""The job that withdraws leavers and resigns their games."""
OPEN_NEXT = "kakomi.server.tournaments.jobs.open_next_editions"
"""The job that opens the next editions of repeated tournaments."""
