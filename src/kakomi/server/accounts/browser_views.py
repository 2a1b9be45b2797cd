"""A user's browsers: signing others out, and taking over what this one had as a guest."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from kakomi.server.accounts import services
from kakomi.server.accounts.middleware import forget_guest_before, guest_before
from kakomi.server.accounts.models import SignIn
from kakomi.server.whole_numbers import whole_number


@require_POST
@login_required
def end_sign_ins(request: HttpRequest) -> HttpResponse:
    """Sign out another browser of the user's (field `number`), or all others."""
    number, here = request.POST.get("number", ""), request.session.sign_in  # type: ignore[attr-defined]
    chosen = SignIn.objects.filter(user=request.user).exclude(pk=here.pk)  # type: ignore[misc]
    if number != "all":
        chosen = chosen.filter(pk=whole_number(number, digits=18) or 0)
    chosen.delete()
    return redirect(reverse("me") + "#browsers")


@require_POST
@login_required
def take_over(request: HttpRequest) -> HttpResponse:
    """Move what the guest before had to the user's guest. Raises Conflict if they have signed up."""
    if (before := guest_before(request)) is not None:
        services.join_guests(before, request.user)  # type: ignore[arg-type]
        forget_guest_before(request)
    return redirect("home")
