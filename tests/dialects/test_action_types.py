"""The type of action of each declaration: told of all, and as it is played."""

from collections.abc import Callable
from typing import Any, get_args

import pytest

from affray.engine.dialects import load
from affray.engine.dialects.futurepath.turns import action_types as futurepath
from affray.engine.dialects.pf1 import turns as pf1
from affray.engine.dialects.srd35 import turns as srd35
from affray.engine.dialects.woa.turns import cycle as woa
from affray.engine.fight.fight import Dialect, Fight
from affray.engine.steps import Refusal, Steps, observed
from affray.engine.table.scenario import fixed_seed, play
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from tests.relatives import RELATIVES
from tests.scenarios.cases import all_cases

pytestmark = pytest.mark.slow

TABLES = {"srd35": srd35.TABLE, "pf1": pf1.TABLE, "futurepath": futurepath.TABLE, "woa": woa.TABLE}

#: A fright of the mount takes what is left of the round, whatever was tried.
FRIGHT = "fright of the mount"

#: What has no rule of its own takes the action as which a plan of woa declares it.
DESCRIBED = (acts.UseFeat, acts.UseSkill, acts.UseAbility)


@pytest.mark.parametrize("dialect", RELATIVES)
def test_every_declaration_has_its_type(dialect: str) -> None:
    """Whatever a combatant can do in a dialect stands in its table, but to ready something."""
    doable = {kind for kind in load(dialect).acts if kind in get_args(acts.Doable)}
    assert doable <= TABLES[dialect].keys()


def test_only_what_holds_another_act_to_come_is_no_deed() -> None:
    """Each act of a combatant can be readied as far as words go, but readiness itself and a plan with it."""
    every = {kind for kind in vars(acts).values() if isinstance(kind, type) and issubclass(kind, acts.Act)}
    own = {kind for kind in every if kind.declared_by == "combatant" and kind is not acts.Act}
    assert own - {acts.Ready, acts.Plan} == set(get_args(acts.Doable)) - {acts.Custom}


@pytest.mark.parametrize("dialect", RELATIVES)
def test_what_can_be_readied_never_takes_the_full_round(
    dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the table calls a standard, move, swift or free action spends no full round where it is played."""
    played: list[tuple[str, str, str]] = []
    rules = load(dialect)
    heard = {kind: listened(rules, resolver, played) for kind, resolver in rules.acts.items()}
    monkeypatch.setitem(rules.__dict__, "acts", heard)
    for _, case in [one for one in all_cases() if one[1].dialect == dialect][::3]:
        play(case, MemoryStore(), seed=fixed_seed(case), strict=False)
    assert len(played) > 50
    readiable = ("standard", "move", "swift", "free")
    assert [one for one in played if one[1] in readiable and one[2] == "full-round"] == []


def listened(
    dialect: Dialect, resolver: Callable[[Fight, Any], Steps[None]], played: list[tuple[str, str, str]]
) -> Callable[[Fight, Any], Steps[None]]:
    """Return a resolver that notes of each act its type on the table and what its actor spends."""

    def carried_out(fight: Fight, act: Any) -> Steps[None]:
        steps = resolver(fight, act)
        described = dialect.name == "woa" and isinstance(act, DESCRIBED)
        if described or type(act) not in get_args(acts.Doable) or act.actor not in fight.state.combatants:
            return steps
        try:
            kind = dialect.turns.action_type(fight, fight.combatant(act.actor), act)
        except Refusal:
            return steps

        def note(step: Any) -> None:
            if isinstance(step, ActionSpent) and step.who == act.actor and step.what != FRIGHT:
                played.append((str(act.__struct_config__.tag), kind, step.kind))

        return observed(steps, note)

    return carried_out
