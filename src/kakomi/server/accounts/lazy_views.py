"""Views of allauth that are imported when somebody asks for them, each with allauth's middleware round it.

Few requests sign anybody in, so no other passes through that middleware or waits for these imports.
"""

from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache

View = Callable[..., HttpResponseBase]


def allauth_view(name: str, **settings: Any) -> View:
    """The class-based view `allauth.<name>` with settings such as its template."""

    @never_cache
    def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        from allauth.account.middleware import AccountMiddleware

        def answer(request: HttpRequest) -> HttpResponseBase:
            try:
                response = _loaded(name, **settings)(request, *args, **kwargs)
                if isinstance(response, TemplateResponse):
                    _mark_refusal(request, response)
                    response.render()  # while allauth knows the request
            except Exception as exception:
                caught: HttpResponseBase | None = middleware.process_exception(request, exception)
                if caught is None:
                    raise
                return caught
            return response

        middleware = AccountMiddleware(answer)
        answered: HttpResponseBase = middleware(request)
        answered.headers["X-Robots-Tag"] = "noindex, nofollow"
        return answered

    return view


def _mark_refusal(request: HttpRequest, response: TemplateResponse) -> None:
    """A form that comes back with mistakes in it was refused."""
    forms = [(response.context_data or {}).get(name) for name in ("form", "webauthn_form")]
    was_refused = any(form is not None and form.is_bound and form.errors for form in forms)
    if request.method == "POST" and response.status_code == HTTPStatus.OK and was_refused:
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY


@cache
def _loaded(name: str, **settings: Any) -> View:
    view: View = import_string(f"allauth.{name}").as_view(**settings)
    return view
