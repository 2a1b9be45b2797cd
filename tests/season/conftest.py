"""Fixtures for tests of the season: they use the site's database and compile nothing."""

from server.site_fixtures import _rules_are_interpreted, django_db_modify_db_settings

__all__ = ["_rules_are_interpreted", "django_db_modify_db_settings"]
