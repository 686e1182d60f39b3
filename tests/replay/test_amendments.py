"""Rulings that change what was declared, how somebody entered, or what a roll came to."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.inspect import type_info

from affray.engine.language.names import Unclear, UnknownCombatant
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts.combat import AttackResolved, CheckResolved, Moved
from affray.events.facts.flow import Declared, Refused, Rolled
from affray.events.facts.sheet import Sheet, Spell, Weapon
from affray.events.stores.memory import MemoryStore
from affray.replay.explain.disputes import Decided, rule
from affray.replay.explain.why import text, why
from affray.replay.log.playhead import state_at
from affray.replay.names import BadFigure, form_of, set_figure_in_sheet
from affray.replay.redecide.redecide import NoSuchOutcome, faces_for
from affray.replay.redecide.rulings import BadAmendment, BadRuling, Ruling
from affray.replay.whatif.what_if import what_if
from tests.replay.test_refused import ends, out_of_reach, sound
from tests.replay.test_without_effect import HIT, demo

KEY = "d10/aoo:ogre/attack/1"
"""The roll of the ogre's hit on the sorcerer as she withdraws in d10."""


def facts(store: MemoryStore, line: str) -> list[Any]:
    """Return the facts of a line."""
    return [decode(event) for event in store.read(line)]


def ruled(change: str, scope: str = "event", at: int | None = None) -> tuple[MemoryStore, Decided]:
    """Return the packaged fight with a ruling by the GM, whose line verifies, and what came of it."""
    store = demo()
    made = rule(store, "amend", "so", by="GM", changes=(change,), scope=scope, at=at)
    sound(store, made.ruling.branch)
    assert made.ruling.author == "GM"
    assert made.difference is not None
    assert made.difference.sentence.startswith("With the ruling 'so' ")
    return store, made


def declared(store: MemoryStore, line: str, id: str) -> tuple[int, Declared]:
    """Return a declaration of a line and where it stands."""
    return next(
        (event.seq, fact)
        for event in store.read(line)
        if event.type == "declared" and (fact := decode(event)).id == id
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "d10.path=6,5 5,5",
            "Ysolde withdraws to 5,5 (instead of: Ysolde withdraws to 4,6)",
        ),
        ("d8.target=fighter", "Skit attacks Brannoc (instead of: Skit attacks Ysolde)"),
        ("d8.target=Brannoc", "Skit attacks Brannoc (instead of: Skit attacks Ysolde)"),
        ("d10=attack ysolde gharm", "Ysolde attacks Gharm (instead of: Ysolde withdraws to 4,6)"),
        ('d10={"act": "stand", "actor": "Ysolde"}', "Ysolde stands up (instead of: Ysolde withdraws to 4,6)"),
        ("d10=speak 'stand back'", 'Ysolde: "stand back" (instead of: Ysolde withdraws to 4,6)'),
        ("d12.path=3,7 4,7 5,8", "Brannoc moves to 5,8, path 3,7 4,7 5,8 instead of 3,8 4,8 5,8"),
        ("d10=total-defense", "Ysolde goes on total defense (instead of: Ysolde withdraws to 4,6)"),
        (
            'd10={"act": "stand", "actor": "sorcerer"}',
            "Ysolde stands up (instead of: Ysolde withdraws to 4,6)",
        ),
    ],
)
def test_another_target_path_or_act(change: str, told: str) -> None:
    """The declaration stands on the new line as it was ruled, said by the ruling, and why explains it."""
    store, made = ruled(change)
    id = change.split("=")[0].split(".")[0]
    seq, first = declared(store, made.ruling.branch, id)
    assert first.by == "ruling:R1"
    assert made.difference is not None
    assert told in made.difference.sentence
    assert [one.id for one in why(store, made.ruling.branch, seq + 1).rulings] == ["R1"]
    assert "R1  amended by GM" in text(why(store, made.ruling.branch, seq + 1))
    assert (made.ruling.subject, made.ruling.changes) == (id, (change,))


