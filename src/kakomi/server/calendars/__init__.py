"""Feeds for calendar programs (RFC 5545): one for each tournament, and a secret one for each person."""
