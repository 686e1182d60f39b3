"""What follows a hit, in order: further arrows, a stunned foe, a cleaving blow."""

from msgspec.structs import replace

from affray.engine.blow import Blow
from affray.engine.dialects.srd35.attacks.cleave import cleave
from affray.engine.dialects.srd35.attacks.unarmed_strikes import of_bare_hands, stun
from affray.engine.fight import Fight
from affray.engine.rules.conditions.condition_rules import is_down
from affray.engine.steps import Steps

WHIRLWIND = "whirlwind"
"""The kind of a blow that no other may follow (srd35.feat.whirlwind-attack)."""


#: The rules by which a blow has another share of the Strength bonus than the whole.
SHARED = ("damage.off-hand", "damage.two-handed", "weapons.handed-use", "natural-weapons.single")


def force_rules(fight: Fight, blow: Blow, strength: int) -> tuple[str, ...]:
    """Return the rules on bare hands, and the one that drops the fraction of a shared odd Strength bonus.

    srd35.unarmed.damage, srd35.math.round-down.
    """
    hands = of_bare_hands(fight, blow) if blow.weapon.wield == "unarmed" else ()
    if strength <= 0 or not strength % 2:
        return hands
    share = fight.dialect.damage.strength_damage(fight, blow, strength)
    shared = share is not None and share[2] in SHARED
    return (*hands, *fight.rules("math.round-down")) if shared else hands


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Settle what a hit brings beyond its own damage.

    `before` are the target's hit points, nonlethal damage and temporary hit points before it, `standing`
    says whether it was in the fight then.
    """
    target = blow.target
    if blow.arrows > 1:
        for _ in range(1, blow.arrows):
            if "dead" not in target.conditions:
                further = replace(blow, further=True, arrows=1)
                further.damage_cites = [*blow.damage_cites, fight.rule("feat.manyshot")]
                yield from fight.dialect.damage.deal(fight, further, False)
    if blow.stunning and before != (target.hp, target.nonlethal, target.temporary) and standing:
        yield from stun(fight, blow)
    if blow.melee and standing and blow.kind != WHIRLWIND and is_down(fight, target):
        yield from cleave(fight, blow)