def test_the_rest_falls_as_it_did() -> None:
    """With another path the same opportunity shows the same faces."""
    store, made = ruled("d10.path=6,5 5,5")
    shown = [
        {one.key: one.faces for one in facts(store, line) if type(one) is Rolled}
        for line in ("main", made.ruling.branch)
    ]
    assert shown[1][KEY] == shown[0][KEY]
    assert all(shown[0][key] == shown[1][key] for key in shown[0].keys() & shown[1].keys())


@pytest.mark.parametrize(("where", "order"), [("before", ["d10.1", "d10"]), ("after", ["d10", "d10.1"])])
def test_a_declaration_put_before_or_after_another(where: str, order: list[str]) -> None:
    """It has an id of its own, stands where it was put, and is decided like all others."""
    store, made = ruled(f"{where} d10: speak fighter 'stand back'")
    ids = [one.id for one in facts(store, made.ruling.branch) if type(one) is Declared]
    assert ids[ids.index(order[0]) :][:2] == order
    seq, first = declared(store, made.ruling.branch, "d10.1")
    assert (first.act.actor, first.by) == ("fighter", "ruling:R1")
    assert made.difference is not None
    assert 'Brannoc: "stand back"' in made.difference.sentence
    assert [one.id for one in why(store, made.ruling.branch, seq).rulings] == ["R1"]
    again = rule(
        store, "amend", "so", changes=(f"{where} d10: speak fighter hush",), branch=made.ruling.branch
    )
    assert "d10.2" in [one.id for one in facts(store, again.ruling.branch) if type(one) is Declared]
    sound(store, again.ruling.branch)


def test_the_attack_of_opportunity_that_nobody_offered() -> None:
    """Put before a declaration it is taken at once, with dice of its own; the rest falls as it did."""
    store, made = ruled("before d18: opening goblin opponent=fighter reason='turns its back'")
    line = made.ruling.branch
    at, blow = next(
        (event.seq, fact)
        for event in store.read(line)
        if event.type == "attack.resolved" and (fact := decode(event)).key.startswith("d18.1/aoo:fighter/")
    )
    assert (blow.attacker, blow.target) == ("fighter", "goblin")
    assert made.difference is not None
    assert "Brannoc gets an opening at Skit" in made.difference.sentence
    explained = text(why(store, line, at))
    assert "R1  amended by GM" in explained
    assert "Skit turns its back and provokes Brannoc" in explained


def test_what_the_rules_refuse_is_refused_on_the_new_line_too() -> None:
    """An act put in that is illegal is refused, and told so; it counts among the refused."""
    store, made = ruled("before d10: attack ogre fighter")
    assert made.whatif is not None
    (id,) = made.whatif.refused
    assert id.startswith("x")
    assert type(ends(store, made.ruling.branch)[id]) is Refused


def test_a_refused_declaration_with_its_slip_corrected_is_played() -> None:
    """Where the declaration itself is changed nothing has to be revived."""
    store, id, _ = out_of_reach()
    made = rule(store, "amend", "she meant to walk", changes=(f"{id}=move 2,1 3,1",))
    assert made.whatif is not None
    assert not made.whatif.allowed
    assert any(type(one) is Moved and one.who == "fighter" for one in facts(store, made.ruling.branch))
    sound(store, made.ruling.branch)


def test_two_declarations_swapped() -> None:
    """Both are said by the ruling, in the other order; across turns nothing can be swapped."""
    store, made = ruled("swap d17 d18")
    ids = [one.id for one in facts(store, made.ruling.branch) if type(one) is Declared]
    assert ids[ids.index("d18") :][:2] == ["d18", "d17"]
    assert made.difference is not None
    assert "Skit attacks Brannoc with morningstar at another moment" in made.difference.sentence
    for id in ("d17", "d18"):
        seq, first = declared(store, made.ruling.branch, id)
        assert first.by == "ruling:R1"
        assert [one.id for one in why(store, made.ruling.branch, seq).rulings] == ["R1"]
    with pytest.raises(BadAmendment, match="not two declarations of one turn"):
        rule(store, "amend", "so", changes=("swap d10 d17",))


