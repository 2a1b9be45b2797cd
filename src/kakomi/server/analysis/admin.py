"""Studies, for staff: a title can be changed, and a study put out of sight."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse

from kakomi.server.analysis.models import Study


@admin.register(Study)
class Studies(admin.ModelAdmin):
    """A study. `is_deleted` takes it from everybody, and can be undone."""

    fields = ("title", "is_deleted", "owner", "game", "version", "created_at", "changed_at")
    readonly_fields = ("owner", "game", "version", "created_at", "changed_at")
    list_display = ("heading", "game", "owner", "version", "is_deleted", "changed_at")
    list_filter = ("game", "is_deleted")
    list_select_related = ("owner",)
    search_fields = ("title", "code", "owner__name")
    ordering = ("-pk",)
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Studies are made on the analysis board."""
        del request
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """`is_deleted` does it, and keeps what can be undone."""
        del request, obj
        return False

    def view_on_site(self, study: Study) -> str:
        """The study's own page."""
        return reverse("study", args=[study.code])
