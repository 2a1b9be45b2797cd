"""Matches being played: their logs, pages and API, their players' time off, and outages of the site."""
