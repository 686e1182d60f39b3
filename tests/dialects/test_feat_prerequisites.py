"""What feats ask for: the table of each dialect says all that the texts of its rules say, and it is asked."""

import re
from collections.abc import Callable, Collection, Iterator

import pytest

from affray.engine.book.rules import Demands
from affray.engine.dialects import load
from affray.engine.rules.classes.checks import find_unmet_prerequisite, prerequisites_of
from affray.events.facts.sheet import Abilities, Sheet, Weapon, Worn

DIALECTS = ("srd35", "pf1")
#: Feats that rules look for and that ask for nothing, by the published rules of both dialects or of one.
FREE = {
    # That of srd35 asks for a base attack bonus.
    *("weapon finesse",),
    *("agile maneuvers", "arcane strike", "blind-fight", "combat casting", "combat reflexes"),
    *("defensive combat training", "endurance", "fleet", "improved counterspell", "improved initiative"),
    *(
        "improved unarmed strike",
        "point blank shot",
        "run",
        "spell focus (*)",
        "spell penetration",
        "toughness",
    ),
}


def texts(dialect: str) -> list[tuple[str, str]]:
    """Return the ids and texts of the rules on feats."""
    rules = {one.rule for one in load(dialect).book.prerequisites.values()}
    return [(rule.id, rule.text) for rule in load(dialect).book if rule.id in rules or ".feat." in rule.id]


def demands_in(text: str, feats: Collection[str]) -> Iterator[tuple[str, Callable[[Demands], bool]]]:
    """Yield the prerequisites that a text names in brackets, each with what a feat that asks for it has."""
    for part in (part for said in re.findall(r"\(([^)]*)\)", text) for part in re.split(r"[,;] ?", said)):
        found = re.fullmatch(
            r"(?P<score>Str|Dex|Con|Int|Wis|Cha) (?P<least>\d+)|(?:base attack bonus )?\+(?P<bonus>\d+)"
            r"|(?P<name>fighter) (?P<level>\d+)|(?P<skill>Ride) (?P<ranks>\d+) rank|three (?P<hands>hands)",
            part,
        )
        said = found.groupdict("") if found else {}
        name = part.removesuffix(" line").casefold()
        if not found and name in feats and name != "run":  # the gait, not the feat
            yield part, lambda one, name=name: name in one.feats
        elif said.get("score"):
            yield part, lambda one, said=said: one.abilities.get(said["score"].lower()) == int(said["least"])
        elif said.get("bonus"):
            yield part, lambda one, said=said: one.base_attack == int(said["bonus"])
        elif said.get("level"):
            yield part, lambda one, said=said: one.levels.get(said["name"]) == int(said["level"])
        elif said.get("skill"):
            yield part, lambda one, said=said: one.ranks.get(said["skill"].lower()) == int(said["ranks"])
        elif said.get("hands"):
            yield part, lambda one: one.hands == 3


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_table_has_every_demand_of_the_texts(dialect: str) -> None:
    """What the text of a rule names in brackets as a prerequisite is asked by a feat of that rule."""
    table, read = load(dialect).book.prerequisites, load(dialect).classes.sheet_names.feats
    missing, counted = [], 0
    for rule, text in texts(dialect):
        asked = [one for one in table.values() if one.rule == rule]
        for part, is_asked in demands_in(text, read | table.keys()):
            counted += 1
            if not any(map(is_asked, asked)):
                missing.append(f"{rule}: {part}")
    assert missing == []
    assert counted > 30


def test_the_maneuvers_ask_as_their_rule_says() -> None:
    """The prerequisites that are printed for several maneuvers together are asked by each of them."""
    book = load("pf1").book
    said = book["pf1.feat.maneuver-improved"].text.partition("Prerequisites: ")[2].rstrip(".")
    for part in said.split("; "):
        wanted, _, maneuvers = part.partition(" for ")
        for maneuver in maneuvers.split(", "):
            asked = book.prerequisites[f"improved {maneuver}"]
            assert wanted.partition(" and ")[0].casefold() in asked.feats, part


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_feat_that_is_read_asks_or_is_free(dialect: str) -> None:
    """No rule looks for a feat of which nothing is known: it has a row of the table or asks for nothing."""
    known = load(dialect).book.prerequisites
    read = load(dialect).classes.sheet_names.feats
    assert {feat for feat in read if prerequisites_of(known, feat) is None} - FREE == set()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_row_cites_a_rule_of_its_dialect(dialect: str) -> None:
    """A row names a rule that the catalogue has, and feats that other rules know."""
    book = load(dialect).book
    for one in book.prerequisites.values():
        assert one.rule in book, one.name


