"""Migrations of teams."""
