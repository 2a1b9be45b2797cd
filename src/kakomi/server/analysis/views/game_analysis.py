"""The win chances over a whole game: asked for, stopped, and shown as they come."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis import services
from kakomi.server.analysis.views.common import find_study, hides_running_games, is_partial, presenter_for
from kakomi.server.language import why
from kakomi.session import Refused
from kakomi.study.analysis import page_stylesheet


@require_http_methods(["GET", "HEAD", "POST"])
@hides_running_games
def game_analysis(request: HttpRequest, code: str) -> HttpResponse:
    """How far it has come; a POST starts or stops it first."""
    study = find_study(request, code)
    status, refusal = HTTPStatus.OK, ""
    if request.method == "POST":
        deed = services.stop_analysis if request.POST.get("do") == "stop" else services.start_analysis
        try:
            deed(study, guest_of(request))
        except Refused as error:
            status, refusal = HTTPStatus.UNPROCESSABLE_ENTITY, why(error)
        if not is_partial(request) and not refusal:
            return redirect("study", code)
    presenter = presenter_for(request, study, 0)
    context = {"study": presenter, "survey": presenter.survey, "refusal": refusal}
    return render(request, "analysis/_survey.html", context, status=status)


@require_safe
@cache_control(max_age=3600)
def chart_style(request: HttpRequest) -> HttpResponse:
    """What plots of win chances look like."""
    del request
    return HttpResponse(page_stylesheet(), content_type="text/css")
