"""An attack, step by step: modifiers, roll, miss chance, confirmation, damage."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import Each, Same, per_fight, per_scene, per_sum
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow
from affray.engine.record.compose import gather, when
from affray.engine.rules.attacks.miss_chance import is_missed
from affray.engine.rules.classes.ability_modifiers import ability, has_feat
from affray.engine.rules.classes.ability_scores import ability_now, lowered
from affray.engine.rules.classes.features import blow_parts
from affray.engine.rules.conditions.condition_rules import condition_parts, effect_parts, ruled_out
from affray.engine.steps import Roll, Steps
from affray.events.codec import prepared
from affray.events.facts.combat import AttackResolved, EffectEnded
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def strike(fight: Fight, blow: Blow, harm: bool = True) -> Steps[bool]:
    """Resolve one attack from the reactions before it to the `harm` it does, if any; return whether it hit.

    The blow knows afterwards whether the hit is critical. The order is the rulebook's: reactions, the roll
    against the defense, natural 1 and 20, miss chance, confirmation of a threat, damage (srd35.attack.*,
    srd35.crit.*, srd35.concealment.*).
    """
    dialect = fight.dialect
    yield from dialect.attacks.before_roll(fight, blow)
    attacker, target, outcome = blow.attacker, blow.target, blow.outcome
    if blow.intent.taken or blow.redirect is not None:
        hit = yield from attack_roll(fight, blow)
    else:
        # The plain roll written out: every attack of every fight passes here.
        found = combined_modifiers(fight, blow)
        blow.cites += found.cites
        outcome.attack_given, sums = found.attack, found.sums
        rolled = yield Roll(attacker.id, "attack", "1d20", partial(attack_judged, fight, blow, sums))
        fact = attack_judged(fight, blow, sums, rolled.key, rolled.faces[0])
        yield fact
        hit = fact.result != "miss"
    if attacker.effects or target.effects:
        yield from end_used_effects(fight, blow)
    if not hit:
        yield from dialect.attacks.after_miss(fight, blow)
        return False
    if target.rider and (yield from dialect.mounted.averted(fight, blow)):
        return False
    percent, why, topic = dialect.attacks.miss_chance(fight, blow)
    if percent:
        cites = dict.fromkeys((fight.rule(topic), *outcome.miss_chance_cites))
        missed = yield from is_missed(attacker, target, percent, why, *cites)
        if missed and not (yield from dialect.attacks.finds_its_mark(fight, blow, percent, why)):
            return False
    if (yield from dialect.attacks.passes_through(fight, blow)):
        return False
    if not blow.melee and (yield from dialect.attacks.deflected(fight, blow)):
        return False
    outcome.critical = outcome.threat and (yield from dialect.attacks.confirm_critical(fight, blow))
    if harm:
        target = blow.target
        before = (target.hp, target.nonlethal, target.temporary)
        standing = not (target.conditions and is_down(fight, target))
        yield from dialect.damage.deal(fight, blow, outcome.critical)
        yield from dialect.attacks.after_hit(fight, blow, before, standing)
    return True


def attack_roll(fight: Fight, blow: Blow) -> Steps[bool]:
    """Roll to hit and compare with the defense; return whether it hits.

    The blow knows its natural roll, totals and parts afterwards.
    """
    sums = sums_of_blow(fight, blow)
    key, natural = "", blow.intent.taken
    if not natural:
        # What goes astray after the roll has another target by then: no face alone tells what it does.
        judge = partial(attack_judged, fight, blow, sums) if blow.redirect is None else None
        rolled = yield Roll(blow.attacker.id, "attack", "1d20", judge)
        key, natural = rolled.key, rolled.faces[0]
    if blow.redirect is not None:
        yield from blow.redirect(fight, blow, None, key)
        sums = sums_of_blow(fight, blow)
    fact = attack_judged(fight, blow, sums, key, natural)
    yield fact
    hit: bool = fact.result != "miss"
    if blow.redirect is not None:
        yield from blow.redirect(fight, blow, hit, key)
    return hit


def attack_judged(fight: Fight, blow: Blow, sums: Sums, key: str, natural: int) -> AttackResolved:
    """Return what a face of the die comes to against the defense; the blow knows its numbers afterwards.

    futurepath.attack.roll, pf1.attack.hit-test, srd35.attack.roll.
    """
    dialect = fight.dialect
    if blow.defense_check is not None:
        sums = replace(sums, against=blow.defense_check, defense_told=blow.defense_check.parts, ruled={})
    bonus, against = sums.bonus, sums.against
    total, needed = natural + bonus.total, against.total
    low, high = sums.faces
    if natural == low:
        result, why, topic = "miss", "a natural 1 always misses", "attack.natural-1"
    elif natural == high:
        result, why, topic = "hit", "a natural 20 always hits", "attack.natural-20"
    elif bonus.failed:
        result, why, topic = "miss", "the penalties make it fail", "disadvantage.auto-fail"
    elif total >= needed:
        result, why, topic = "hit", f"{total} reaches {needed}", "attack.roll"
    else:
        result, why, topic = "miss", f"{total} falls short of {needed}", "attack.roll"
    ruled = sums.ruled.get(topic)
    if ruled is None:
        ruled = (
            fight.rule(topic),
            *dialect.attacks.deciding_rules(fight, topic),
            *bonus.cites,
            *against.cites,
        )
        sums.ruled[topic] = ruled
    hit = result == "hit"
    outcome = blow.outcome
    outcome.threat = hit and dialect.attacks.threatens_critical(fight, blow, natural, total, needed)
    if outcome.threat:
        result = "threat"
    outcome.natural, outcome.total, outcome.needed = natural, total, needed
    outcome.attack_parts, outcome.defense_parts = bonus.parts, against.parts
    return AttackResolved(
        attacker=blow.attacker.id,
        target=blow.target.id,
        weapon=blow.weapon.name,
        mode="melee" if blow.melee else "ranged",
        against=blow.intent.against.replace("armor class", dialect.defense.name),
        key=key,
        natural=natural,
        total=total,
        needed=needed,
        result=result,
        why=why,
        attack=sums.attack_told,
        defense=sums.defense_told,
        cites=(*ruled, *blow.cites),
    )


class Sums(Struct, gc=False, eq=False):
    """Both tallies of a blow, and what is worked out once for the very same modifiers.

    `faces` always miss and always hit; `attack_told` and `defense_told` are the parts of the tallies as the
    facts of all such blows tell them; `ruled` are the rules to cite where the one on a topic decides.
    """

    bonus: Tally
    against: Tally
    faces: tuple[int, int]
    attack_told: tuple[Modifier, ...]
    defense_told: tuple[Modifier, ...]
    ruled: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """Compare the tallies, from which everything else follows."""
        if not isinstance(other, Sums):
            return NotImplemented
        return (self.bonus, self.against) == (other.bonus, other.against)


class CombinedModifiers(Struct, gc=False):
    """The sums of a blow, the rules to cite for them, and the parts of the attack as given."""

    sums: Sums
    cites: tuple[str, ...]
    attack: tuple[Modifier, ...]


class Standing(Struct, gc=False):
    """What holds for every blow of one kind between two.

    `attack` and `defense` are what the two sheets give, `situation` and `place` what the scene adds to them;
    `against` is what the defense comes to, `cites` are the rules that had a part in it all.
    """

    attack: tuple[Modifier, ...]
    situation: tuple[Modifier, ...]
    defense: tuple[Modifier, ...]
    place: tuple[Modifier, ...]
    against: Tally
    cites: tuple[str, ...]


def tallies(fight: Fight, blow: Blow) -> tuple[Tally, Tally]:
    """Return the tallies of attack and defense; the blow knows afterwards what its own is made of."""
    sums = sums_of_blow(fight, blow)
    return sums.bonus, sums.against


def sums_of_blow(fight: Fight, blow: Blow) -> Sums:
    """Return the sums of attack and defense modifiers; the blow knows afterwards what its own is made of."""
    found = combined_modifiers(fight, blow)
    blow.cites += found.cites
    blow.outcome.attack_given = found.attack
    return found.sums


STANDING: Final = (
    "blow.weapon",
    "blow.melee",
    "blow.intent",
    "blow.attacker.acted",
    "blow.target.acted",
    "fight.state.round == 0",
    "blow.attacker.mount and fight.state.combatants[blow.attacker.mount].spent.get('feet', 0)",
)
"""What makes blows between the same two different of kind."""


@per_scene(
    "blow.attacker.id", "blow.target.id", *STANDING, Each("blow.attack_extra"), Each("blow.defense_extra")
)
def combined_modifiers(fight: Fight, blow: Blow) -> CombinedModifiers:
    """Combine the standing modifiers with this blow's own; return both tallies and the rules behind them."""
    attacker = blow.attacker
    standing = standing_parts(fight, blow)
    attack = (*standing.attack, *blow.attack_extra, *standing.situation)
    bonus = fight.stack(ruled_out(attacker, "attack", attack, blow.target.id))
    return CombinedModifiers(sums_of(fight, bonus, standing.against), standing.cites, attack)


