"""An attack, step by step: modifiers, roll, miss chance, confirmation, damage."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.fight.memory import Each, Same, per_fight, per_scene, per_sum
from affray.engine.grid.distance import distance_ft, opposite
from affray.engine.grid.lines_and_cover import obscured
from affray.engine.kernel.places import level_of, squares_of
from affray.engine.modifiers import Tally, effect_parts, ruled_out
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, usual_intent
from affray.engine.record.compose import gather, when
from affray.engine.rules.attacks.miss_chance import is_missed
from affray.engine.rules.classes.abilities import ability_now, blow_parts, lowered
from affray.engine.rules.classes.checks import explain_unusable_feat, masters
from affray.engine.rules.classes.sheets import ability, has_feat, has_trait, nature_among
from affray.engine.rules.conditions.conditions import Immunity, condition_parts, has_no_attack, immunity_to
from affray.engine.rules.gear.hands import fights_unarmed
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.places import sees
from affray.engine.steps import Refusal, Roll, Steps, judged
from affray.events.codec import prepared
from affray.events.facts.combat import AttackResolved, ConfirmationResolved, EffectEnded
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Modifiers of an attack from positions: cover, concealment, flanking, range, height


def higher_ground(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of higher ground in melee (srd35.attack-mod.higher-ground, pf1.attack-mod.table)."""
    if not is_higher(fight, blow):
        return []
    topic = "attack-mod.higher-ground"
    return [fight.modifier(topic, "melee", kind="circumstance", source="higher ground")]


