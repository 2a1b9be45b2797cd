"""Matches between two teams: one challenges, the other accepts, members play each other board by board."""

GO_ON = "kakomi.server.team_matches.jobs.go_on"
"""The job that begins matches, and ends challenges that nobody answered."""
