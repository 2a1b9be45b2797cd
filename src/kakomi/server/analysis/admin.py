"""Studies, for staff: a title can be changed, and a study put out of sight."""

from django.contrib import admin
from django.urls import reverse

from kakomi.server.administration.model_admins import ChangeOnly
from kakomi.server.analysis.models import Study


@admin.register(Study)
class Studies(ChangeOnly, admin.ModelAdmin):
    """A study. `is_deleted` takes it from everybody, and can be undone."""

    fields = ("title", "is_deleted", "owner", "game", "version", "created_at", "changed_at")
    readonly_fields = ("owner", "game", "version", "created_at", "changed_at")
    list_display = ("heading", "game", "owner", "version", "is_deleted", "changed_at")
    list_filter = ("game", "is_deleted")
    list_select_related = ("owner",)
    search_fields = ("title", "code", "owner__name")
    ordering = ("-pk",)
    show_full_result_count = False

    def view_on_site(self, study: Study) -> str:
        """The study's own page."""
        return reverse("study", args=[study.code])
