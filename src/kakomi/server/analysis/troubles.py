"""Why something failed, kept in the database to be said in the language of whoever reads it."""

import json
from typing import Any

from kakomi.core.i18n import LazyMessage
from kakomi.server.language import translate


def kept(text: str) -> str:
    """A sentence with the template and the values that it was made of."""
    return json.dumps(_data(text))


def said_again(text: str) -> str:
    """What was kept, in the viewer's language."""
    try:
        return translate(_sentence(json.loads(text)))
    except ValueError:  # nothing, or kept by a version that kept the English alone
        return translate(text)


def _data(value: Any) -> Any:
    if not isinstance(value, LazyMessage):
        return value
    values = {name: _data(each) for name, each in value.values.items()}
    return {"one": value.one, "many": value.many, "values": values}


def _sentence(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    values = {name: _sentence(each) for name, each in data["values"].items()}
    return LazyMessage(data["one"], data["many"], values)
