"""A refusal cites the rule that refuses: its subject is what the declaration was refused for."""

from collections.abc import Callable

import pytest

from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Spell, Weapon
from affray.events.memory import MemoryStore
from tests.house.fights import DIALECTS

SHEET = Sheet(
    name="Body",
    hp=20,
    weapons=(Weapon("club", "1d6"),),
    spells=(Spell("spark", range=25, damage="1d4"),),
)

Case = tuple[Callable[[str], acts.Act], tuple[str, ...]]
CASES: dict[str, Case] = {
    "a spell out of range": (
        lambda me: acts.Cast(actor=me, spell="spark", targets=("far",)),
        ("range",),
    ),
    "an id that is taken": (
        lambda me: acts.Enter(id="far", side="b", sheet=SHEET, at=(2, 0)),
        ("combat", "encounter"),
    ),
    "an attack on nobody": (lambda me: acts.Attack(actor=me), ("combat", "encounter")),
    "an attack on somebody who is not there": (
        lambda me: acts.Attack(actor=me, target="ghost"),
        ("combat", "encounter"),
    ),
    "a blow from too far": (lambda me: acts.Attack(actor=me, target="far"), ("melee", "reach")),
    "a turn that is another's": (lambda me: acts.EndTurn(actor="far"), ("turn", "initiative")),
    "standing up from one's feet": (lambda me: acts.Stand(actor=me), ("stand", "prone", "posture")),
    "a place that is taken": (lambda me: acts.Fiat(target=me, at=(30, 0)), ("squar", "space", "end")),
    "a place beyond the map": (lambda me: acts.Fiat(target=me, at=(99, 0)), ("space", "size", "reach")),
    "more hit points than all": (lambda me: acts.Fiat(target=me, hp=99), ("hit point", "damage")),
    "a step of many squares": (lambda me: acts.Step(actor=me, to=(9, 1)), ("step",)),
    "a blow of mercy for the able": (
        lambda me: acts.CoupDeGrace(actor=me, target="near"),
        ("coup", "helpless", "grace"),
    ),
    "a second beginning": (lambda me: acts.Begin(), ("combat", "encounter")),
}


def begun(dialect: str) -> tuple[Table, str]:
    """Return a fight with one beside and one far away, and whose turn it is."""
    table = Table.create(MemoryStore(), dialect=dialect, terrain=["." * 40] * 3, seed=b"refused")
    for id, side, x, initiative in (("me", "a", 0, 30), ("near", "b", 1, 9), ("far", "b", 30, 5)):
        entered = acts.Enter(id=id, side=side, sheet=SHEET, at=(x, 0), initiative=initiative, acted=True)
        assert table.declare(entered).refused is None
    table.declare(acts.Begin())
    while table.waiting is not None:
        table.choose(table.waiting.options[0])
    return table, "me"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("case", sorted(CASES))
def test_the_subject_of_the_rule_fits(dialect: str, case: str) -> None:
    """In its title, section or text the cited rule speaks of what the declaration is refused for."""
    declared, words = CASES[case]
    table, me = begun(dialect)
    act = declared(me)
    if type(act) not in table.fight.dialect.acts:
        pytest.skip(f"{dialect} knows no such act")
    if dialect == "woa":
        while not table.state.active and table.state.phase:
            if table.declare(acts.EndTurn()).refused is not None:
                break
    refused = table.declare(act).refused
    assert refused is not None
    rule = table.fight.book[refused.rule]
    told = f"{rule.title} {rule.section} {rule.text}".lower()
    assert any(word in told for word in words), (refused.reason, rule.id, rule.title)
    assert "''" not in refused.reason


@pytest.mark.parametrize("dialect", DIALECTS)
def test_who_is_down_does_nothing_of_its_own(dialect: str) -> None:
    """It neither hides nor delays nor speaks, and none of that is listed as open."""
    table, me = begun(dialect)
    down = "unconscious" if dialect == "woa" else "dying"
    hp = None if dialect == "woa" else -3
    set_down = acts.Fiat(target=me, hp=hp) if hp is not None else acts.Fiat(target=me, gains=(down,))
    assert table.declare(set_down).refused is None
    assert down in table.state.combatants[me].conditions
    found = table.legal(me)
    for kind in (acts.Hide, acts.Delay, acts.Speak, acts.Lift, acts.Ready):
        if kind in table.fight.dialect.acts:
            name = str(kind.__struct_config__.tag)
            assert name not in found.not_all, name
            assert not [act for act in found.open if isinstance(act, kind)], name
            assert name in {shut.kind for shut in found.closed}
