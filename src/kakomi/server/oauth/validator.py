"""What oauthlib, which knows the protocol, asks of the database. All of a request is one transaction."""

from typing import Any

from oauthlib.oauth2 import RequestValidator

from kakomi.server.accounts.scopes import SCOPES, known_scopes
from kakomi.server.oauth import services
from kakomi.server.oauth.models import Credential, Program

GRANT_TYPES = ("authorization_code", "refresh_token")


class Validator(RequestValidator):  # type: ignore[misc]  # oauthlib has no types
    """Programs without secrets, codes by PKCE, refresh tokens that are good once."""

    def client_authentication_required(self, request: Any, *args: Any, **kwargs: Any) -> bool:
        return False

    def authenticate_client_id(self, client_id: str, request: Any, *args: Any, **kwargs: Any) -> bool:
        return self.validate_client_id(client_id, request)

    def validate_client_id(self, client_id: str, request: Any, *args: Any, **kwargs: Any) -> bool:
        program = Program.objects.select_related("owner").filter(client_id=client_id or "").first()
        if program is None or not program.owner.is_active:
            return False
        request.client = program
        return True

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Any, *args: Any, **kwargs: Any
    ) -> bool:
        return services.is_registered(request.client, redirect_uri)

    def get_default_redirect_uri(self, client_id: str, request: Any, *args: Any, **kwargs: Any) -> str | None:
        return None  # a program says where to

    def validate_response_type(
        self, client_id: str, response_type: str, client: Any, request: Any, *args: Any, **kwargs: Any
    ) -> bool:
        return response_type == "code"

    def validate_grant_type(
        self, client_id: str, grant_type: str, client: Any, request: Any, *args: Any, **kwargs: Any
    ) -> bool:
        return grant_type in GRANT_TYPES

    def get_default_scopes(self, client_id: str, request: Any, *args: Any, **kwargs: Any) -> list[str]:
        return ["read"]

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: Any, request: Any, *args: Any, **kwargs: Any
    ) -> bool:
        return bool(scopes) and set(scopes) <= set(SCOPES)

    def is_pkce_required(self, client_id: str, request: Any) -> bool:
        return True

    def save_authorization_code(
        self, client_id: str, code: dict[str, str], request: Any, *args: Any, **kwargs: Any
    ) -> None:
        scopes = known_scopes(request.scopes)
        grant = services.allow(request.user, request.client, scopes)
        services.keep_code(grant, code["code"], scopes, request.redirect_uri, request.code_challenge)

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Any, *args: Any, **kwargs: Any
    ) -> bool:
        return self._uses(Credential.Kind.CODE, code, client_id, request)

    def get_code_challenge(self, code: str, request: Any) -> str:
        return str(request.credential.challenge)

    def get_code_challenge_method(self, code: str, request: Any) -> str:
        return "S256"

    def confirm_redirect_uri(
        self,
        client_id: str,
        code: str,
        redirect_uri: str,
        client: Any,
        request: Any,
        *args: Any,
        **kwargs: Any,
    ) -> bool:
        return bool(request.credential.redirect_uri == redirect_uri)

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Any, *args: Any, **kwargs: Any
    ) -> None:
        """It counts as used since its tokens were given."""

    def validate_refresh_token(
        self, refresh_token: str, client: Any, request: Any, *args: Any, **kwargs: Any
    ) -> bool:
        return self._uses(Credential.Kind.REFRESH, refresh_token, client.client_id, request)

    def get_original_scopes(self, refresh_token: str, request: Any, *args: Any, **kwargs: Any) -> list[str]:
        return list(request.credential.scopes)

    def rotate_refresh_token(self, request: Any) -> bool:
        return True

    def save_bearer_token(self, token: dict[str, str], request: Any, *args: Any, **kwargs: Any) -> None:
        scopes = known_scopes(request.scopes)
        services.give_tokens(request.credential, token["access_token"], token["refresh_token"], scopes)

    def revoke_token(self, token: str, token_type_hint: str, request: Any, *args: Any, **kwargs: Any) -> None:
        services.revoke(token, request.client.client_id)

    def _uses(self, kind: str, text: str, client_id: str, request: Any) -> bool:
        request.credential = services.credential_of(kind, text, client_id)
        if request.credential is None:
            return False
        request.user, request.scopes = request.credential.grant.user, request.credential.scopes
        return True