@pytest.mark.parametrize("who", ["sorcerer", "Ysolde"])
def test_a_figure_of_a_sheet_corrected_from_the_start(who: str) -> None:
    """The blow meets the corrected armor, and why names the ruling wherever the sorcerer has a part."""
    store, made = ruled(f"{who}.sheet.armor.mage armor=9")
    line = made.ruling.branch
    assert made.difference is not None
    told = "Ysolde enters with armor mage armor 9 instead of 4; "
    assert told in made.difference.sentence
    at, blow = next(
        (event.seq, fact)
        for event in store.read(line)
        if event.type == "attack.resolved" and (fact := decode(event)).key == KEY
    )
    assert blow.result == "miss"
    assert [part.value for part in blow.defense if part.source == "mage armor"] == [9]
    assert [one.id for one in why(store, line, at).rulings] == ["R1"]
    other = next(
        event.seq
        for event in store.read(line, at)
        if event.type == "attack.resolved"
        and {decode(event).attacker, decode(event).target} == {"ogre", "fighter"}
    )
    assert not why(store, line, other).rulings


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("sorcerer.hp=20", "Ysolde enters with hp 20 instead of the usual"),
        ("sorcerer.at=1,1", "Ysolde enters with at 1,1 instead of 7,6"),
        ("goblin+prone", "Skit enters with conditions prone instead of none"),
        ("goblin.sheet.hp=20", "Skit enters with hp of the sheet 20 instead of 11"),
    ],
)
def test_hit_points_places_and_conditions_from_the_start(change: str, told: str) -> None:
    """With the scope fight they are those with which somebody enters."""
    store, made = ruled(change, scope="fight")
    assert made.difference is not None
    assert told in made.difference.sentence
    state = state_at(store, made.ruling.branch, 12)
    assert state.combatants["sorcerer"].at == ((1, 1) if "at" in change.split("=")[0] else (7, 6))
    seq = next(event.seq for event in store.read(made.ruling.branch) if event.type == "attack.resolved")
    explained = text(why(store, made.ruling.branch, seq))
    fact = next(decode(event) for event in store.read(made.ruling.branch, seq - 1))
    concerned = change.startswith((fact.attacker, fact.target))
    assert ("R1  amended by GM" in explained) == concerned


@pytest.mark.parametrize("roll", ["attack", KEY])
@pytest.mark.parametrize(
    ("word", "face", "result"), [("miss", 9, "miss"), ("failure", 9, "miss"), ("hit", 13, "hit")]
)
def test_a_roll_by_word(roll: str, word: str, face: int, result: str) -> None:
    """The face is the nearest one that comes to it, its own if that does; its provenance is the ruling."""
    store, made = ruled(f"{roll}={word}", at=HIT)
    found = {
        one.key: one for one in facts(store, made.ruling.branch) if type(one) in (Rolled, AttackResolved)
    }
    assert found[KEY].result == result
    rolled = next(one for one in facts(store, made.ruling.branch) if type(one) is Rolled and one.key == KEY)
    assert (rolled.faces, rolled.provenance) == ((face,), "ruling:R1")


