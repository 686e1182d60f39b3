"""Why: every event is explained down to its dice, its modifiers and its rules."""

import pytest

from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import OUTCOMES
from affray.events.facts.flow import InitiativeRolled
from affray.events.facts.sheet import Modifier
from affray.events.stores.store import Store
from affray.projections import sentence as sentences
from affray.projections.audit import explain
from affray.projections.sentence import sentence
from affray.replay.explain.why import text, why
from affray.replay.log.declarations import groups
from affray.replay.redecide.rulings import Ruling
from affray.replay.whatif.what_if import what_if
from tests.replay.fights import fought

STORE = fought(rounds=6, seed=b"d").store


def seqs(store: Store, type: str, branch: str = "main") -> list[int]:
    """Return the positions of the events of a type."""
    return [event.seq for event in store.read(branch) if event.type == type]


@pytest.mark.parametrize("seq", range(1, STORE.head("main").seq + 1))
def test_every_event_is_explained(seq: int) -> None:
    """The chain leads from the declaration to the event, in order, and everything cited is worded."""
    found = why(STORE, "", seq)
    it = found.explanation
    event = next(iter(STORE.read("main", seq - 1, seq)))
    assert [link.seq for link in it.chain] == sorted({link.seq for link in it.chain})
    assert it.chain[-1].seq == seq
    assert it.chain[0].seq == event.cause
    fact = decode(event)
    assert set(getattr(fact, "cites", ())) <= {rule.id for rule in found.rules}
    assert all(rule.title and rule.text for rule in found.rules)
    shown = text(found, 80)
    named = it.sentence
    for id, name in found.names.items():
        named = named.replace(id, name)
    assert " ".join(named.split())[1:30] in " ".join(shown.split())
    assert "{" not in shown
    assert not it.actor or f": {it.act}" not in shown


def test_hit_points_lead_back_to_the_attack() -> None:
    """Lost hit points are explained by the damage, the hit, both rolls and the attack of opportunity."""
    seq = next(
        seq
        for seq in seqs(STORE, "hit-points.changed")
        if any(link.type == "reaction.spent" for link in why(STORE, "", seq).explanation.chain)
    )
    it = why(STORE, "", seq).explanation
    types = [link.type for link in it.chain]
    assert types[0] == "declared"
    order = ["opportunity.provoked", "chosen", "reaction.spent", "attack.resolved", "damage.resolved"]
    assert [type for type in types if type in order] == order
    assert {die.key.split("/")[-2] for die in it.dice} >= {"attack", "damage"}
    assert all("/aoo:" in die.key for die in it.dice)
    sides = {part.side for part in it.parts}
    assert {"attack", "defense"} <= sides


def test_only_the_dice_of_the_outcome_are_shown() -> None:
    """An attack is explained by its own roll and no other of the same declaration."""
    for group in groups(STORE.read("main")):
        for event in group:
            if event.type == "attack.resolved":
                it = explain(group, event.seq)
                assert [die.key for die in it.dice] == [decode(event).key]
                assert sum(part.value for part in it.parts if part.side == "defense" and not part.denied) == (
                    decode(event).needed
                )


def test_initiative_decides_the_order() -> None:
    """The order of turns follows from everybody's initiative and their dice."""
    it = why(STORE, "", seqs(STORE, "order.set")[0]).explanation
    assert len(it.dice) == 4
    assert [link.type for link in it.chain].count("initiative.rolled") == 4


def test_an_initiative_that_nobody_rolled_is_told_as_no_sum() -> None:
    """A roll is told with what it adds up from, a given initiative as given, a shared one with whom."""
    about = {"key": "", "modifier": 2, "parts": ()}
    shared = Modifier(2, "group", "one check with gharm", "woa.initiative.monsters")
    told = {
        "ysolde has initiative 15 (13 +2)": InitiativeRolled(who="ysolde", natural=13, total=15, **about),
        "ysolde has initiative 20 (given)": InitiativeRolled(who="ysolde", natural=0, total=20, **about),
        "urk has initiative 9 (one check with gharm)": InitiativeRolled(
            who="urk", natural=0, total=9, **{**about, "parts": (shared,)}
        ),
    }
    assert {sentence(fact): fact for fact in told.values()} == told


def test_a_refusal_names_its_rule() -> None:
    """A refused declaration is explained by its reason and the rule."""
    found = why(STORE, "", seqs(STORE, "refused")[0])
    assert found.explanation.sentence.startswith("refused: ")
    assert found.rules
    assert found.explanation.act


def test_modifiers_that_do_not_count_are_shown_with_the_reason() -> None:
    """A denied Dexterity bonus stands among the parts, apart from the sum."""
    seq = next(seq for seq in seqs(STORE, "attack.resolved") if any(p.denied for p in parts(seq)))
    shown = text(why(STORE, "", seq))
    assert "does not count: " in shown
    assert any(part.denied and part.denied in shown.replace("\n", " ") for part in parts(seq))


def parts(seq: int) -> list[object]:
    """Return the parts of an event's explanation."""
    return list(why(STORE, "", seq).explanation.parts)


def test_contested_readings_show_which_one_is_in_force() -> None:
    """A rule that can be read two ways is told with the reading that held at that event."""
    seq = next(seq for seq in seqs(STORE, "hit-points.changed"))
    (line,) = [one for one in why(STORE, "", seq).contested if one.option == "death_line"]
    assert line.default
    made = what_if(STORE, reading={"death_line": "minus-constitution"}, name="con")
    seq = seqs(STORE, "hit-points.changed", made.name)[0]
    (line,) = [one for one in why(STORE, made.name, seq).contested if one.option == "death_line"]
    assert (line.reading, line.default) == ("minus-constitution", False)
    assert "chosen for this encounter" in text(why(STORE, made.name, seq))


def test_a_ruling_explains_itself() -> None:
    """A modifier that was ruled is shown as such, and the ruling's words with it."""
    seq = seqs(STORE, "attack.resolved")[0]
    target = decode(next(iter(STORE.read("main", seq - 1, seq)))).target
    made = what_if(STORE, at=seq, ruling=Ruling("behind a tree", (f"{target}.defense+4:cover",)))
    shown = text(why(STORE, made.name, seqs(STORE, "attack.resolved", made.name)[0]))
    assert "behind a tree (cover)" in shown
    assert "by ruling" in shown
    shown = text(why(STORE, made.name, seqs(STORE, "ruled", made.name)[0]))
    assert "behind a tree" in shown


def test_every_fact_has_one_line() -> None:
    """Whatever happened is said in one line without markup, by name and not by structure."""
    for event in STORE.read("main"):
        said = sentence(decode(event))
        assert said
        assert "\n" not in said
        assert "Struct" not in said


def test_an_event_that_does_not_exist_is_said() -> None:
    """The error tells how far the line goes."""
    with pytest.raises(AffrayError, match="there is no event 9999: 'main' goes from 1 to"):
        why(STORE, "", 9999)


def test_every_kind_of_fact_has_a_sentence() -> None:
    """No outcome is told as a list of its fields; what is declared, rolled and chosen is told by its own."""
    told = {*sentences._SENTENCES, *sentences._WORDED}
    assert [kind.__name__ for kind in OUTCOMES if kind not in told] == []
