"""The catalogues themselves: complete, worded, and consistent with their contested rules."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from affray.engine.book import Book, dialects, read_tables
from affray.engine.book.catalogue import read_contested, read_rules

INVENTORY = {
    "futurepath": ("futurepath",),
    "pf1": ("pf1", "pf1_standard"),
    "srd35": ("srd35", "srd35_standard"),
    "srd52": ("srd52",),
    "woa": ("woa",),
}
#: Figures of the inventory that the catalogue corrects, because the rule text says otherwise: id -> reason.
CORRECTED: dict[str, str] = {
    "srd52.classes.progression": "its columns, printed for levels 1 to 5 there, go on to level 20 here",
    "srd52.conditions.exhaustion-cumulative": "the table of levels before this edition is an option",
    "srd52.monster.xp-by-cr": "its rows go on to CR 30 here, with the budget of an encounter",
    "woa.crowd.cumulative": "one other is woa.crowd.same-size-penalty, how many fit woa.crowd.max-same-size",
    "woa.ganging-up.attacker-limits": "the number of an illustration decides nothing",
    "woa.posture.modifier-table": "standing, crouching and prone have rules of their own",
    "woa.squeezing.escape-artist": "half of one's own space stands at woa.squeezing.space",
    "woa.disarm.snatch-secured": "the +8 in all is the +4 for worn things and the +4 that stands here",
    "woa.maneuver.overrun.action-cost": "the +2 of a charge stands with woa.maneuver.overrun.charge",
    "woa.damage.example-krusk": "what it illustrates stands elsewhere; it decides how halves are rounded",
    "woa.save.superior-success-half-damage": "the margin stands with woa.save.superior-success",
    "woa.save.catastrophic-failure-half-damage": "the margin stands with woa.save.catastrophic-failure",
    "woa.called-shot.difficulty-table": "the penalties stand with each difficulty",
    "woa.injury.table": "the printed entries stand with the rules that name them",
    "woa.injury.roll.modifiers": "the modifiers stand with their own rules; here that they add up",
    "woa.injury.roll.size": "what each size makes of it follows from the factor",
    "woa.nonlethal.less-injury": "the modifier stands with woa.injury.roll.nonlethal",
    "woa.healing.night-rest": "the numbers of the formula stand as figures",
    "woa.bleeding.severity-die": "the chance of a 1 follows from the die",
    "woa.knocked-out.untreated": "its modifiers stand with those of treatment and timing",
    "woa.nonlethal.zero-hp": "the examples follow from the formula",
    "woa.condition.paralyzed": "what a Dexterity of 0 is worth is a figure",
    "woa.zero-hp.save-modifier": "that the total is 0 or less is no figure of its own",
    "woa.zero-hp.strenuous-hp-loss": "the hit point stands as a figure of its own",
    "futurepath.action.run.ranged-defense": "it is futurepath.modifier.defender-running's",
    "futurepath.attack.firearm.longarm-adjacent": "the figure is futurepath.attack.ranged.longarm-adjacent's",
    "futurepath.attack.range-maximum.projectile": "the figure stands at futurepath.attack.ranged.max-range",
    "futurepath.attack.range-maximum.thrown": "the figure stands at futurepath.attack.ranged.max-range",
    "futurepath.concealment.total-guess-location": "the chance stands in futurepath.table.concealment",
    "futurepath.table.hit-point-thresholds": "the figures stand with the rules of each state",
    "pf1.attack-action.into-melee": "the two size differences of the wording stand as figures too",
    "pf1.attack-mod.table": "the figures of its rows stand once, under the rule of each row that has one",
    "pf1.ac-mod.table": "the figures of its rows stand once, under the rule of each row that has one",
    "pf1.cond.cowering": "that there are no actions is no number of them",
    "pf1.cond.dazed": "that there are no actions is no number of them",
    "pf1.cond.stunned": "no actions is no number of them; what maneuvers gain stands at pf1.maneuver.auto",
    "pf1.skill.heal": "the DC of first aid stands at pf1.injury.first-aid and pf1.cond.bleed",
    "pf1.flow.sequence": "the order of the list numbers the steps",
    "pf1.attack-action.range": "the penalty stands as a figure, the formula repeats it",
    "pf1.cast.concentration-table": "three of its cases have their DC by rules of their own",
    "pf1.cond.blinded": "the chance to miss stands with total concealment",
    "pf1.cond.deafened": "the chance of failure stands with the components of spells",
    "pf1.cond.disabled": "what strain costs stands at pf1.injury.disabled",
    "pf1.turn.feat": "the DC stands with channeling, pf1.channel.amount",
    "pf1.object.ac": "the parts of the sum stand as figures",
    "pf1.charge": "the least distance stands in squares",
    "pf1.five-foot-step": "the step is one square, pf1.grid",
    "pf1.helpless.ac": "the modifier of a Dexterity of 0 is what counts, not the score, and no sums",
    "pf1.hp.dead": "the other reading's total stands as a figure",
    "pf1.injury.massive-damage": "the two parts of the threshold stand as figures instead of it",
    "srd35.charge.action": "the distance stands with srd35.charge.distance",
    "srd35.charge.distance": "the least distance stands in squares",
    "srd35.feat.trample": "the +4 against the prone is that of the prone's Armor Class",
    "srd35.mount.charge-lance": "the multiplier stands with srd35.charge.lance",
    "srd35.mount.ranged-run": "how fast a mount runs stands with srd35.run.action",
    "srd35.mount.space": "space by size stands with srd35.size.table-space-reach",
    "srd35.overrun.opposed-check": "the bonus of a charge stands with srd35.charge.strength-check-bonus",
    "srd35.ready.set-weapon": "the multiplier stands with srd35.charge.readied-weapons",
    "srd35.skill.ride-table": "DCs that rules of their own name stand with those",
    "srd35.special-attack.table": "the figures of its summaries stand with the attacks themselves",
    "srd35.cover.big-attacker": "what is bigger than a square follows from the size of a square",
    "srd35.size.long-reach-aoo-on-approach": "how far is beyond the usual stands with natural reach",
    "srd35.size.tiny-share-square": "a Tiny creature's space stands in the table of sizes",
    "srd35.size.special-modifiers": "grapple, breaking and maneuvers have these figures themselves",
    "srd35.free.list": "how many spells are quickened in a round stands with swift actions",
    "srd35.grid.square": "how big a square is on the table decides nothing in a fight",
    "srd35.special-move.double-cost-multiple": "one doubling costs what the thing that doubles says",
    "srd35.squeeze.penalties": "the penalties stand in the tables of modifiers",
    "srd35.armor.tower-shield": "bonus and Dexterity cap of the shield stand in the armor table",
    "srd35.object.things-table": "a breaking DC stands once, in the table of DCs, whose entry is named here",
    "srd35.weapons.special-key": "the bonuses of disarm+2 and disarm+4 stand as figures, other words without",
    "pf1.attack-action.defensive": "what Acrobatics gives stands at pf1.skill.acrobatics-defense",
    "pf1.skill.acrobatics-balance": "what breaks a fall stands at pf1.falling",
    "pf1.total-defense": "what Acrobatics gives stands at pf1.skill.acrobatics-defense",
    "pf1.run": "the multiples stand with pf1.speed.run",
    "pf1.splash": "the die of the direction stands as a die",
    "pf1.cond.grappled": "the DC of a spell in a grapple stands with concentration",
    "pf1.armor.diff-table": "what srd35 has stands in its own table",
    "pf1.withdraw": "the one safe square of the wording stands as a figure",
    "pf1.cond.invisible": "the chance to miss stands with total concealment",
    "pf1.cond.helpless": "what melee gains stands at pf1.helpless.ac",
    "pf1.cond.dying": "the DC to become stable stands at pf1.injury.stabilize",
    "pf1.weapons.diff-table": "what srd35 has stands in its own table",
    "pf1.grapple.options": "the numbers of the wording stand as figures, the DC at pf1.skill.escape",
    "pf1.actions-table.notes": "the base attack bonus stands once, under pf1.move.draw",
    "pf1.actions-table.full-round": "the name of an action is no figure",
    "pf1.actions-table.standard": "the names of two rows are spelled without numerals",
    "pf1.aoo.moving-avoidance": "the name of a step is no figure",
    "pf1.feat.combat-reflexes": "the feat adds to the one that everybody has, pf1.aoo.one-per-round",
    "pf1.cond.stable": "the DC to wake stands with those that are tended and those that are not",
    "pf1.reach.medium-or-smaller": "how many feet a square is stands at pf1.grid",
    "pf1.attack-action.melee": "reach stands with pf1.size.space-table and pf1.size.large",
    "pf1.action.types": "how many swift actions a turn has stands at pf1.action.swift",
    "srd35.ability.modifier": "the two numbers of the formula stand as figures; examples decide nothing",
    "srd35.ac-mod.helpless": "the modifier of a Dexterity of 0 stands at srd35.helpless.dex",
    "srd35.ac-mod.pinned": "the modifier of a Dexterity of 0 is what counts, not the score",
    "srd35.attack-action.fight-defensively": "what Tumble gives stands at srd35.skill.tumble-defense",
    "srd35.hazard.wind-table": "the penalties of siege engines stand as numbers of their own",
    "srd35.move.fly-table": "the half speed of the least forward speed stands as a number too",
    "srd35.run.action": "the multiples stand in srd35.speed.run and srd35.speed.run-heavy-armor",
    "srd35.speed.run-heavy-armor": "the usual multiple stands in srd35.speed.run",
    "srd35.total-defense": "it ends with a turn; what Tumble gives stands at srd35.skill.tumble-defense",
    "srd35.cond.turned": "the ten rounds stand with the effect of turning, srd35.turn.flee",
    "srd35.turn.flee": "the minute is the ten rounds over again",
    "srd35.turn.standard-example": "the dice of turning damage stand with srd35.turn.damage",
    "srd35.ac-mod.table": "the figures of its rows stand once, under the rule of each row",
    "srd35.actions-table.full-round": "the name of an action is no figure",
    "srd35.actions-table.notes": "the base attack bonus stands once, under srd35.move-action.draw",
    "srd35.attack.iterative-table": "the rows repeat what thresholds and step say",
    "srd35.aoo.limit": "the number that Combat Reflexes gives stands at srd35.feat.combat-reflexes",
    "srd35.aoo.reach-weapons": "how far they reach follows from srd35.size.large-reach-weapon, .weapons.whip",
    "srd35.attack-mod.table": "the figures of its rows stand once, under the rule of each row",
    "srd35.cond.ability-damaged": "the points that return stand at srd35.heal.ability",
    "srd35.cond.cowering": "the Armor Class of the cowering stands at srd35.ac-mod.cowering",
    "srd35.cond.dazed": "an Armor Class that does not change is no figure",
    "srd35.cond.dazzled": "the attack penalty stands at srd35.attack-mod.dazzled",
    "srd35.feat.multiattack": "what the two feats ask for stands as figures",
    "srd35.action.swift-immediate": "the one quickened spell a round of the wording stands as a figure",
    "srd35.feat.spring-attack": "the scores that the feat asks for stand as figures",
    "srd35.feat.shot-on-the-run": "the Dexterity of the feats before it stands as a figure",
    "srd35.feat.quick-draw": "the action of the wording for what is hidden stands as a figure",
    "srd35.skill.sleight": "the action of the wording for drawing what is hidden stands as a figure",
    "srd35.class.favored-enemy": "the skills of the wording stand as figures",
    "srd35.class.rogue-specials": "the lost Strength of the wording stands as a figure",
    "srd35.cond.dead": "the hit points of the dead stand at srd35.injury.dead",
    "srd35.cond.deafened": "how often the deaf fail at spells stands at srd35.cast.components",
    "srd35.cond.disabled": "speed and strain stand at srd35.injury.disabled-speed and srd35.injury.disabled",
    "srd35.cond.dying": "the chance to stabilize stands at srd35.injury.stabilize",
    "srd35.cond.energy-drained": "what a negative level does stands at srd35.energy-drain.level",
    "srd35.cond.entangled": "the attack penalty stands at srd35.attack-mod.entangled",
    "srd35.cond.helpless": "what the helpless lose stands at srd35.ac-mod.helpless and srd35.helpless.dex",
    "srd35.cond.no-dex-list": "the ranks that balancing takes stand at srd35.skill.balance",
    "srd35.cond.paralyzed": "the modifier of a score of 0 stands elsewhere, the cost of its square here",
    "srd35.cond.pinned": "the Armor Class of the pinned stands at srd35.grapple.pinned-ac",
    "srd35.cond.prone": "what lying prone does stands at srd35.attack-mod.prone and srd35.ac-mod.prone",
    "srd35.cond.stable": "the chance to wake stands at srd35.injury.recover-tended, .recover-alone",
    "srd35.cond.stunned": "the Armor Class of the stunned stands at srd35.ac-mod.stunned",
    "srd35.crit.spells": "the lowest roll of a range that ends at 20 says it all",
    "srd35.crit.threat-range-doubling": "the lowest roll of a range that ends at 20 says it all",
    "srd35.feat.two-weapon-fighting": "the reductions stand once, under srd35.twf.feat",
    "srd35.helpless.ac": "the figures stand once, under srd35.ac-mod.helpless",
    "srd35.cond.invisible": "the figures stand with srd35.attack-mod.invisible and total concealment",
    "srd35.cond.blinded": "what its table rows and total concealment say stands with those",
    "srd35.helpless.dex": "the modifier of a Dexterity of 0 is what counts, not the score",
    "srd35.injury.disabled": "what is left of a turn stands at srd35.cond.disabled",
    "srd35.injury.dying": "where dying ends is where death begins: srd35.injury.dead",
    "srd35.skill.heal": "the DCs stand at srd35.injury.stabilize-aid and srd35.heal.natural",
    "srd35.twf.table": "the sums of its rows come from the rules that it summarizes",
    "srd35.cover.low-obstacle": "the distance stands once, in feet",
    "srd35.cover.ranged-test": "the bonus of cover stands at srd35.ac-mod.cover",
    "srd35.bull-rush.opposed-strength": "the bonus of a charge stands with srd35.charge.strength-check-bonus",
    "srd35.bull-rush.fail": "back to where one came from is no figure",
    "srd35.grapple.damage": "the dice stand with srd35.unarmed.damage",
    "srd35.grapple.pinned-state": "how long a pin lasts stands with srd35.grapple.pin",
    "srd35.disarm.non-melee-item": "the penalty stands with srd35.disarm.non-melee-penalty",
    "srd35.sunder.table-hardness-hp": "those of armor stand with srd35.sunder.armor-hardness-material",
    "srd35.flow.sequence": "the order of the list numbers the steps",
    "srd35.initiative.check": "the die and the parts of the sheet are no figures",
    "srd35.surprise.round": "what one may do stands with srd35.action.restricted",
    "srd35.hp.thresholds": "where death begins stands with srd35.injury.dead",
    "srd35.damage.strength": "the shares stand with srd35.damage.off-hand and .two-handed; the whole is none",
    "srd35.damage.two-handed": "the whole bonus is no share of it",
    "srd35.crit.multiplier": "every weapon has its multiplier on its sheet or in the table of weapons",
    "srd35.actions-table.standard": "the names of two rows are spelled without numerals",
    "srd35.attack-action.melee": "reach stands with srd35.size.table-space-reach and .large-reach-weapon",
    "srd35.attack-action.range-increment": "the penalty stands as a figure, the formula repeats it",
    "srd35.five-foot-step": "the step is one square, srd35.grid.square",
    "srd35.object.ac": "the parts of the sum stand as figures",
    "srd35.skill.escape-artist-table": "the DCs of nets and manacles stand with the things themselves",
    "srd35.cast.counterspell-dispel": "the two caps of the check stand as figures",
    "srd35.cast.defensively": "what Combat Casting gives stands with the feat",
    "srd35.cond.frightened": "the attack penalty stands in the table of attack roll modifiers",
    "srd35.cond.panicked": "skill and ability checks have one penalty",
    "srd35.cond.shaken": "the attack penalty stands in the table of attack roll modifiers",
    "srd35.frightful-presence": "the usual range of the wording stands as a figure",
    "srd35.gear.splash-table": "a row's numbers stand one in a field; a corner's AC stands with the corner",
    "srd35.save.base-table": "the numbers of the two formulas stand one by one",
    "srd35.skill.concentration-table": "three cases have their DC by rules of their own",
    "srd35.skill.use-magic-device": "the margin of a mishap stands as a figure",
    "srd35.grapple.pinning-disarm": "the +4 stands with srd35.grab.well-secured",
    "srd35.armor.cost-notes": "how fast one runs in heavy armor stands with srd35.speed.run-heavy-armor",
    "srd35.armor.donning-table": "that a shield takes one action, and not more, is no figure",
    "srd35.splash.no-proficiency": "the penalty that is waived stands with the rule on proficiency",
    "woa.condition.flat-footed.effects": "that there are no combat reactions is no number of them",
    "woa.condition.nauseated": "who cannot attack has no penalty on it",
    "woa.ac.meaning": "the unarmored AC of 10 stands with woa.ac.formula",
    "woa.aoo.avoid.wind-stance": "the printed distance stands in the table of the feat, beside the bonus",
    "woa.reaction.block.feats": "the feats that are named stand in a table with what each gives",
    "woa.attack.melee-reach": "the reach of every size stands in the table of sizes",
    "woa.initiative.surprised-penalty": "the -20 and its time stand with being flat-footed",
    "woa.range.penalty": "the formula names the penalty, whose figure stands once",
    "woa.speed.by-race": "the speed of burdened dwarves stands with woa.speed.dwarf-no-encumbrance",
    "woa.speed.distance-multipliers": "those of a double move and a run stand with the actions themselves",
    "woa.move.action": "the speed of dwarves stands in the table of races",
    "woa.short-step.distance": "the distance is the reach, which goes by size",
    "woa.movement.pass-through.size-difference": "the figure stands with woa.size.pass-through-three-sizes",
    "woa.size.shared-space.one-step": "the penalties of one size stand with woa.crowd.same-size-penalty",
    "woa.size.combat.ranged-attack-modifier": "they stand with woa.attack-bonus.ranged-size-difference",
    "woa.size.armor-ac-multiplier": "the multiplier stands in the table of sizes",
    "woa.run.penalties": "no reaction at all is no number of them",
    "woa.size.combat.summary-table": "the limits stand as numbers, each with its own rule",
    "woa.grab.combat-penalties-scope": "the figures are the rows of the table that it names",
    "woa.grab.drag-opponent": "to beat a check is to exceed it by 1",
    "woa.grab.throw": "the margin of a throw stands as a number",
    "woa.grapple.activity.called-shot": "an ordinary win stands with woa.grapple.outcome.win-by-5",
    "woa.grapple.activity.list": "the figures of its notes stand with the activities themselves",
    "woa.grapple.start.action-cost": "a single check is no figure",
    "woa.grapple.hold.advantage-table": "the bonuses stand with the holds, what they multiply as numbers",
    "woa.grapple.outcome-table": "the margin of a clear win stands with woa.grapple.outcome.win-by-5",
    "woa.spell.deafened-failure": "the chance stands with woa.condition.deafened",
    "woa.spell.hold-charge-friends": "the six friends of the wording stand as a figure",
    "woa.turn-undead.results-table": "margins, distance and time of its rows stand with the rule of each row",
    "woa.mount.rider-unconscious": "how sure the wording is of its 50 percent is no figure",
    "woa.mount.space": "the size of a horse stands on its sheet",
    "woa.mount.eligible-steeds": "the steeds of the wording stand as a list",
    "woa.mount.combat.saddle-required": "the DC of the wording stands as a number",
    "woa.water.half-damage": "the share of the wording stands as a figure",
    "woa.water.range-penalty": "the doubling of the wording stands as a figure",
    "woa.water.piercing-exception": "the weapons of the wording stand as a list",
    "woa.water.bottom-walk.weight": "the weights by size follow from the three figures",
    "woa.fly.powered.hazard": "the margin of a fall stands as a number",
    "woa.run.rest": "the minute is the ten rounds over again",
    "woa.two-weapon.penalty-table": "the row of the bare penalty stands at woa.two-weapon.extra-attack",
    "woa.two-weapon.shield-bash": "the reduction of the wording stands as a figure",
    "futurepath.flow.cycle": "the order of the list numbers the steps",
    "futurepath.table.attack-roll-modifiers": "the figures stand under the rule of each row",
    "futurepath.table.attack-roll-modifiers.legacy": "the figures stand under the rule of each row",
    "futurepath.table.defense-modifiers": "the figures stand under the rule of each row",
    "futurepath.table.defense-modifiers.legacy": "the figures stand under the rule of each row",
    "futurepath.modifier.defender-stunned-cowering-loses-dex": "the stunned and the cowering have them",
    "futurepath.modifier.defender-pinned-dexterity-zero": "the modifier of Dexterity 0 is a figure",
    "futurepath.table.time-and-actions": "how long a round lasts stands with futurepath.round.duration",
    "futurepath.grid.standard-scale": "the round has a rule of its own, the size of a figure decides nothing",
    "futurepath.action.climb.accelerated": "a quarter of the speed is futurepath.movement.climb-swim-quarter",
    "futurepath.attack.roll": "every attack roll of every rulebook is a d20",
    "futurepath.save.formula": "every saving throw of every rulebook is a d20",
    "futurepath.critical.multiplier": "what a weapon multiplies by stands on its sheet, or 2",
    "futurepath.defense.meaning": "the Defense of a civilian follows from the formula",
    "futurepath.action.run.rest": "the rest stands in rounds; a minute of it is that of rounds of 6 seconds",
}
SHARED = Path(__file__).resolve().parents[3] / "shared"

each_dialect = pytest.mark.parametrize("dialect", sorted(INVENTORY))
needs_inventory = pytest.mark.skipif(
    not (SHARED / "rules").is_dir(), reason=f"the inventory of the rule texts is not at {SHARED}"
)


def inventory(dialect: str) -> list[dict[str, object]]:
    lines = []
    for name in INVENTORY[dialect]:
        lines += (SHARED / "rules" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_all_dialects_have_a_catalogue() -> None:
    """Exactly the dialects of the product ship rules."""
    assert dialects() == tuple(sorted(INVENTORY))


@each_dialect
def test_no_id_stands_twice(dialect: str) -> None:
    """Every line of a catalogue is a rule of its own."""
    assert len(read_rules(dialect)) == len(Book.load(dialect))


PUBLISHED: Final = {
    *("pf1.cast.ranges", "pf1.immunity"),
    *("pf1.creature.construct", "pf1.creature.elemental", "pf1.creature.incorporeal", "pf1.creature.ooze"),
    *("pf1.creature.outsider", "pf1.creature.plant", "pf1.creature.swarm", "pf1.creature.undead"),
    "pf1.creature.vermin",
}
"""Rules published elsewhere that the inventory does not list: ranges of spells, types of creatures."""


@needs_inventory
@each_dialect
def test_ids_are_those_of_the_inventory(dialect: str) -> None:
    """No rule of the inventory is lost; one that is not from there is published elsewhere or assumed."""
    listed = [str(atom["id"]) for atom in inventory(dialect)]
    known = frozenset(listed)
    book = Book.load(dialect)
    assert [rule.id for rule in book if rule.id in known] == listed
    others = {rule.id: rule.provenance for rule in book if rule.id not in known}
    assert {id for id, provenance in others.items() if provenance != "assumed"} <= PUBLISHED
    assert {others[id] for id in PUBLISHED & others.keys()} <= {"standard"}


@needs_inventory
@each_dialect
def test_figures_are_those_of_the_inventory(dialect: str) -> None:
    """Every figure of the inventory stands in the catalogue unchanged, save those corrected for a reason.

    The bodies of tables that the text does not print stand in files of their own.
    """
    book = Book.load(dialect)
    for atom in inventory(dialect):
        rule = str(atom["id"])
        if "data" in atom and rule not in CORRECTED and rule not in read_tables(dialect):
            assert holds(book[rule].figures, atom["data"]), rule
    assert [rule for rule in CORRECTED if rule.startswith(f"{dialect}.") and rule not in book] == []


def holds(figures: object, given: object) -> bool:
    """Say whether figures hold all that is given; what wordings say besides may be added to objects."""
    if isinstance(given, dict) and isinstance(figures, dict):
        return all(key in figures and holds(figures[key], value) for key, value in given.items())
    if isinstance(given, list) and isinstance(figures, list) and len(figures) == len(given):
        return all(map(holds, figures, given))
    return figures == given


@needs_inventory
def test_no_wording_is_copied_from_the_texts() -> None:
    """No wording, and no text within figures, shares more than twelve words in a row with a rule text."""
    length = 13
    runs: set[tuple[str, ...]] = set()
    texts = sorted((SHARED / "seeds").glob("*.txt"))
    assert texts
    for text in texts:
        words = _words(text.read_text(encoding="utf-8", errors="replace"))
        runs.update(tuple(words[at : at + length]) for at in range(len(words) - length + 1))
    copied = []
    for dialect in dialects():
        for rule in Book.load(dialect):
            for wording in (rule.text, *_texts(rule.figures)):
                words = _words(wording)
                if any(tuple(words[at : at + length]) in runs for at in range(len(words) - length + 1)):
                    copied.append(rule.id)
    assert copied == []


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9+']+", text.lower().replace("’", "'").replace("–", "-"))


@each_dialect
def test_every_rule_is_complete(dialect: str) -> None:
    """Every rule has a title of its own, a section, a wording, a known tier and provenance."""
    rules = list(Book.load(dialect))
    for rule in rules:
        assert rule.id.startswith(f"{dialect}."), rule.id
        assert rule.title, rule.id
        assert rule.section, rule.id
        assert len(rule.text) > 10, rule.id
        assert rule.tier in {"core", "edge", "advice"}, rule.id
        assert rule.provenance in {"text", "standard", "assumed"}, rule.id
    assert len({rule.title for rule in rules}) == len(rules)


@each_dialect
def test_contested_rules_are_sound(dialect: str) -> None:
    """Every contested rule has two readings or more, a default among them, and existing rules."""
    book = Book.load(dialect)
    assert book.contested
    for option, entry in book.contested.items():
        names = [reading.name for reading in entry.readings]
        assert re.fullmatch(r"[a-z][a-z0-9_]*", option)
        assert len(names) >= 2
        assert len(set(names)) == len(names), option
        assert entry.default in names, option
        # The list of contested places calls a reading "5-10-5".
        assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]*", name) for name in names), option
        assert all(reading.meaning for reading in entry.readings), option
        assert entry.title.strip(), option
        assert entry.question.strip(), option
        assert entry.rules, option
        assert [rule for rule in entry.rules if rule not in book] == [], option


@each_dialect
def test_options_are_named_once(dialect: str) -> None:
    """No option name stands for two contested rules of a dialect."""
    options = [entry.option for entry in read_contested(dialect)]
    assert len(set(options)) == len(options)


@needs_inventory
@pytest.mark.parametrize(("dialect", "least"), [("srd35", 14), ("pf1", 6), ("futurepath", 18), ("woa", 30)])
def test_every_listed_dispute_has_an_option(dialect: str, least: int) -> None:
    """A dialect has at least as many options as the list of contested readings has entries."""
    heading = (SHARED / "rules" / "CONTESTED.md").read_text(encoding="utf-8").split(f"## {dialect}\n")[1]
    entries = re.findall(r"(?m)^\d+\. ", heading.split("\n## ")[0])
    assert len(Book.load(dialect).contested) >= len(entries) >= least


@each_dialect
def test_topics_name_existing_rules(dialect: str) -> None:
    """Every alias of a dialect leads to one of its rules."""
    book = Book.load(dialect)
    assert [(topic, rule) for topic, rule in book.topics.items() if rule not in book] == []


@needs_inventory
@pytest.mark.parametrize(
    ("table", "prefix"),
    [
        ("futurepath.table.attack-roll-modifiers", "futurepath.modifier.attacker-"),
        ("futurepath.table.defense-modifiers", "futurepath.modifier.defender-"),
    ],
)
def test_rows_and_their_rules_agree(table: str, prefix: str) -> None:
    """Each row of a table of modifiers is a rule of its own, which has the figures that the table prints."""
    book = Book.load("futurepath")
    section = book[table].section
    rules = [rule for rule in book if rule.section == section and rule.id.startswith(prefix)]
    (printed,) = [atom["data"] for atom in inventory("futurepath") if atom["id"] == table]
    assert len(book.figure(table)) == len(printed) == len(rules)
    for row, rule in zip(printed, rules, strict=True):
        figures = {key: row[key] for key in ("melee", "ranged") if isinstance(row[key], int)}
        assert (rule.figures or {}) == figures, rule.id
