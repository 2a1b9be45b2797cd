"""Libraries that an extra of Kakomi brings."""

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def needs_extra(name: str) -> Iterator[None]:
    """Imports of an extra's libraries: one that is missing is a ModuleNotFoundError that says what to
    install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "kakomi":
            raise
        raise ModuleNotFoundError(
            f"{error.name} is not installed: pip install 'kakomi[{name}]', "
            f"or in a checkout pip install '.[{name}]'",
            name=error.name,
        ) from None