@per_sum(Same("bonus"), Same("against"))
def sums_of(fight: Fight, bonus: Tally, against: Tally) -> Sums:
    """Return two tallies with the faces that always miss and hit, and their parts as facts tell them.

    futurepath.attack.natural-20, pf1.attack.natural-1, pf1.attack.natural-20-hits.
    """
    faces = fight.figure("attack.natural-1", "face"), fight.figure("attack.natural-20", "face")
    return Sums(bonus, against, faces, prepared(bonus.parts), prepared(against.parts))


@per_scene("blow.attacker.id", "blow.target.id", *STANDING, Each("blow.defense_extra"))
def standing_parts(fight: Fight, blow: Blow) -> Standing:
    """Return what holds for every attack of this kind as things stand, and the defense against it."""
    dialect = fight.dialect
    attack, attack_cites, defense, defense_cites, denial = own_parts(fight, blow)
    cited, blow.cites = blow.cites, [*attack_cites]
    situation = dialect.attacks.attack_situation(fight, blow)
    blow.cites += defense_cites
    place = tuple(dialect.defense.defense_situation(fight, blow))
    cites, blow.cites = tuple(dict.fromkeys(blow.cites)), cited
    parts = (*defense, *blow.defense_extra, *place)
    against = fight.stack(ruled_out(blow.target, "defense", parts, blow.attacker.id))
    lost = denial and any(part.denied.startswith(denial[0]) for part in against.parts)
    if lost and denial[1] not in cites:
        cites = (*cites, denial[1])
    return Standing(attack, tuple(situation), defense, place, against, cites)


