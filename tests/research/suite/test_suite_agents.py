"""Agents: names within a budget, and Python functions."""

import pytest

import kakomi
from kakomi import catalog
from kakomi.core import IllegalAction
from kakomi.protocol import EngineError
from kakomi.research.suite import AgentError, AgentMaker, Budget, Task, budgeted

SIMULATIONS, CPU = Budget(simulations=400), Budget(cpu=0.1)
REN = [Task(game="ren", options={"size": 6})]
LEVELS_OF_REN = len(catalog.describe("ren").levels)


@pytest.mark.parametrize(
    ("agent", "budget", "spec"),
    [
        ("random", SIMULATIONS, "random"),
        ("greedy", SIMULATIONS, "beginner"),
        ("uct", SIMULATIONS, "uct:simulations=400"),
        ("search:use_prior=0", SIMULATIONS, "search:use_prior=0,simulations=400"),
        ("search:simulations=100", SIMULATIONS, "search:simulations=100"),
        ("patterns", CPU, "patterns:cpu=0.1"),
        ("4", SIMULATIONS, "4"),
        ("my_agent:choose", SIMULATIONS, "my_agent:choose"),
        ("agents/run{seed}.py:Agent", SIMULATIONS, "agents/run3.py:Agent"),
    ],
)
def test_the_budget_becomes_a_part_of_the_name(agent: str, budget: Budget, spec: str) -> None:
    assert budgeted(agent, budget, REN, 3) == spec


@pytest.mark.parametrize(
    ("agent", "budget", "words"),
    [
        ("search:simulations=401", SIMULATIONS, "gives simulations=400 an action; leave simulations=401 out"),
        ("search:seconds=1", SIMULATIONS, "leave seconds=1 out"),
        ("uct:simulations=5", CPU, "gives cpu=0.1 an action"),
        ("8", SIMULATIONS, "level 8 takes 700 simulations an action in ren; the track gives simulations=400"),
        ("3", CPU, "the track gives cpu=0.1"),
        (f"{LEVELS_OF_REN + 1}", SIMULATIONS, f"ren has no level {LEVELS_OF_REN + 1}"),
        ("alphazero", SIMULATIONS, "there is no agent 'alphazero'; there are: random, greedy"),
        ("time:3", SIMULATIONS, "there is no agent"),
        ("search:colour=1", SIMULATIONS, "has no setting 'colour'"),
    ],
)
def test_what_breaks_the_budget_or_is_unknown_is_refused(agent: str, budget: Budget, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        budgeted(agent, budget, REN)


def test_an_agent_that_cannot_play_a_task_is_refused() -> None:
    with pytest.raises(AgentError, match=r"no patterns\.npz comes with lin"):
        budgeted("patterns", SIMULATIONS, [Task(game="lin", options={"size": 5})])


def chosen(spec: str, budget: Budget = SIMULATIONS, **options: int) -> int:
    position = kakomi.game("rin", size=4, **options).start().play("0,0")
    return AgentMaker(budget)(spec, seed=1, patience=60).choose(position)


def test_a_function_sees_a_position_or_an_observation_with_a_mask(agents: str) -> None:
    assert chosen(agents + "first") == 1
    assert chosen(agents + "last") == 15
    assert chosen(agents + "Chance") == chosen(agents + "Chance") != 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nonsense", r"nonsense answered None; it must be an action's number or its text"),
        ("three", "takes 3 arguments; it must take a position, or an observation and a mask"),
        ("missing", r"agents\.py has no 'missing'"),
        ("NUMBER", "is no function and no class"),
    ],
)
def test_a_function_that_is_none_is_told_of(agents: str, name: str, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        chosen(agents + name)


def test_a_module_that_is_not_there_is_told_of() -> None:
    with pytest.raises(AgentError, match="no_such_module can't be imported"):
        chosen("no_such_module:choose")
    with pytest.raises(AgentError, match=r"there is no file no_such\.py"):
        chosen("no_such.py:choose")


def test_processor_time_is_a_bank_that_runs_out(agents: str) -> None:
    bot = AgentMaker(Budget(cpu=0.0001))(agents + "Slow", seed=1, patience=60)
    position = kakomi.game("rin", size=4).start()
    with pytest.raises(EngineError, match=r"the track gives 0\.0001 s an action"):
        bot.choose(position)
    assert AgentMaker(Budget(cpu=1000))(agents + "Slow", seed=1, patience=60).choose(position) == 0


def test_an_unknown_text_is_an_illegal_action(tmp_path) -> None:
    path = tmp_path / "odd.py"
    path.write_text("def choose(position):\n    return 'z99'\n")
    with pytest.raises(IllegalAction):
        chosen(f"{path}:choose")
