"""Schedules: tournaments that come again by a rule, and that the site announces by itself."""

ANNOUNCE = "kakomi.server.schedules.jobs.announce"
"""The job that announces tournaments."""
