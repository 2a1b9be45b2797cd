"""Calendars: what is coming, as a page for people, and as feeds for their calendar programs (RFC 5545)."""