BOW = Weapon("longbow", "1d8", proficient=False)
BITE, CLAWS = (
    Weapon("bite", "1d6", wield="natural"),
    Weapon("claws", "1d4", wield="natural", traits=("attacks 2",)),
)


@pytest.mark.parametrize(
    ("dialect", "feat", "sheet", "lacks"),
    [
        ("srd35", "power attack", Sheet("A", 5, abilities=Abilities(str=12)), "Strength 13"),
        ("pf1", "power attack", Sheet("A", 5, abilities=Abilities(str=13)), "base attack bonus +1"),
        (
            "srd35",
            "great cleave",
            Sheet("A", 5, abilities=Abilities(str=13), base_attack=4),
            "the feat Cleave",
        ),
        ("srd35", "flyby attack", Sheet("A", 5), "a fly speed"),
        ("srd35", "flyby attack", Sheet("A", 5, fly=40), ""),
        ("srd35", "multiattack", Sheet("A", 5, weapons=(BITE,)), "3 natural attacks"),
        ("pf1", "multiattack", Sheet("A", 5, weapons=(BITE, CLAWS)), ""),
        ("pf1", "multiweapon fighting", Sheet("A", 5, abilities=Abilities(dex=13)), "3 hands"),
        (
            "srd35",
            "weapon focus (longbow)",
            Sheet("A", 5, base_attack=1, weapons=(BOW,)),
            "proficiency with the longbow",
        ),
        ("srd35", "weapon focus (net)", Sheet("A", 5, base_attack=1, weapons=(BOW,)), ""),
        (
            "pf1",
            "improved shield bash",
            Sheet("A", 5, worn=(Worn("buckler", kind="shield", proficient=False),)),
            "proficiency with shields",
        ),
        ("pf1", "improved shield bash", Sheet("A", 5), ""),
        ("srd35", "mounted combat", Sheet("A", 5, ranks={"ride": 0}), "1 rank in Ride"),
        ("srd35", "mounted combat", Sheet("A", 5, skills={"ride": 4}), ""),
        ("pf1", "disruptive", Sheet("A", 5, classes={"fighter": 5}), "fighter level 6"),
        (
            "srd35",
            "extra turning",
            Sheet("A", 5, traits=("turn resistance 4",)),
            "the class feature turn or rebuke",
        ),
        ("srd35", "extra turning", Sheet("A", 5, traits=("rebuke undead",)), ""),
        (
            "pf1",
            "turn undead",
            Sheet("A", 5, classes={"paladin": 3}),
            "the class feature channel positive energy or paladin 4",
        ),
        ("pf1", "turn undead", Sheet("A", 5, classes={"paladin": 4}), ""),
        ("srd35", "exotic weapon proficiency (bastard sword)", Sheet("A", 5, base_attack=1), "Strength 13"),
        ("srd35", "exotic weapon proficiency (whip)", Sheet("A", 5, base_attack=1), ""),
        ("srd35", "dodge", Sheet("A", 5, abilities=Abilities(dex=8), traits=("bonus feat dodge",)), ""),
        ("pf1", "dodge", Sheet("A", 5, abilities=Abilities(dex=8), classes={"monk": 1}), ""),
    ],
)
def test_what_a_sheet_lacks(dialect: str, feat: str, sheet: Sheet, lacks: str) -> None:
    """Each kind of demand is asked of a sheet that says something of it, and of no other."""
    table = load(dialect).book.prerequisites
    assert find_unmet_prerequisite(table, sheet, sheet.feats, feat) == lacks


def test_size_counts_from_large_on() -> None:
    """An Awesome Blow takes a Large creature, whatever its Strength."""
    table = load("srd35").book.prerequisites
    feats = ("power attack", "improved bull rush", "awesome blow")
    small, large = (
        Sheet("A", 5, size=size, abilities=Abilities(str=25), feats=feats) for size in ("medium", "large")
    )
    assert find_unmet_prerequisite(table, small, feats, "awesome blow") == "size Large"
    assert find_unmet_prerequisite(table, large, feats, "awesome blow") == ""
