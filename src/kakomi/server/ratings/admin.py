"""The ledger, for staff: to be looked at, and to annul results for a reason."""

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from kakomi.server.accounts.models import User
from kakomi.server.administration.model_admins import ReadOnlyAdmin, ReadOnlyInline
from kakomi.server.language import why
from kakomi.server.ratings import models, services
from kakomi.session import Refused


class Entrants(ReadOnlyInline):
    """Who played, and the places."""

    model = models.Entrant
    fields = ("seat", "guest", "bot", "place", "corrected_place", "ran_out")


class Rulings(ReadOnlyInline):
    """What staff decided about a result."""

    model = models.Ruling
    fields = ("annuls", "reason", "by", "at")


class Corrections(ReadOnlyInline):
    """What directors of tournaments put right."""

    model = models.Correction
    fields = ("places", "reason", "at")


class ReasonForm(ActionForm):
    """The reason beside the choice of an action."""

    reason = forms.CharField(
        max_length=services.LONGEST_REASON, required=False, label=_("Reason (kept, and shown to players)")
    )


@admin.register(models.Result)
class Results(ReadOnlyAdmin):
    """A line of the ledger."""

    list_display = ("table", "pool", "ended_at", "is_annulled", "is_due")
    list_filter = ("pool__game", "pool__pace", "is_annulled")
    list_select_related = ("table", "pool")
    search_fields = ("table__code", "entrants__guest__name", "entrants__guest__handle")
    ordering = ("-ended_at",)
    inlines = (Entrants, Rulings, Corrections)
    action_form = ReasonForm
    actions = ("annul", "reinstate")

    def view_on_site(self, row: models.Result) -> str:
        """The table."""
        return reverse("table", args=[row.table.code])

    @admin.action(description=_("Annul results: they count for nobody's rating"))
    def annul(self, request: HttpRequest, results: "QuerySet[models.Result]") -> None:
        """Annul the chosen results."""
        self._rule(request, results, annuls=True)

    @admin.action(description=_("Have annulled results count again"))
    def reinstate(self, request: HttpRequest, results: "QuerySet[models.Result]") -> None:
        """Have the chosen results count again."""
        self._rule(request, results, annuls=False)

    def _rule(self, request: HttpRequest, results: "QuerySet[models.Result]", *, annuls: bool) -> None:
        rule, reason = services.annul if annuls else services.reinstate, request.POST.get("reason", "")
        by = request.user if isinstance(request.user, User) else None
        try:
            rulings = [rule(result, by=by, reason=reason) for result in results]
        except Refused as error:
            self.message_user(request, why(error), level="ERROR")
            return
        self.message_user(request, _("Results changed: {count}").format(count=len([r for r in rulings if r])))


@admin.register(models.Pool)
class Pools(ReadOnlyAdmin):
    """What is rated together."""

    list_display = ("game", "size_class", "pace")
    list_filter = ("game", "pace")


@admin.register(models.CurrentRating)
class Ratings(ReadOnlyAdmin):
    """What is known of somebody now."""

    list_display = ("pool", "guest", "mean", "sigma", "games", "time_outs")
    list_filter = ("pool__game", "pool__pace")
    list_select_related = ("pool", "guest")
    search_fields = ("guest__name", "guest__handle")
