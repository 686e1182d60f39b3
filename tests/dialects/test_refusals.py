"""A refusal cites the rule that refuses: its subject is what the declaration was refused for."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

import pytest
from msgspec.structs import fields, replace

from affray.engine.rules.turns.actions import GENERAL, TOPICS, rule_about
from affray.engine.steps import Refusal
from affray.engine.table.runner import refusal_of
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.acts import Act
from affray.events.facts.flow import Declared
from affray.events.facts.sheet import Sheet, Spell, Weapon
from affray.events.stores.memory import MemoryStore
from tests.dialects.test_honoured import filled, hints
from tests.relatives import RELATIVES

SHEET = Sheet(
    name="Body",
    hp=20,
    weapons=(Weapon("club", "1d6"), Weapon("dagger", "1d4", wield="light")),
    spells=(
        Spell("spark", range=25, damage="1d4"),
        Spell("wand of sparks", range=25, damage="1d4", item="wand"),
        Spell("blaze", range=25, damage="1d6", uses=0),
    ),
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
    "a word that no rule knows of a condition": (
        lambda me: acts.Hazard(target=me, condition="merry"),
        ("game master",),
    ),
    "a condition that no rule knows": (lambda me: acts.Fiat(target=me, gains=("merry",)), ("game master",)),
    "a hazard of both kinds": (
        lambda me: acts.Hazard(target=me, save="ref", skill="balance", dc=5),
        ("game master",),
    ),
    "a way of moving that no rule knows": (lambda me: acts.Move(actor=me, how="slide"), ("move", "speed")),
    "a sheet beyond all bounds": (
        lambda me: acts.Enter(id="x", side="b", sheet=Sheet(name="X", hp=5, speed=99999), at=(5, 0)),
        ("combat", "encounter"),
    ),
    "a condition that an entry only half names": (
        lambda me: acts.Enter(id="x", side="b", sheet=SHEET, at=(5, 0), levels=(("prone", 2),)),
        ("combat", "encounter"),
    ),
    "a level of what has none": (
        lambda me: acts.Enter(
            id="x", side="b", sheet=SHEET, at=(5, 0), conditions=("prone",), levels=(("prone", 2),)
        ),
        ("prone", "posture"),
    ),
    "a weapon that is not there": (
        lambda me: acts.Attack(actor=me, target="near", weapon="axe"),
        ("weapon", "draw"),
    ),
    "a weapon that is not in hand": (
        lambda me: acts.Attack(actor=me, target="near", weapon="dagger"),
        ("weapon", "draw"),
    ),
    "a spell that is not known": (
        lambda me: acts.Cast(actor=me, spell="wish", targets=("near",)),
        ("cast", "spell"),
    ),
    "a spell to be readied that is not known": (
        lambda me: acts.Ready(actor=me, then=acts.Cast(spell="wish", targets=("near",))),
        ("cast", "spell"),
    ),
    "a magic item that is none": (
        lambda me: acts.Activate(actor=me, item="spark", targets=("near",)),
        ("item", "device"),
    ),
    "a sheet without hit points": (
        lambda me: acts.Enter(id="x", side="b", sheet=Sheet(name="X", hp=0), at=(5, 0)),
        ("combat", "encounter"),
    ),
    "first aid for the hale": (
        lambda me: acts.Stabilize(actor=me, target="near"),
        ("stabil", "knocked", "aid"),
    ),
    "words of the fallen": (lambda me: acts.Speak(actor="fallen", words="help"), ("unconscious", "dying")),
    "an opening of the fallen": (
        lambda me: acts.Opening(target="fallen", opponent="near"),
        ("unconscious", "dying"),
    ),
    "ability points of no ability": (
        lambda me: acts.Enter(id="x", side="b", sheet=SHEET, at=(5, 0), losses=(("luck", 1),)),
        ("ability", "encounter", "combat"),
    ),
    "a turn put off to an earlier count": (lambda me: acts.Delay(actor=me, count=99), ("delay",)),
    "a second beginning": (lambda me: acts.Begin(), ("combat", "encounter")),
}


OWN_RULES: Final = ("futurepath", "woa")
"""The dialects that speak and are in danger by rules of their own."""

ELSEWHERE: Final = {"a hazard of both kinds": OWN_RULES, "words of the fallen": OWN_RULES}
"""The cases that are others in some dialects."""


def begun(dialect: str) -> tuple[Table, str]:
    """Return a fight with one beside, one far away and one fallen, and whose turn it is."""
    table = Table.create(MemoryStore(), dialect=dialect, terrain=["." * 40] * 3, seed=b"refused")
    for id, side, x, initiative in (("me", "a", 0, 30), ("near", "b", 1, 9), ("far", "b", 30, 5)):
        entered = acts.Enter(
            id=id, side=side, sheet=SHEET, at=(x, 0), held=("club",), initiative=initiative, acted=True
        )
        assert table.declare(entered).refused is None
    fallen = acts.Enter(
        id="fallen", side="a", sheet=SHEET, at=(1, 2), initiative=1, conditions=("unconscious",)
    )
    assert table.declare(fallen).refused is None
    table.declare(acts.Begin())
    while table.waiting is not None:
        table.choose(table.waiting.options[0])
    return table, "me"


def in_turn(dialect: str) -> tuple[Table, str]:
    """Return the same fight in a turn of its first combatant."""
    table, me = begun(dialect)
    if dialect == "woa":
        while not table.state.active and table.state.phase:
            if table.declare(acts.EndTurn()).refused is not None:
                break
    return table, me


@pytest.mark.parametrize("dialect", RELATIVES)
@pytest.mark.parametrize("case", sorted(CASES))
def test_the_subject_of_the_rule_fits(dialect: str, case: str) -> None:
    """In its title, section or text the cited rule speaks of what the declaration is refused for."""
    declared, words = CASES[case]
    if dialect in ELSEWHERE.get(case, ()):
        pytest.skip(f"{dialect} judges that by rules of its own")
    table, me = in_turn(dialect)
    act = declared(me)
    if type(act) not in table.fight.dialect.acts:
        pytest.skip(f"{dialect} knows no such act")
    refused = table.declare(act).refused
    assert refused is not None
    rule = table.fight.book[refused.rule]
    told = f"{rule.title} {rule.section} {rule.text}".lower()
    assert any(word in told for word in words), (refused.reason, rule.id, rule.title)
    assert "''" not in refused.reason


@pytest.mark.parametrize("dialect", RELATIVES)
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


UNKNOWN: Final = "xyzzy"
"""A word that is no name of anything."""

PROPOSED = re.compile("; (?:did you mean (.+)[?]|there (?:is|are) (.+))$")
"""What the end of a reason proposes in place of a name."""


@cache
def table_of(dialect: str) -> Table:
    """Return the fight in which declarations are judged and none is made."""
    return in_turn(dialect)[0]


def declared_barely(dialect: str) -> Iterator[tuple[str, Act]]:
    """Yield every kind of declaration with nothing said, at an opponent, and with each name unknown.

    With each comes the field that says something, if any.
    """
    for kind in table_of(dialect).fight.dialect.acts:
        bare = filled(kind) if kind.declared_by == "game master" else replace(filled(kind), actor="me")
        named = [one.name for one in fields(kind) if one.default == "" and hints(kind)[one.name] is str]
        aimed = replace(bare, target="near") if "target" in named else bare
        yield "", bare
        yield "", aimed
        for name in (one for one in named if one != "actor"):
            yield name, replace(aimed, **{name: UNKNOWN})


def judged(dialect: str, act: Act) -> Refusal | None:
    """Return why a declaration is refused, None if it is not."""
    return refusal_of(table_of(dialect).fight, Declared("d9", act, ""))  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", RELATIVES)
def test_reasons_name_what_is_wrong(dialect: str) -> None:
    """No reason quotes an empty name or ends in the middle, and an unknown one is quoted."""
    for _, act in declared_barely(dialect):
        refused = judged(dialect, act)
        if refused is not None:
            assert "''" not in refused.reason, (act, refused.reason)
            assert "  " not in refused.reason, (act, refused.reason)
            assert not refused.reason.endswith((" ", "?", ":", ",")) or "did you mean" in refused.reason, (
                act,
                refused.reason,
            )


@pytest.mark.parametrize("dialect", RELATIVES)
def test_a_rule_on_the_subject_is_cited(dialect: str) -> None:
    """Which types of action there are is cited only for what takes more of them than are left."""
    table = table_of(dialect)
    general = table.fight.rule("actions")
    for _, act in declared_barely(dialect):
        refused = judged(dialect, act)
        assert refused is None or refused.rule != general, (act, refused.reason)


ELSE = ("needs a target", "in hand")
"""How reasons end that accept a name, and find another fault."""


@pytest.mark.parametrize("dialect", RELATIVES)
def test_what_is_proposed_is_not_refused_for_its_name(dialect: str) -> None:
    """A name that a refusal proposes is accepted as a name, whatever else is wrong with the declaration."""
    for name, act in declared_barely(dialect):
        refused = judged(dialect, act)
        if refused is None or UNKNOWN not in refused.reason or "no combatant" in refused.reason:
            continue
        found = PROPOSED.search(refused.reason)
        for word in (found[1] or found[2]).split(", ") if found else ():
            again = judged(dialect, replace(act, **{name: word}))
            accepted = again is None or word not in again.reason or again.reason.endswith(ELSE)
            assert accepted, (act, word, again and again.reason)


def test_each_declaration_has_a_subject() -> None:
    """Every kind of declaration has a topic of its own, of which each dialect that knows it has a rule."""
    for dialect in RELATIVES:
        fight = table_of(dialect).fight
        for kind in fight.dialect.acts:
            assert kind in TOPICS, kind
            assert rule_about(fight, kind) != fight.rule(GENERAL), (dialect, kind)
