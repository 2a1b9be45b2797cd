"""Pages of the admin by what staff may do there."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest


class ChangeOnly:
    """Rows that the site makes, and that nobody deletes: other rows would go with them."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is added here."""
        del request, obj
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing is deleted here."""
        del request, obj
        return False


class _ReadOnly(ChangeOnly):
    """What follows from a log, or belongs to somebody else, is written by services alone."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing is changed here."""
        del request, obj
        return False


class ReadOnlyAdmin(_ReadOnly, admin.ModelAdmin):
    """Rows that staff look at, the latest first. No large table is counted twice, or joined row by row."""

    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    show_full_result_count = False
    list_per_page = 50


class ReadOnlyInline(_ReadOnly, admin.TabularInline):
    """Rows that belong to the one that is shown."""

    extra = 0
    show_change_link = False
