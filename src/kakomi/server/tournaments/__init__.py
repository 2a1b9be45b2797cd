"""Tournaments on the site: people and their deeds round the pure functions of `kakomi.contest.tournament`."""

GO_ON = "kakomi.server.tournaments.jobs.go_on"
"""The job that begins tournaments, pairs rounds and ends."""
LET_GO = "kakomi.server.tournaments.jobs.let_go"
"""The job that has those who leave give up their games."""
OPEN_NEXT = "kakomi.server.tournaments.jobs.open_next_editions"
"""The job that opens the next editions of tournaments that come again."""