def test_what_ifs_change_declarations_too() -> None:
    """Without an author nothing is in the register; the declarations are said by the what-if."""
    store = demo()
    made = what_if(store, ruling=Ruling("so", ("d10.path=6,5 5,5",)))
    assert declared(store, made.name, "d10")[1].by == "what-if"
    again = what_if(store, made.name, at=HIT, ruling=Ruling("so", ("attack=miss",)))
    for name in (made.name, again.name):
        sound(store, name)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ("d99.target=ogre", BadAmendment, "no declaration 'd99'"),
        ("d8.target=sorcerer", BadAmendment, "this is the case already"),
        ("d8.target=orge", UnknownCombatant, "no combatant 'orge' in this fight; did you mean ogre"),
        ("d8.path=1,1", Unclear, "'attack' has no 'path'; did you mean at"),
        ("d10.path=here", Unclear, "'here'"),
        ("d10=fly away", Unclear, "no act 'fly'"),
        ("d10=stand 1 2 3", Unclear, "unexpected words"),
        ("before d10: {no", Unclear, "not JSON"),
        ("nobody.sheet.hp=3", BadAmendment, "there are fighter, sorcerer"),
        ("sorcerer.sheet.armor.plate=6", BadFigure, "there are mage armor, ring of protection"),
        ("sorcerer.sheet.armor=6", BadFigure, "name a figure of it"),
        (
            "sorcerer.sheet.initiative=20",
            BadFigure,
            r'initiative=20: give it whole, .* initiative=\[{"value":2',
        ),
        ("sorcerer.sheet.initiative=[4]", BadFigure, r'it has the form initiative=\[{"value":2'),
        ("sorcerer.sheet.initiative=[4", BadFigure, r'truncated; it has the form initiative=\[{"value":2'),
        ("sorcerer.sheet.wings=2", BadFigure, "no 'wings'; did you mean thing.*; all: affray blame"),
        ("sorcerer.sheet.hp=many", BadFigure, "Expected `int`"),
        ("swap d10 d10", BadAmendment, "not two declarations"),
    ],
)
def test_mistakes_are_named_and_leave_nothing(change: str, error: type[AffrayError], message: str) -> None:
    """The error says what there is; no branch and no event has been added."""
    store = demo()
    before = store.head("main")
    with pytest.raises(error, match=message):
        rule(store, "amend", "so", changes=(change,))
    assert [branch.name for branch in store.branches()] == ["main"]
    assert store.head("main") == before


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        (("save=success",), NoSuchOutcome, f"no roll 'save' was made.*{KEY}"),
        (("d8.target=fighter", "ogre.attack+1"), BadRuling, "two rulings"),
    ],
)
def test_what_no_roll_is_called_and_what_are_two_rulings(
    changes: tuple[str, ...], error: type[AffrayError], message: str
) -> None:
    """A word for a roll that nobody made lists the rolls; one ruling changes one moment."""
    with pytest.raises(error, match=message):
        rule(demo(), "amend", "so", changes=changes, at=HIT)


def test_no_face_can_do_it() -> None:
    """Where even a 20 on the die does not help, the error says so; of several rolls it asks for the key."""

    def trial(changes: Mapping[str, tuple[int, ...]]) -> list[Any]:
        face = changes.get("d1/a/save/1", (7,))[0]
        return [
            Rolled("d1/a/save/1", "a", "1d20", (face,), face, "seeded", ""),
            CheckResolved(
                who="a",
                check="c",
                key="d1/a/save/1",
                natural=face,
                total=face,
                dc=40,
                success=False,
                parts=(),
            ),
        ]

    with pytest.raises(NoSuchOutcome, match=r"no result of d1/a/save/1 \(1d20\) makes it a success"):
        faces_for("save", "success", trial)
    assert faces_for("save", "failure", trial) == ("d1/a/save/1", (7,))


PARTED = [one.encode_name for one in type_info(Sheet).fields if form_of(one.encode_name)]


@pytest.mark.parametrize("path", [*PARTED, "weapons.axe.extra", "spells.bolt.grants", "save_bonuses.all"])
def test_a_figure_with_parts_is_told_by_an_example_that_can_be_typed(path: str) -> None:
    """Whoever gives a plain number is shown the form, and what is shown can be said so."""
    sheet = Sheet("Ysolde", 3, weapons=(Weapon("axe", "1d6"),), spells=(Spell("bolt"),))
    with pytest.raises(BadFigure, match="give it whole, for example ") as told:
        set_figure_in_sheet(sheet, path, "20")
    example = str(told.value).partition(f"for example {path}=")[2]
    assert set_figure_in_sheet(sheet, path, example) != sheet


def test_many_figures_have_parts() -> None:
    """Lists of parts, parts by name and parts of one thing; a plain list of names is none of them."""
    assert {"initiative", "skills", "saves", "thing", "worn"} <= {*PARTED}
    assert {"feats", "hp", "size", "max_dex"}.isdisjoint(PARTED)
