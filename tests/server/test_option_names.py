"""Names that a game's options can't have are all those that stand beside them where options go by name."""

import inspect
from typing import Any

import pytest
from django import forms

from kakomi import catalog
from kakomi.core.option import OTHER_SUFFIX, RESERVED
from kakomi.protocol.mail.language.terms import MATCH_PARAMETERS
from kakomi.research.gymnasium import ManyGames, OneAgent, many_games
from kakomi.research.pettingzoo import pettingzoo_env
from kakomi.server.analysis.forms import NewStudyForm
from kakomi.server.analysis.links import link_to
from kakomi.server.lobby.forms import SeekForm
from kakomi.server.tables.forms import TableForm

RIN = catalog.describe("rin")


def is_free(name: str) -> bool:
    """Whether an option might have it."""
    return name.isidentifier() and name not in RESERVED and not name.endswith(OTHER_SUFFIX)


@pytest.mark.parametrize("kind", [TableForm, SeekForm, NewStudyForm])
def test_fields_of_forms(kind: type[forms.Form]) -> None:
    assert [name for name in kind.base_fields if is_free(name)] == []


def test_fields_of_links() -> None:
    query = link_to(catalog.game("rin", size=4), ["0,0"], "4/4/4/4 b").partition("?")[2]
    assert {field.partition("=")[0] for field in query.split("&")} - {"size"} <= RESERVED


def test_parameters_of_mails() -> None:
    assert set(MATCH_PARAMETERS) <= RESERVED


@pytest.mark.parametrize("make", [OneAgent, ManyGames, many_games, pettingzoo_env])
def test_arguments_of_environments(make: Any) -> None:
    named = [
        name
        for name, parameter in inspect.signature(make).parameters.items()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    assert [name for name in named if is_free(name)] == []
