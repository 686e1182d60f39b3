"""Words with a meaning are closed vocabularies: an unknown one is refused with the nearest that is known."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin

import pytest
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.record.acts import ActValidator, Form
from affray.engine.record.chapters import known_conditions
from affray.engine.table.scenario import packaged, play
from affray.engine.table.scenario_parts import BadScenario
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.sheet import Bonus, Rider, Sheet, Spell, Weapon
from tests.dialects.test_honoured import each_dialect, fight, filled, hints
from tests.dialects.test_states import SHARED, states_asked_for
from tests.relatives import RELATIVES

EMPTY = ("",)


def nonsense(heeded: ActValidator, kind: type[Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield each closed field of a declaration, an unknown word, and a declaration with it."""
    for name, (default, words) in heeded.closed.items():
        hint = hints(kind)[name]
        choices = get_args(hint) if get_origin(hint) is Literal else ("xyzzy",)
        word = next((one for one in choices if one not in (*EMPTY, default) and one not in words), None)
        if word is not None:
            yield name, word, replace(filled(kind), **{name: (word,) if isinstance(default, tuple) else word})


@each_dialect
def test_unknown_words_are_refused(dialect: str) -> None:
    """Every closed field of every declaration."""
    table, tried = fight(dialect), 0
    for kind, heeded in load(dialect).heeded.items():
        for name, word, act in nonsense(heeded, kind):
            outcome = table.declare(replace(act, actor=table.state.active))
            assert outcome.refused is not None, (kind, name)
            assert outcome.refused.reason.startswith(f"{dialect} knows no {name} {word!r} in "), (kind, name)
            tried += 1
    assert tried >= 4


@each_dialect
def test_what_is_said_by_default_is_known(dialect: str) -> None:
    """A closed field says something known, or nothing, where nobody says anything."""
    for kind, heeded in load(dialect).heeded.items():
        for name, (default, words) in heeded.closed.items():
            assert default in ("", (), None) or default in words, (kind, name)


@pytest.mark.parametrize(
    ("dialect", "act", "reason"),
    [
        ("srd35", acts.Move(how="squeze"), "srd35 knows no how 'squeze' in 'move', but 'squeeze'"),
        ("srd35", acts.Move(how="step"), "srd35 knows no how 'step' in 'move'"),
        ("srd35", acts.Move(how="charge"), "srd35 knows no how 'charge' in 'move'"),
        ("pf1", acts.Move(how="step"), "pf1 knows no how 'step' in 'move'"),
        ("futurepath", acts.Move(how="run"), "futurepath knows no how 'run' in 'move', but 'normal'"),
        ("woa", acts.Move(how="climbe"), "woa knows no how 'climbe' in 'move', but 'climb'"),
        ("futurepath", acts.Charge(special="sunder"), "futurepath knows no special 'sunder' in 'charge'"),
        (
            "futurepath",
            acts.FullAttack(strikes=(acts.Strike("x", special="sunder"),)),
            "futurepath knows no special 'sunder' in 'strike'",
        ),
        ("pf1", acts.Charge(part="arm"), "pf1 knows no 'part' in 'charge'"),
        ("srd35", acts.Grapple(what="arm-lock"), "srd35 knows no what 'arm-lock' in 'grapple'"),
        ("pf1", acts.Hazard(damage="lots"), "pf1 knows no damage 'lots' in 'hazard', but dice such as '2d6'"),
        ("srd35", acts.Hazard(damage="9999d9999"), "srd35 knows no damage '9999d9999' in 'hazard', but dice"),
        ("srd35", acts.Hazard(condition="dyng"), "srd35 knows no condition 'dyng' in 'hazard', but 'dying'"),
        ("srd35", acts.Hazard(skill="lissten"), "srd35 knows no skill 'lissten' in 'hazard', but 'listen'"),
        (
            "srd35",
            acts.Hazard(rider=Rider("dart", effect="1d6 strength")),
            "srd35 knows no effect '1d6 strength' in 'rider dart', but '1d6 str', '1 negative level' or a "
            "condition",
        ),
        (
            "pf1",
            acts.Aid(benefit="condition"),
            "pf1 knows no benefit 'condition' in 'aid', but 'attack', 'defense', 'check'",
        ),
        ("srd35", acts.Circumstance(changes="ac"), "srd35 knows no changes 'ac' in 'circumstance', but"),
        ("srd35", acts.Ready(then=acts.Move(how="squeze")), "srd35 knows no how 'squeze' in 'move', but"),
        (
            "woa",
            acts.Enter(conditions=("stuned",)),
            "woa knows no conditions 'stuned' in 'enter', but 'stunned'",
        ),
    ],
)
def test_the_nearest_word_is_named(dialect: str, act: Any, reason: str) -> None:
    """What was meant is said, or what there is."""
    refused = fight(dialect).declare(act).refused
    assert refused is not None
    assert refused.reason.startswith(reason), refused.reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"armor": (Bonus(2, "armour"),)}, "knows no kind 'armour' in 'bonus', but 'armor'"),
        (
            {"weapons": (Weapon("club", "1d6", family="bwo"),)},
            "knows no family 'bwo' in 'weapon club', but 'bow'",
        ),
        ({"spells": (Spell("sleep", condition="aslep"),)}, "knows no condition 'aslep' in 'spell sleep'"),
        ({"bare": ("hit point",)}, "knows no bare 'hit point' in 'sheet x', but 'hit points'"),
    ],
)
@each_dialect
def test_words_of_sheets_are_known(dialect: str, change: dict[str, Any], reason: str) -> None:
    """A sheet with an unknown word does not enter."""
    act = acts.Enter(id="late", side="a", sheet=replace(Sheet("x", 5), **change), at=(0, 0))
    refused = fight(dialect).declare(act).refused
    assert refused is not None
    assert reason in refused.reason, refused.reason


def test_scenarios_say_what_is_wrong() -> None:
    """A combatant of a scenario with a condition that nobody knows is told with the nearest one."""
    scenario = packaged("demo_srd35")
    first = replace(scenario.combatants[0], conditions=("dyng",))
    with pytest.raises(BadScenario, match="knows no conditions 'dyng' in 'enter', but 'dying'"):
        play(replace(scenario, combatants=(first, *scenario.combatants[1:])), MemoryStore())


@cache
def forms() -> tuple[Form, ...]:
    """Return every vocabulary that no list is complete of."""
    found = []
    for dialect in RELATIVES:
        for heeded in load(dialect).heeded.values():
            found += [words for _, words in heeded.closed.values() if isinstance(words, Form)]
    return tuple(found)


def test_forms_know_what_they_say() -> None:
    """Dice are dice, and nonsense is nothing."""
    assert forms()
    for form in forms():
        assert "2d6" in form
        assert "xyzzy" not in form


@each_dialect
def test_conditions_that_rules_ask_for_are_known(dialect: str) -> None:
    """Every condition that the code of a dialect asks for or brings about by its name is known to it.

    One that only shared rules ask for may be another dialect's.
    """
    known = known_conditions(load(dialect))
    anywhere = frozenset[str]().union(*(known_conditions(load(name)) for name in RELATIVES))
    unknown = {
        name: where
        for name, where in states_asked_for(dialect).items()
        if name not in (anywhere if where.startswith(SHARED) else known)
    }
    assert not unknown
