"""Migrations of team matches."""