Own = tuple[tuple[Modifier, ...], list[str], tuple[Modifier, ...], list[str], tuple[str, ...]]
"""What two give to a blow: to the attack and to the defense, the rules to cite for either, a denial."""


@per_scene("blow.attacker.id", "blow.target.id", *STANDING)
def own_parts(fight: Fight, blow: Blow) -> Own:
    """Return what both give to a blow by themselves, and how the target is denied its Dexterity, if it is."""
    dialect = fight.dialect
    cited, blow.cites = blow.cites, []
    attack = tuple(dialect.attacks.attack_bonus(fight, blow))
    attack_cites, blow.cites = blow.cites, []
    defense = tuple(dialect.defense.defense_bonus(fight, blow))
    defense_cites, blow.cites = blow.cites, cited
    reason, topic = dialect.defense.dexterity_denied(fight, blow)
    return attack, attack_cites, defense, defense_cites, (f"{reason}:", fight.rule(topic)) if reason else ()


def end_used_effects(fight: Fight, blow: Blow) -> Steps[None]:
    """End the passing modifiers that hold for one roll and have been used for it."""
    mode = "attack"
    for effect in blow.attacker.effects:
        used = effect.stat == mode or (blow.melee and effect.stat == "denies-dexterity")
        if effect.stat == "hidden":
            yield EffectEnded(
                who=blow.attacker.id, id=effect.id, why="has attacked", cites=(effect.modifier.rule,)
            )
        elif effect.uses and used and effect.against in ("", blow.target.id):
            yield EffectEnded(who=blow.attacker.id, id=effect.id, why="used", cites=(effect.modifier.rule,))
    for effect in blow.target.effects:
        if effect.uses and effect.stat == "defense" and effect.against in ("", blow.attacker.id):
            yield EffectEnded(who=blow.target.id, id=effect.id, why="used", cites=(effect.modifier.rule,))


