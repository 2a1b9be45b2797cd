"""Tests of what a season looks up have the site's database."""

from server.site_fixtures import django_db_modify_db_settings

__all__ = ["django_db_modify_db_settings"]
