"""The ledger in the admin site: staff can view it, and annul and reinstate results with a reason."""

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from kakomi.server.accounts.administration import ReadOnlyAdmin, ReadOnlyInline
from kakomi.server.accounts.models import User
from kakomi.server.ratings import models, rulings
from kakomi.server.site.language import why
from kakomi.session import Refused


class Entrants(ReadOnlyInline):
    """The players of a result, and their places."""

    model = models.Entrant
    fields = ("seat", "guest", "bot", "place", "corrected_place", "ran_out")


class Rulings(ReadOnlyInline):
    """Staff's decisions about a result."""

    model = models.Ruling
    fields = ("annuls", "reason", "by", "at")


class Corrections(ReadOnlyInline):
    """Corrections by tournament directors."""

    model = models.Correction
    fields = ("places", "reason", "at")


class ReasonForm(ActionForm):
    """The action's form, with a field for the reason."""

    reason = forms.CharField(
        max_length=rulings.LONGEST_REASON, required=False, label=_("Reason (stored and shown to players)")
    )


@admin.register(models.Result)
class Results(ReadOnlyAdmin):
    """Results in the ledger."""

    list_display = ("table", "pool", "ended_at", "is_annulled", "is_due")
    list_filter = ("pool__game", "pool__pace", "is_annulled")
    list_select_related = ("table", "pool")
    search_fields = ("table__code", "entrants__guest__name", "entrants__guest__handle")
    ordering = ("-ended_at",)
    inlines = (Entrants, Rulings, Corrections)
    action_form = ReasonForm
    actions = ("annul", "reinstate")

    def view_on_site(self, row: models.Result) -> str:
        """The address of the result's table."""
        return reverse("table", args=[row.table.code])

    @admin.action(description=_("Annul results: they don’t count for ratings"))
    def annul(self, request: HttpRequest, results: "QuerySet[models.Result]") -> None:
        """Annul the chosen results."""
        self._rule(request, results, annuls=True)

    @admin.action(description=_("Restore annulled results"))
    def reinstate(self, request: HttpRequest, results: "QuerySet[models.Result]") -> None:
        """Reinstate the chosen results."""
        self._rule(request, results, annuls=False)

    def _rule(self, request: HttpRequest, results: "QuerySet[models.Result]", *, annuls: bool) -> None:
        decide, reason = rulings.annul if annuls else rulings.reinstate, request.POST.get("reason", "")
        by = request.user if isinstance(request.user, User) else None
        try:
            decided = [decide(result, by=by, reason=reason) for result in results]
        except Refused as error:
            self.message_user(request, why(error), level="ERROR")
            return
        self.message_user(
            request, _("Results changed: {count}").format(count=len([ruling for ruling in decided if ruling]))
        )