def attack_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return what the sheet gives to an attack with this weapon."""
    finesse = blow.melee and fight.dialect.attacks.finesse(fight, blow)
    return printed_attack_bonus(fight, blow.attacker, blow.weapon, blow.melee, finesse)


@per_fight(Same("attacker.sheet"), "weapon", "melee", "finesse")
def printed_attack_bonus(
    fight: Fight, attacker: Combatant, weapon: Weapon, melee: bool, finesse: bool
) -> tuple[Modifier, ...]:
    """Return what a sheet gives to an attack with a weapon, with or without Weapon Finesse.

    Base attack bonus, Strength in melee or Dexterity at range (or with Weapon Finesse), size, the
    weapon's own bonuses, proficiency, Weapon Focus (srd35.attack.bonus-melee, -ranged).

    futurepath.attack.bonus.melee, futurepath.attack.bonus.ranged, futurepath.assumed.weapon-finesse,
    pf1.attack-bonus.melee, pf1.attack-bonus.ranged, pf1.feat.weapon-finesse, pf1.weapon.nonproficient,
    srd35.attack.bonus-ranged.
    """
    sheet = attacker.sheet
    topic = "attack.bonus-melee" if melee else "attack.bonus-ranged"
    rule = fight.rule(topic)
    parts = [Modifier(sheet.base_attack, "base", "base attack bonus", rule)]
    strength, dexterity = ability(sheet, "str"), ability(sheet, "dex")
    if not melee:
        parts.append(Modifier(dexterity, "ability", "Dexterity", rule))
    elif finesse:
        parts.append(Modifier(dexterity, "ability", "Dexterity", fight.rule("feat.weapon-finesse")))
    else:
        parts.append(Modifier(strength, "ability", "Strength", rule))
    size = fight.figure("size.attack-ac-table", sheet.size.capitalize())
    if size:
        parts.append(Modifier(size, "size", sheet.size, fight.rule("size.attack-ac-table")))
    parts += weapon_parts(fight, attacker, weapon, rule)
    return tuple(parts)


def weapon_parts(fight: Fight, attacker: Combatant, weapon: Weapon, rule: str) -> list[Modifier]:
    """Return what a weapon gives to rolls made with it, and being proficient with it or not.

    pf1.weapon.nonproficient, pf1.feat.weapon-focus, srd35.weapon.nonproficient, srd35.feat.weapon-focus,
    futurepath.assumed.weapon-focus.
    """
    parts = [Modifier(one.value, one.kind, one.source or weapon.name, rule) for one in weapon.attack]
    if not weapon.proficient:
        parts.append(
            fight.modifier("weapon.nonproficient", "attack", kind="penalty", source="not proficient")
        )
    if has_feat(attacker, f"weapon focus ({weapon.name})"):
        parts.append(fight.modifier("feat.weapon-focus", "attack", kind="feat", source="Weapon Focus"))
    return parts


def finesse(fight: Fight, blow: Blow) -> bool:
    """Say whether Weapon Finesse puts Dexterity in the place of Strength, where it is no worse."""
    return (
        blow.melee
        and has_feat(blow.attacker, "weapon finesse")
        and (blow.weapon.wield in ("light", "natural", "unarmed") or "finesse" in blow.weapon.traits)
        and ability_now(fight, blow.attacker, "dex") >= ability_now(fight, blow.attacker, "str")
    )


def conditions_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what conditions do to the attacker's roll, and to the ability that stands behind it."""
    attacker = blow.attacker
    parts = list(condition_parts(fight, attacker, "attack.melee" if blow.melee else "attack.ranged"))
    quick = not blow.melee or fight.dialect.attacks.finesse(fight, blow)
    parts += condition_parts(fight, attacker, "attack.dexterity" if quick else "attack.strength")
    return parts


def effects_on_attack(fight: Fight, blow: Blow) -> Iterable[Modifier]:
    """Return what passing effects do to the attacker's roll against this target."""
    return effect_parts(blow.attacker, "attack", blow.target.id)


def changed_ability_on_attack(fight: Fight, blow: Blow) -> Iterable[Modifier]:
    """Return what an ability score other than the printed one changes in the attacker's roll."""
    quick = not blow.melee or fight.dialect.attacks.finesse(fight, blow)
    return lowered(fight, blow.attacker, "dex" if quick else "str", "attack")


def features_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what the attacker's feats, class abilities and special qualities add to its roll."""
    return blow_parts(fight, blow, "attack")


ATTACKER_STATE: Final = (
    when("attacker.conditions", conditions_on_attack),
    when("attacker.effects", effects_on_attack),
    when("attacker.conditions or attacker.effects or attacker.losses", changed_ability_on_attack),
    features_on_attack,
)
"""What the state of the attacker does to an attack roll: the stages that every d20 dialect begins with."""

common_attack_situation = gather(*ATTACKER_STATE)
