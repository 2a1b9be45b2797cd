"""Studies in the admin site: staff can change a title, and delete or restore a study."""

from django.contrib import admin
from django.urls import reverse

from kakomi.server.accounts.administration import ChangeOnly
from kakomi.server.analysis.models import Study


@admin.register(Study)
class Studies(ChangeOnly, admin.ModelAdmin):
    """Studies. Setting `is_deleted` hides a study from everyone but its owner; it can be undone."""

    fields = ("title", "is_deleted", "owner", "game", "version", "created_at", "changed_at")
    readonly_fields = ("owner", "game", "version", "created_at", "changed_at")
    list_display = ("heading", "game", "owner", "version", "is_deleted", "changed_at")
    list_filter = ("game", "is_deleted")
    list_select_related = ("owner",)
    search_fields = ("title", "code", "owner__name")
    ordering = ("-pk",)
    show_full_result_count = False

    def view_on_site(self, study: Study) -> str:
        """The address of the study's page."""
        return reverse("study", args=[study.code])