def flanking_bonus(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus for flanking the target with an ally (srd35.flank.bonus, pf1.flank)."""
    friend = find_flanking_partner(fight, blow)
    if friend is None:
        return []
    source = f"flanking with {friend.id}"
    return [fight.modifier("flank.bonus", "melee_attack", kind="flanking", source=source)]


def find_flanking_partner(fight: Fight, blow: Blow) -> Combatant | None:
    """Return an ally that threatens the target from its opposite side, if there is one.

    Creatures with a reach of 0 cannot flank, nor can those that threaten no square (srd35.flank.*,
    pf1.flank).
    """
    attacker, target = blow.attacker, blow.target
    if attacker.reach == 0:
        return None
    for friend in fight.state.combatants.values():
        if (
            friend.side == attacker.side
            and friend is not attacker
            and not (friend.conditions and has_no_attack(fight, friend))
            and opposite((attacker.at, attacker.space), (friend.at, friend.space), (target.at, target.space))
            and threatens(fight, friend, target)
        ):
            return friend
    return None


def deny_flanking_by_immunity(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack, the flanking bonus denied against creatures without front and back.

    srd35.creature-immunities, pf1.creature.ooze, pf1.creature.elemental, pf1.creature.swarm.
    """
    if not any(part.kind == "flanking" for part in parts):
        return parts
    immunity = immunity_to(fight, blow.target, "flanking")
    if immunity is None:
        return parts
    blow.cites.append(immunity.rule)
    why = explain_unflankable(blow.target, immunity)
    return [replace(part, denied=why) if part.kind == "flanking" else part for part in parts]


def explain_unflankable(target: Combatant, immunity: Immunity) -> str:
    """Return why flanking gives no bonus against a target that is immune to it."""
    return f"{target.sheet.kind}: cannot be flanked ({immunity.rule})"


def is_higher(fight: Fight, blow: Blow) -> bool:
    """Return whether the attacker is higher: above the target by a square, or on high ground and the target
    not.
    """
    attacker, target = blow.attacker, blow.target
    here, there, field = level_of(attacker), level_of(target), fight.field
    on_a_hill = field.high(attacker.at, attacker.space) and not field.high(target.at, target.space)
    return here > there or (here == there and on_a_hill)


def increments(distance: int, increment: int) -> int:
    """Return the full range increments in a distance, both in feet."""
    return distance // increment


def range_increment(fight: Fight, blow: Blow) -> int:
    """Return the weapon's range increment in feet, as printed."""
    return blow.weapon.range


def find_friends_in_melee(fight: Fight, blow: Blow) -> list[Combatant]:
    """Return the shooter's friends that fight the target, unless a part of it is far enough from them all."""
    attacker, target = blow.attacker, blow.target
    friends = [
        friend
        for friend in fight.state.combatants.values()
        if friend is not attacker
        and friend.side == attacker.side
        and not is_down(fight, friend)
        and (threatens(fight, friend, target) or threatens(fight, target, friend))
    ]
    if not friends:
        return []
    clear = fight.figure("attack-action.into-melee", "waived_if_distance_ft")
    return [] if is_clear_of_friends(friends, target, clear) else friends


def is_clear_of_friends(friends: list[Combatant], target: Combatant, feet: int) -> bool:
    """Return whether a square of the target is at least that far from all of these friends."""
    return any(
        all(distance_ft(friend.at, square, friend.space) >= feet for friend in friends)
        for square in squares_of(target)
    )


def miss_chance(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return (percent, why, topic) of the miss chance; the highest counts, they do not add up.

    Total concealment 50, concealment 20 (srd35.concealment.*).

    pf1.concealment.
    """
    target, attacker = blow.target, blow.attacker
    total = fight.figure("concealment.total-miss-chance", "miss_chance_percent")
    if "invisible" in target.conditions and not has_trait(attacker, "see invisibility"):
        return total, f"{target.id} is invisible", "concealment.total-miss-chance"
    if "blinded" in attacker.conditions:
        return total, f"{attacker.id} is blinded", "concealment.total-miss-chance"
    for name in target.conditions:
        veil = rule_of(fight, name).veils
        if veil is not None:
            return fight.figure(*veil), f"{target.id} is {name}", veil[0]
    if obscured(fight.field, (attacker.at, attacker.space), (target.at, target.space), melee=blow.melee):
        return (
            fight.figure("concealment.miss-chance", "miss_chance_percent"),
            "concealed by the terrain",
            "concealment.miss-chance",
        )
    return 0, "", ""


def refuse_untargetable(fight: Fight, blow: Blow) -> None:
    """Refuse an attack without line of effect, on the dead, or out of reach and range.

    srd35.cover.total-no-attack, srd35.attack-action.melee, srd35.attack-action.range-increment,
    futurepath.attack.ranged.line-of-sight, futurepath.attack.ranged.max-range.
    """
    attacker, target = blow.attacker, blow.target
    refuse_no_opponent(fight, attacker, target)
    reason, topic = fight.dialect.attacks.barred(fight, blow)
    if reason:
        raise Refusal(reason, fight.rule(topic))
    if not sees(fight, attacker, target) and not fight.dialect.attacks.through_surface(fight, blow):
        raise Refusal(
            f"{attacker.id} has no line of effect to {target.id}: total cover",
            fight.rule("cover.total-no-attack"),
        )
    if not blow.melee:
        refuse_beyond_range(fight, blow, target.id)


def refuse_no_opponent(fight: Fight, attacker: Combatant, target: Combatant) -> None:
    """Refuse an attack on oneself or on the dead.

    srd35.attack-action.melee, pf1.attack-action.melee, srd35.cond.dead, pf1.cond.dead,
    futurepath.injury.dead-at-minus-10.
    """
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot attack itself", fight.rule("attack-action.melee"))
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("cond.dead"))


def refuse_beyond_range(fight: Fight, blow: Blow, goal: str) -> None:
    """Refuse a shot or a throw beyond the most range increments of its weapon.

    srd35.attack-action.range-increment, futurepath.attack.ranged.max-range.
    """
    weapon = blow.weapon
    limit = fight.figure("attack-action.range-increment", "max_thrown" if weapon.thrown else "max_projectile")
    if weapon.range == 0 or blow.distance > fight.dialect.attacks.range_increment(fight, blow) * limit:
        raise Refusal(
            f"{goal} is {blow.distance} ft. away, beyond the {weapon.name}'s range",
            fight.rule("attack-action.range-increment"),
        )


def strike(fight: Fight, blow: Blow, harm: bool = True) -> Steps[bool]:
    """Resolve one attack, from the reactions before it to its `harm`, if any; return whether it hit.

    Afterwards the blow records whether the hit is critical. The order is the rulebook's: reactions, the roll
    against the defense, natural 1 and 20, miss chance, confirmation of a threat, damage (srd35.attack.*,
    srd35.crit.*, srd35.concealment.*).
    """
    dialect = fight.dialect
    yield from dialect.attacks.before_roll(fight, blow)
    attacker, target, outcome = blow.attacker, blow.target, blow.outcome
    if blow.intent.taken or blow.redirect is not None:
        hit = yield from attack_roll(fight, blow)
    else:
        # The plain roll is inlined: every attack of every fight passes here.
        found = combine_modifiers(fight, blow)
        blow.cites += found.cites
        outcome.attack_given, sums = found.attack, found.sums
        rolled = yield Roll(attacker.id, "attack", found.dice, partial(attack_judged, fight, blow, sums))
        fact = attack_judged(fight, blow, sums, rolled.key, rolled.total)
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

    Afterwards the blow records its natural roll, totals and parts.
    """
    sums = sum_blow_modifiers(fight, blow)
    key, natural = "", blow.intent.taken
    if not natural:
        # A redirected attack changes its target after the roll: the natural roll alone does not decide it.
        judge = partial(attack_judged, fight, blow, sums) if blow.redirect is None else None
        dice = fight.dialect.attacks.test_dice(fight, blow.attacker, "attack")
        rolled = yield Roll(blow.attacker.id, "attack", dice, judge)
        key, natural = rolled.key, rolled.total
    if blow.redirect is not None:
        yield from blow.redirect(fight, blow, None, key)
        sums = sum_blow_modifiers(fight, blow)
    fact = attack_judged(fight, blow, sums, key, natural)
    yield fact
    hit: bool = fact.result != "miss"
    if blow.redirect is not None:
        yield from blow.redirect(fight, blow, hit, key)
    return hit


def attack_judged(fight: Fight, blow: Blow, sums: Sums, key: str, natural: int) -> AttackResolved:
    """Return the result of a natural roll against the defense; afterwards the blow records its numbers.

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
    outcome.natural, outcome.total, outcome.needed, outcome.sure_faces = natural, total, needed, sums.faces
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
    """Both tallies of a blow, and values computed once for identical modifiers.

    `faces` always miss and always hit; `attack_told` and `defense_told` are the parts of the tallies in the
    form used in facts; `ruled` are the rules to cite if the rule on a topic decides.
    """

    bonus: Tally
    against: Tally
    faces: tuple[int, int]
    attack_told: tuple[Modifier, ...]
    defense_told: tuple[Modifier, ...]
    ruled: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        """Compare the tallies, which determine everything else."""
        if not isinstance(other, Sums):
            return NotImplemented
        return (self.bonus, self.against) == (other.bonus, other.against)


class CombinedModifiers(Struct, gc=False):
    """The sums of a blow, the rules to cite for them, the parts of the attack as given, and the dice."""

    sums: Sums
    cites: tuple[str, ...]
    attack: tuple[Modifier, ...]
    dice: str


class SituationModifiers(Struct, gc=False):
    """The modifiers of every blow of one kind between two combatants.

    `attack` and `defense` come from the two sheets, `situation` and `place` from the scene; `against` is the
    total of the defense, `cites` are the rules that contributed.
    """

    attack: tuple[Modifier, ...]
    situation: tuple[Modifier, ...]
    defense: tuple[Modifier, ...]
    place: tuple[Modifier, ...]
    against: Tally
    cites: tuple[str, ...]
    dice: str


def tallies(fight: Fight, blow: Blow) -> tuple[Tally, Tally]:
    """Return the tallies of attack and defense; afterwards the blow records the parts of its own."""
    sums = sum_blow_modifiers(fight, blow)
    return sums.bonus, sums.against


def sum_blow_modifiers(fight: Fight, blow: Blow) -> Sums:
    """Return the sums of attack and defense modifiers; afterwards the blow records the parts of its own."""
    found = combine_modifiers(fight, blow)
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
"""The values that distinguish kinds of blows between the same two combatants."""


@per_scene(
    "blow.attacker.id", "blow.target.id", *STANDING, Each("blow.attack_extra"), Each("blow.defense_extra")
)
def combine_modifiers(fight: Fight, blow: Blow) -> CombinedModifiers:
    """Combine the standing modifiers with this blow's; return both tallies and their rules."""
    attacker = blow.attacker
    standing = standing_parts(fight, blow)
    attack = (*standing.attack, *blow.attack_extra, *standing.situation)
    bonus = fight.stack(ruled_out(attacker, "attack", attack, blow.target.id))
    sums = sums_of(fight, bonus, standing.against)
    return CombinedModifiers(sums, standing.cites, attack, standing.dice)


@per_sum(Same("bonus"), Same("against"))
def sums_of(fight: Fight, bonus: Tally, against: Tally) -> Sums:
    """Return two tallies with the natural rolls that always miss and hit, and their parts as used in facts.

    futurepath.attack.natural-20, pf1.attack.natural-1, pf1.attack.natural-20-hits.
    """
    faces = fight.dialect.attacks.sure_faces(fight, "attack", ())
    return Sums(bonus, against, faces, prepared(bonus.parts), prepared(against.parts))


@per_scene("blow.attacker.id", "blow.target.id", *STANDING, Each("blow.defense_extra"))
def standing_parts(fight: Fight, blow: Blow) -> SituationModifiers:
    """Return the modifiers of every attack of this kind in the present situation, and the defense against
    it.
    """
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
    dice = dialect.attacks.test_dice(fight, blow.attacker, "attack")
    return SituationModifiers(attack, tuple(situation), defense, place, against, cites, dice)


Own = tuple[tuple[Modifier, ...], list[str], tuple[Modifier, ...], list[str], tuple[str, ...]]
"""The modifiers from both sheets: attack and defense, the rules to cite for either, a denial."""


@per_scene("blow.attacker.id", "blow.target.id", *STANDING)
def own_parts(fight: Fight, blow: Blow) -> Own:
    """Return the modifiers from both sheets, and why the target is denied its Dexterity, if it is."""
    dialect = fight.dialect
    cited, blow.cites = blow.cites, []
    attack = tuple(dialect.attacks.attack_bonus(fight, blow))
    attack_cites, blow.cites = blow.cites, []
    defense = tuple(dialect.defense.defense_bonus(fight, blow))
    defense_cites, blow.cites = blow.cites, cited
    reason, topic = dialect.defense.dexterity_denied(fight, blow)
    return attack, attack_cites, defense, defense_cites, (f"{reason}:", fight.rule(topic)) if reason else ()


def end_used_effects(fight: Fight, blow: Blow) -> Steps[None]:
    """End the temporary modifiers that apply to one roll and have been used for it."""
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
    """Return the sheet's modifiers of an attack with this weapon."""
    finesse = blow.melee and fight.dialect.attacks.finesse(fight, blow)
    return printed_attack_bonus(fight, blow.attacker, blow.weapon, blow.melee, finesse)


@per_fight(Same("attacker.sheet"), "weapon", "melee", "finesse")
def printed_attack_bonus(
    fight: Fight, attacker: Combatant, weapon: Weapon, melee: bool, finesse: bool
) -> tuple[Modifier, ...]:
    """Return a sheet's modifiers of an attack with a weapon, with or without Weapon Finesse.

    Base attack bonus, Strength in melee or Dexterity at range (or with Weapon Finesse), size, the weapon's
    bonuses, proficiency, Weapon Focus (srd35.attack.bonus-melee, -ranged).

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
    """Return a weapon's modifiers of rolls made with it, proficiency included.

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
    """Return whether Weapon Finesse replaces Strength by Dexterity, if that is no worse."""
    return (
        blow.melee
        and has_feat(blow.attacker, "weapon finesse")
        and (blow.weapon.wield in ("light", "natural", "unarmed") or "finesse" in blow.weapon.traits)
        and ability_now(fight, blow.attacker, "dex") >= ability_now(fight, blow.attacker, "str")
    )


def conditions_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifiers from conditions of the attacker's roll, and of the ability behind it."""
    attacker = blow.attacker
    parts = list(condition_parts(fight, attacker, "attack.melee" if blow.melee else "attack.ranged"))
    quick = not blow.melee or fight.dialect.attacks.finesse(fight, blow)
    parts += condition_parts(fight, attacker, "attack.dexterity" if quick else "attack.strength")
    return parts


def effects_on_attack(fight: Fight, blow: Blow) -> Iterable[Modifier]:
    """Return the modifiers from temporary effects of the attacker's roll against this target."""
    return effect_parts(blow.attacker, "attack", blow.target.id)


def changed_ability_on_attack(fight: Fight, blow: Blow) -> Iterable[Modifier]:
    """Return the changes of the attacker's roll from an ability score that differs from the printed one."""
    quick = not blow.melee or fight.dialect.attacks.finesse(fight, blow)
    return lowered(fight, blow.attacker, "dex" if quick else "str", "attack")


def features_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the modifiers of the attacker's roll from feats, class abilities and special qualities."""
    return blow_parts(fight, blow, "attack")


ATTACKER_STATE: Final = (
    when("attacker.conditions", conditions_on_attack),
    when("attacker.effects", effects_on_attack),
    when("attacker.conditions or attacker.effects or attacker.losses", changed_ability_on_attack),
    features_on_attack,
)
"""Modifiers of an attack roll from the attacker's state: the first stages of every d20 dialect."""

common_attack_situation = gather(*ATTACKER_STATE)


# --- Natural 1 and 20, and critical hits: threats and the confirmation roll (srd35.crit.*)

#: Traits of creatures that are immune to critical hits regardless of their nature.
UNHARMED_BY_CRITICALS: Final = ("immune to critical hits", "immunity to critical hits")

IMPROVED_CRITICAL: Final = "feat.improved-critical"
#: If the attacker has the feat for the weapon of its blow, and the roll requires it.
WITH_FEAT: Final = "natural < weapon.threat and f'improved critical ({weapon.name})' in attacker.sheet.feats"
#: The highest natural roll, from which threat ranges are counted down.
DIE: Final = 20


def is_natural_threat(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Return whether a hit threatens a critical hit: a natural roll in the weapon's range that hits.

    A roll below 20 in the range that does not reach the defense is a miss and no threat, and some creatures
    are immune (srd35.crit.threat, srd35.crit.immune).
    """
    if natural < blow.weapon.threat:
        return False
    if immune_to_criticals(fight, blow):
        blow.cites.append(fight.rule("crit.immune"))
        return False
    blow.cites.append(fight.rule("crit.threat"))
    return True


def immune_to_criticals(fight: Fight, blow: Blow) -> bool:
    """Return whether the target's nature, or a trait, exempts it from critical hits.

    futurepath.assumed.critical-immunity, pf1.crit.immune, srd35.crit.immune.
    """
    return bool(nature_among(blow.target, (*fight.figure("crit.immune"), *UNHARMED_BY_CRITICALS)))


def confirm(fight: Fight, blow: Blow) -> Steps[bool]:
    """Roll again with the same modifiers; reaching the defense makes the hit critical.

    The second roll follows the rules of an attack roll: 1 fails, 20 succeeds (srd35.crit.confirm).
    """
    return roll_confirmation(
        fight, blow, blow.outcome.needed, blow.outcome.defense_parts, fight.rules("crit.confirm")
    )


def roll_confirmation(
    fight: Fight,
    blow: Blow,
    needed: int,
    defense: tuple[Modifier, ...],
    cites: tuple[str, ...],
    unless: tuple[str, ...] = (),
) -> Steps[bool]:
    """Roll the confirmation against `needed`, whose parts are `defense`, by the rules of an attack roll.

    The rules `unless` are cited as well if it fails.
    """
    bonus, attack = confirmation_bonus(fight, blow)
    fails, succeeds = blow.outcome.sure_faces

    def judge(key: str, natural: int) -> ConfirmationResolved:
        total = natural + bonus
        success = natural != fails and (total >= needed or natural == succeeds)
        return ConfirmationResolved(
            attacker=blow.attacker.id,
            target=blow.target.id,
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            confirmed=success,
            attack=attack,
            defense=defense,
            cites=cites if success else (*cites, *unless),
        )

    dice = fight.dialect.attacks.test_dice(fight, blow.attacker, "confirm")
    fact: ConfirmationResolved = yield from judged(blow.attacker.id, "confirm", judge, dice)
    return fact.confirmed


def confirmation_bonus(fight: Fight, blow: Blow) -> tuple[int, tuple[Modifier, ...]]:
    """Return the bonus of the confirmation roll and its parts: those of the attack, with later changes.

    Some effects count for this roll only, and a ruling may strike out parts of this roll only.
    """
    attacker, own = blow.attacker, fight.dialect.attacks.confirmation_parts(fight, blow)
    if attacker.effects or own:
        given = (*blow.outcome.attack_given, *own, *effect_parts(attacker, "confirm", blow.target.id))
        counted = ruled_out(attacker, "confirm", given, blow.target.id)
        if tuple(counted) != blow.outcome.attack_given:
            # Computed from the original modifiers: a sum of a sum would apply stacking twice.
            tally = fight.stack(ruled_out(attacker, "attack", counted, blow.target.id))
            return tally.total, tally.parts
    return blow.outcome.total - blow.outcome.natural, blow.outcome.attack_parts


def reaches_or_natural(fight: Fight, natural: int, total: int, needed: int) -> bool:
    """Return whether an attack roll reaches `needed`: a 1 never does, a 20 always.

    srd35.attack.natural-1, srd35.attack.natural-20.
    """
    fails, succeeds = fight.dialect.attacks.sure_faces(fight, "attack", ())
    return natural != fails and (total >= needed or natural == succeeds)


def one_d20(fight: Fight, combatant: Combatant, purpose: str) -> str:
    """Return the dice of a test: one d20, whatever it is for."""
    return "1d20"


def sure_faces(fight: Fight, purpose: str, cites: Collection[str]) -> tuple[int, int]:
    """Return the faces that always fail and always succeed: those of attacks and saves, none of checks.

    srd35.attack.natural-1, srd35.attack.natural-20, pf1.attack.natural-1, pf1.attack.natural-20-hits,
    srd35.save.naturals.
    """
    test = "save" if purpose.startswith("save.") else "attack"
    if test == "attack" and purpose not in ("attack", "confirm"):
        return 0, 0
    return fight.figure(f"{test}.natural-1", "face"), fight.figure(f"{test}.natural-20", "face")


def is_in_widened_range(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Return whether a hit threatens below the weapon's own range and within the feat's.

    The range is doubled from the weapon's printed range: other extensions do not stack with the feat
    (srd35.feat.improved-critical, srd35.crit.threat-range-doubling, srd35.crit.immune,
    pf1.feat.improved-critical).
    """
    if natural < lowest_threat(fight, blow) or explain_unusable_feat(
        fight, blow.attacker, "improved critical"
    ):
        return False
    immune = immune_to_criticals(fight, blow)
    cites = (
        fight.rules("crit.immune") if immune else fight.rules(IMPROVED_CRITICAL, "crit.threat-range-doubling")
    )
    blow.cites += [rule for rule in cites if rule not in blow.cites]
    return not immune


def lowest_threat(fight: Fight, blow: Blow) -> int:
    """Return the lowest natural roll that threatens: 19 for 20, 17 for 19-20, 15 for 18-20."""
    beyond = DIE + 1
    return int(beyond - (beyond - blow.weapon.threat) * fight.figure(IMPROVED_CRITICAL, "threat_width"))


# --- Improved Precise Shot, which ignores all but total cover and concealment

SHARP = "improved precise shot"

Chance = tuple[int, str, str]


def shoots_past_all(fight: Fight, blow: Blow) -> bool:
    """Return whether a shot benefits from Improved Precise Shot.

    srd35.feat.improved-precise-shot, pf1.feat.precise-shot.
    """
    return not blow.melee and masters(fight, blow.attacker, SHARP)


def deny_cover_to_precise_shot(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of cover, denied against a shot with Improved Precise Shot.

    srd35.feat.improved-precise-shot, pf1.feat.precise-shot.
    """
    if not shoots_past_all(fight, blow):
        return parts
    rule = fight.rule(f"feat.{SHARP.replace(' ', '-')}")
    blow.cites.append(rule)
    return [replace(part, denied=f"Improved Precise Shot ({rule})") for part in parts]


def deny_concealment_to_precise_shot(fight: Fight, blow: Blow, chance: Chance) -> Chance:
    """Return the miss chance that is left: a shot with Improved Precise Shot has none below total
    concealment.

    srd35.feat.improved-precise-shot, pf1.feat.precise-shot.
    """
    total = fight.figure("concealment.total-miss-chance", "miss_chance_percent")
    if chance[0] < total and shoots_past_all(fight, blow):
        return 0, "Improved Precise Shot", f"feat.{SHARP.replace(' ', '-')}"
    return chance


def cite_ignored_concealment(fight: Fight, blow: Blow) -> None:
    """Cite the feat if a shot ignores concealment by it.

    srd35.feat.improved-precise-shot, pf1.feat.precise-shot.
    """
    if shoots_past_all(fight, blow):
        percent, why, topic = fight.dialect.attacks.miss_chance(fight, blow)
        if why and not percent:
            blow.cites.append(fight.rule(topic))


# --- The blow of a weapon: built from the weapon's data, resolved with all its consequences
# Declared blows, those out of turn and those in a grapple are built and resolved here.


def build_blow(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: Weapon,
    kind: str,
    *,
    melee: bool = True,
    feet: int = 0,
    nonlethal: bool | None = None,
) -> Blow:
    """Return a blow with a weapon over a distance in feet, for the weapon's usual kind of damage unless one
    is given.

    A weapon that only has to touch attacks touch Armor Class (srd35.ac.touch, pf1.touch.ac-excludes,
    futurepath.attack.touch, woa.ac.touch-attack).
    """
    if nonlethal is None:
        nonlethal = fight.dialect.attacks.is_nonlethal(attacker, weapon)
    if weapon.traits and "touch" in weapon.traits:
        intent = usual_intent(kind, nonlethal, TOUCH_ARMOR_CLASS)
        return Blow(attacker, target, weapon, melee, feet, intent, cites=[fight.rule("ac.touch")])
    return Blow(attacker, target, weapon, melee, feet, usual_intent(kind, nonlethal))


def is_nonlethal(attacker: Combatant, weapon: Weapon) -> bool:
    """Return whether a weapon usually deals nonlethal damage: so do bare hands that do not count as armed.

    srd35.unarmed.lethal, pf1.weapons.unarmed-note, futurepath.attack.unarmed.lethal-option.
    """
    bare = weapon.wield == "unarmed" and "lethal" not in weapon.traits
    return (bare and not fights_unarmed(attacker)) or "nonlethal" in weapon.traits


def strike_and_settle(fight: Fight, blow: Blow) -> Steps[bool]:
    """Resolve a blow, then its consequences, hit or not; return whether it hit."""
    hit = yield from strike(fight, blow)
    yield from fight.dialect.attacks.after_blow(fight, blow, hit)
    return hit
