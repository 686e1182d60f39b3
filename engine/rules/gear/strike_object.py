"""What a weapon does to an object that somebody has (srd35.sunder.success, pf1.sunder)."""

from collections.abc import Iterable

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.attacks.critical_hits import reaches_or_natural
from affray.engine.rules.conditions.condition_rules import condition_parts, effect_parts
from affray.engine.rules.damage.energies import ENERGY
from affray.engine.rules.damage.weapon_damage import (
    amount_dealt,
    damage_bonus,
    minimum_is_nonlethal,
    strength_shifts,
)
from affray.engine.rules.gear.item_hardness import Durability
from affray.engine.rules.gear.object_creature import cuts_through, share_on_thing
from affray.engine.steps import Roll, Steps, judged
from affray.events.facts.combat import AttackResolved, DamagePart, ItemStruck
from affray.events.facts.modifier import Modifier


class Battering(Struct, frozen=True, gc=False):
    """The damage of a blow to an object: its dice and flat parts, the total, what hardness lets through.

    `before` are the hit points that the object had, `through` may be more; `cites` the rules that say so.
    """

    dice: tuple[DamagePart, ...]
    tally: Tally
    total: int
    hardness: int
    before: int
    through: int
    cites: tuple[str, ...]

    @property
    def dealt(self) -> int:
        """The hit points that the object loses."""
        return min(self.before, self.through)

    @property
    def left(self) -> int:
        """The hit points that the object has then."""
        return self.before - self.dealt


def batter(
    fight: Fight, blow: Blow, item: str, thing: Durability, own: Iterable[Modifier] = ()
) -> Steps[Battering]:
    """Roll a weapon's damage to an object; hardness takes off its part, of energy after the object's share.

    `own` are further flat parts. Nothing is critical against an object, and nonlethal damage is none
    (srd35.damage.minimum, srd35.object.immunities, srd35.object.hardness, srd35.object.energy,
    pf1.nonlethal.immune, pf1.object.tables-ref, pf1.object.energy).
    """
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    parts = [*damage_bonus(fight, blow), *condition_parts(fight, attacker, "damage")]
    parts += [*effect_parts(attacker, "damage", target.id), *strength_shifts(fight, blow), *own]
    tally = fight.stack(parts)
    rolled = yield Roll(attacker.id, "damage", weapon.damage)
    least = fight.figure("damage.minimum", "min")
    total = rolled.total + tally.total
    harmless = blow.intent.nonlethal or (total < least and minimum_is_nonlethal(fight))
    total = max(least, total)
    dice = [DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name)]
    through, topics = total, list[str]()
    for extra in weapon.extra:
        rolled = yield Roll(attacker.id, f"extra-{extra.kind}", extra.dice)
        dice.append(DamagePart(extra.dice, rolled.key, rolled.total, extra.kind, extra.source or extra.kind))
        total += rolled.total
        through += share_on_thing(fight, extra.kind, rolled.total)
        topics += ["object.energy"] if extra.kind in ENERGY else []
    hardness = 0 if cuts_through(fight, weapon, thing.hardness) else thing.hardness
    topics = (["object.hardness"] if hardness else []) + topics
    topics += ["weapons.special-materials"] if hardness != thing.hardness else []
    topics += ["object.immunities"] if harmless else []
    before = thing.hp - target.resources.get(f"damage to {item}", 0)
    through = 0 if harmless else max(0, through - hardness)
    return Battering(tuple(dice), tally, total, hardness, before, through, fight.rules(*topics))


def item_struck(blow: Blow, item: str, found: Battering, dealt: int, *cites: str) -> ItemStruck:
    """Return that an object lost so many hit points by a blow."""
    return ItemStruck(
        attacker=blow.attacker.id,
        bearer=blow.target.id,
        item=item,
        weapon=blow.weapon.name,
        dice=found.dice,
        modifiers=found.tally.parts,
        total=found.total,
        hardness=found.hardness,
        dealt=dealt,
        left=found.before - dealt,
        cites=tuple(dict.fromkeys((*cites, *found.cites))),
    )


def carry_over(fight: Fight, blow: Blow, item: str, amount: int, rule: str) -> Steps[None]:
    """Deal what was more than an object could take to its bearer, by a rule.

    woa.maneuver.sunder.improved-sunder-overflow, pf1.feat.maneuver-greater.
    """
    weapon = blow.weapon
    nonlethal = weapon.wield == "unarmed" or "nonlethal" in weapon.traits
    harm = Harm(blow.target, amount, weapon.damage_type, weapon.name, blow.attacker, weapon, nonlethal)
    yield amount_dealt(fight, harm, (), rule, why=f"through the {item}")
    yield from fight.dialect.damage.suffer(fight, harm)


def reach_thing(fight: Fight, blow: Blow, item: str, defense: Iterable[Modifier], *cites: str) -> Steps[bool]:
    """Roll a blow against the defense of an object that its target has; return whether it reaches it.

    srd35.sunder.carried-object, futurepath.object.defense.held-carried-worn.
    """
    attacks = fight.dialect.attacks
    parts = [
        *attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *attacks.attack_situation(fight, blow),
    ]
    bonus, against = attacks.stack(fight, parts), attacks.stack(fight, list(defense))

    def judge(key: str, natural: int) -> AttackResolved:
        total, needed = natural + bonus.total, against.total
        hit = reaches_or_natural(fight, natural, total, needed)
        return AttackResolved(
            attacker=blow.attacker.id,
            target=blow.target.id,
            weapon=blow.weapon.name,
            mode="melee",
            against=f"the {item}",
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            result="hit" if hit else "miss",
            why=f"{total} against {needed}",
            attack=bonus.parts,
            defense=against.parts,
            cites=tuple(dict.fromkeys((*cites, *bonus.cites, *against.cites))),
        )

    fact: AttackResolved = yield from judged(blow.attacker.id, "attack", judge)
    return fact.result == "hit"
