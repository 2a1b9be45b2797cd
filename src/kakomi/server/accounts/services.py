"""What changes guests and users."""

from django.contrib.auth.password_validation import validate_password

from kakomi.server.accounts.models import Guest, User, new_token
from kakomi.server.database import writing


def renew_link(guest: Guest) -> None:
    """Replace a guest's private link. The old one, and browsers that know the guest by it, no longer work."""
    guest.token, guest.sign_outs = new_token(), guest.sign_outs + 1
    guest.save(update_fields=["token", "sign_outs"])


def add_staff(username: str, password: str, email: str = "") -> User:
    """Add a user to whom the whole admin is open. Raises ValidationError for what can't be."""
    with writing():
        user = User(
            guest=Guest(name=username), username=username, email=email, is_staff=True, is_superuser=True
        )
        _check(user, password)
        user.guest.save()
        user.guest = user.guest  # whose number is known now
        user.set_password(password)
        user.save()
    return user


def set_password(user: User, password: str) -> None:
    """Replace a password; browsers that signed in with the old one are signed out. Raises ValidationError."""
    validate_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])


def set_staff(user: User, is_staff: bool) -> None:
    """Let a user into the admin, or no more."""
    user.is_staff = user.is_superuser = is_staff
    user.save(update_fields=["is_staff", "is_superuser"])


def _check(user: User, password: str) -> None:
    user.clean_fields(exclude=["guest", "password"])
    user.validate_constraints(exclude=["guest"])
    validate_password(password, user)
