"""A change that changes nothing says why, each kind in its own words."""

import pytest

from affray.engine.table.scenario import packaged, play
from affray.events.codec import decode
from affray.events.stores.memory import MemoryStore
from affray.replay.difference import diff
from affray.replay.explain.disputes import rule
from affray.replay.explain.why import text, why
from affray.replay.redecide.rulings import Ruling
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import UnknownKey, what_if
from tests.replay.test_refused import out_of_reach

HIT = 52
"""The packaged fight's hit of the ogre on the sorcerer, with 13 on the die for 20 against 17."""


def demo() -> MemoryStore:
    """Return the packaged fight."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    return store


NOTHING = "With the ruling 'so' nothing else changes: "


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("sorcerer.defense+2:armor", "the +2 armor does not count next to the mage armor (+4, armor)"),
        ("ogre.attack+1:luck", "the +1 luck counts, but still Gharm hits Ysolde (21 against 17)"),
        (
            "fighter.attack+1:luck",
            "the +1 luck is never used, as Brannoc makes no attack while it lasts",
        ),
        (
            "sorcerer.save.will+1",
            "the +1 ruling is never used, as Ysolde makes no Will save while it lasts",
        ),
        (
            "ogre.attack-flanking",
            "no 'flanking' is among the modifiers to the attack of Gharm: base attack bonus, Strength, large",
        ),
        ("goblin.damage-strength", "there is no 'strength' to remove, as Skit deals no damage while the"),
        ("sorcerer.defense-dexterity", "even without the +2 of Dexterity Gharm hits Ysolde (20 against 15)"),
        ("d10/aoo:ogre/attack/1=13", "Gharm's attack roll showed 13 already"),
        (
            "d10/aoo:ogre/attack/1=hit",
            "Gharm's attack roll was a hit already: Gharm hits Ysolde (20 against 17)",
        ),
        ("d10/aoo:ogre/attack/1=14", "with 14 instead of 13 Gharm hits Ysolde (21 against 17) as before"),
        ("d10/aoo:ogre/take/1=take", "Gharm chose take already"),
        ("ogre.hp=37", "Gharm has 37 hit points already"),
        ("soft_cover=none", "no outcome depends on soft_cover = none"),
        ("soft_cover=ranged-and-reach", "soft_cover is ranged-and-reach already"),
    ],
)
def test_each_change_has_its_own_reason(change: str, reason: str) -> None:
    """The sentence of difference names what was given, taken or set, and why nothing comes of it."""
    store = demo()
    made = rule(store, "amend", "so", at=HIT, changes=(change,))
    assert made.difference is not None
    sentence = made.difference.sentence
    assert sentence.startswith(NOTHING + reason), sentence
    assert verify(store, made.ruling.branch).ok


@pytest.mark.parametrize("change", ["d10/aoo:ogre/attack/1=hit", "d10/aoo:ogre/attack/1=13", "ogre.hp=37"])
def test_a_ruling_without_effect_is_not_promoted(change: str) -> None:
    """The main line stays as it is; one that may matter to later declarations is promoted."""
    store = demo()
    head = store.head("main")
    made = rule(store, "amend", "so", at=HIT, changes=(change,), promoting=True)
    assert made.difference is not None
    assert made.difference.no_effect
    assert not made.promoted
    assert (store.main_line(), store.head("main")) == ("main", head)
    later = rule(
        store, "amend", "so", at=HIT, changes=("sorcerer.save.will+1",), scope="onward", promoting=True
    )
    assert later.promoted


def test_a_ruling_that_changes_a_sum_is_promoted() -> None:
    """The outcome is the same, but the record has another total."""
    store = demo()
    assert rule(store, "amend", "so", at=HIT, changes=("ogre.attack+1:luck",), promoting=True).promoted
    assert store.main_line() == "ruling-R1"


def test_a_sentence_ends_once() -> None:
    """Also where its last word is an abbreviation, as the distance of a shot."""
    store = MemoryStore()
    play(packaged("gunfight"), store)
    made = rule(store, "amend", "so", at=187, changes=("slade.attack-flanking",))
    assert made.difference is not None
    assert made.difference.sentence.endswith("Dexterity, range 60 ft.")


def test_what_if_says_it_too() -> None:
    """A what-if without an author says the same of the same change, a reading and a die of their own."""
    store = demo()
    asked = what_if(store, at=HIT, ruling=Ruling("so", ("sorcerer.defense+2:armor",)))
    assert "does not count next to the mage armor" in diff(store, "main", asked.name).sentence
    asked = what_if(store, reading={"soft_cover_blocks_aoo": "off"})
    assert "no outcome depends on soft_cover_blocks_aoo = off" in diff(store, "main", asked.name).sentence
    asked = what_if(store, faces={"d10/aoo:ogre/attack/1": (12,)})
    told = diff(store, "main", asked.name).sentence
    assert "with 12 instead of 13 Gharm hits Ysolde (19 against 17)" in told


def test_a_place_and_a_condition_that_hold_already() -> None:
    """Putting somebody where it stands, and a condition on whoever has it, says so."""
    store, _, at = out_of_reach()
    made = rule(store, "amend", "so", at=at, changes=("ogre.at=9,1",))
    assert made.difference is not None
    assert made.difference.sentence == f"{NOTHING}Ogre is at 9,1 already."
    first = rule(store, "amend", "so", at=at, changes=("ogre+prone",), scope="onward")
    again = rule(store, "amend", "so", at=at + 2, changes=("ogre+prone",), branch=first.ruling.branch)
    assert again.difference is not None
    assert again.difference.sentence == f"{NOTHING}Ogre is prone already."


def test_striking_out_what_was_never_played() -> None:
    """To overturn a refused declaration changes nothing, for it never was."""
    store, id, at = out_of_reach()
    made = rule(store, "overturn", "so", at=at)
    assert made.difference is not None
    assert made.difference.sentence.startswith(f"{NOTHING}{id} was never played: Ogre is 40 ft. away")


def test_beside_a_change_that_has_an_effect() -> None:
    """Of two changes the one without effect is listed, and only that one."""
    store = demo()
    changes = ("sorcerer.defense+4:cover", "sorcerer.save.will+1:luck")
    made = rule(store, "amend", "so", at=HIT, changes=changes)
    assert made.difference is not None
    assert "misses" in made.difference.sentence
    assert made.difference.idle == ["the +1 luck is never used, as Ysolde makes no Will save while it lasts"]


def test_why_and_errors_show_keys_that_work() -> None:
    """The key of each choice that why shows changes that choice; an unknown key names what there is."""
    store = demo()
    key = "d10/aoo:ogre/take/1"
    chosen = next(e.seq for e in store.read("main") if e.type == "chosen" and decode(e).key == key)
    for seq in (chosen, chosen + 1):
        told = text(why(store, "main", seq))
        assert [line.strip() for line in told.splitlines()].count(key) == 1
    made = rule(store, "amend", "calm", at=chosen, changes=(f"{key}=decline",))
    assert made.difference is not None
    assert made.difference.sentence.startswith("With the ruling 'calm' Gharm chooses decline instead of take")
    with pytest.raises(UnknownKey, match=rf"rolls: d10/aoo.*; choices: {key}"):
        rule(store, "amend", "calm", at=chosen, changes=("d10/ogre/take/1=decline",))
