"""Refusals of woa and futurepath cite the rule that refuses, and propose nothing that is refused as well."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import affray.engine.dialects
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Spell, Weapon
from affray.events.stores.memory import MemoryStore

#: The rules that list which types of action there are: they forbid nothing by themselves.
TYPES_OF_ACTION = {"woa": "woa.action-type.enumeration", "futurepath": "futurepath.table.time-and-actions"}

SHEET = Sheet(
    name="Body",
    hp=20,
    base_attack=1,
    feats=("combat reflexes", "sidestep"),
    weapons=(
        Weapon("club", "1d6"),
        Weapon("clubs", "1d8", wield="light"),
    ),
    spells=(Spell("spark", range=25, damage="1d4"),),
)
GRAB = acts.FullAttack(actor="me", strikes=(acts.Strike(target="near", weapon="club", special="grab"),))

Case = tuple[str, acts.Act, str, str]
CASES: dict[str, Case] = {
    "a spell out of range": (
        "woa",
        acts.Cast(actor="me", spell="spark", targets=("far",)),
        "woa.spell.range",
        "far is 150 ft. away, out of the spell's range",
    ),
    "a blow into a square out of reach": (
        "woa",
        acts.Attack(actor="me", at=(9, 0), weapon="club"),
        "woa.attack.melee-reach",
        "9,0 is out of the club's reach",
    ),
    "a grab with a weapon": ("woa", GRAB, "woa.grab.attack-bonus", "the club cannot be used to grab"),
    "a feat that is not named": (
        "woa",
        acts.UseFeat(actor="me"),
        "woa.use-feat",
        "no feat of me is named; there are combat reflexes, sidestep",
    ),
    "a part of the body that there is not": (
        "woa",
        acts.Hazard(target="near", damage="1d6", injury="random wing"),
        "woa.injury.random-body-part",
        "'wing' is no part of the body; there are chest, ear, head, leg, eye, hand, neck, arm, vitals, heart",
    ),
    "a place of which nothing is known": (
        "woa",
        acts.Expose(target="near", to="veil", degree="pea soup"),
        "woa.concealment.table",
        "'pea soup' is no degree of concealment",
    ),
    "darkness from somewhere": (
        "woa",
        acts.Expose(target="near", to="darkness", way=(1, 0)),
        "woa.concealment.source.illumination",
        "darkness has no direction",
    ),
    "a weapon in hand is not drawn": (
        "woa",
        acts.Draw(actor="me", item="clubbs"),
        "woa.items.draw-sheathe",
        "'clubbs' is no weapon or device that me can draw; did you mean clubs?",
    ),
    "a thing that is not held": (
        "woa",
        acts.Drop(actor="me", item="clubs"),
        "woa.items.drop",
        "me does not hold 'clubs'; did you mean club?",
    ),
    "a feat that takes no action is not proposed": (
        "futurepath",
        acts.UseFeat(actor="me", feat="combat reflex"),
        "futurepath.action.use-feat-per-description",
        "'combat reflex' is no feat of me; there is sidestep",
    ),
    "a weapon in hand is not proposed": (
        "futurepath",
        acts.Draw(actor="me", item="clob"),
        "futurepath.action.manipulate-objects",
        "'clob' is no weapon that me can draw; did you mean clubs?",
    ),
    "oneself is not tripped": (
        "futurepath",
        acts.Trip(actor="me", target="me"),
        "futurepath.trip.size-limit",
        "me cannot trip itself",
    ),
}


def in_turn(dialect: str) -> Table:
    """Return a fight in the turn of one who holds a club, with one beside and one far away."""
    table = Table.create(MemoryStore(), dialect=dialect, terrain=["." * 40], seed=b"refused")
    for id, side, x, initiative in (("me", "a", 0, 30), ("near", "b", 1, 9), ("far", "b", 30, 5)):
        entered = acts.Enter(
            id=id,
            side=side,
            sheet=SHEET,
            at=(x, 0),
            held=("club",),
            initiative=initiative,
            acted=True,
        )
        assert table.declare(entered).refused is None
    assert table.declare(acts.Begin(turn="me")).refused is None
    return table


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_rule_that_refuses_is_cited(case: str) -> None:
    """The rule forbids what was declared, and the reason says what is wrong with it."""
    dialect, act, rule, reason = CASES[case]
    refused = in_turn(dialect).declare(act).refused  # type: ignore[arg-type]
    assert refused is not None
    assert (refused.rule, refused.reason) == (rule, reason)


def refusals_in(folder: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield each place in a dialect's own code that makes a refusal."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Refusal", "unknown_word"):
                yield f"{file.relative_to(folder)}:{node.lineno}", node


@pytest.mark.parametrize("dialect", sorted(TYPES_OF_ACTION))
def test_no_refusal_cites_the_types_of_action(dialect: str) -> None:
    """Whatever is refused is refused by a rule on it."""
    folder = Path(affray.engine.dialects.__path__[0]) / dialect
    places = list(refusals_in(folder))
    assert len(places) > 100
    general = {TYPES_OF_ACTION[dialect], "actions"}
    wrong = [
        place
        for place, call in places
        if any(isinstance(one, ast.Constant) and one.value in general for one in ast.walk(call))
    ]
    assert wrong == []
