"""The values that attack rules share: a blow, its intent and outcome, and harm."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from affray.engine.modifiers import Tally
from affray.engine.steps import Steps
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

ARMOR_CLASS: Final = "armor class"
TOUCH_ARMOR_CLASS: Final = "touch armor class"
#: The kinds of blows that belong to a flurry, and to a Whirlwind Attack.
FLURRY: Final = "flurry"
WHIRLWIND: Final = "whirlwind"


class Intent(Struct, frozen=True, gc=False, cache_hash=True):
    """The intent of a blow, as declared.

    kind: what it is part of: "attack", "full", "charge", "opportunity", "ready", "grapple" and the like.
    against: what its roll has to reach; anything but the plain Armor Class makes it a touch attack.
    nonlethal: whether its damage is nonlethal.
    stunning: whether a fist tries to stun.
    arrows: how many arrows or bullets fly on its one roll.
    further_arrow: whether it is one of these after the first.
    maneuver: its combat maneuver; "" for a plain attack.
    item: the object that the maneuver is aimed at.
    body_part: the part of the body that a called shot is aimed at; "" for none.
    provokes: whether a failed maneuver gives its target an attack of opportunity.
    taken: the number taken instead of rolling the die; 0 to roll it.
    drawn: whether it throws a weapon that is drawn in the middle of the attack.
    of_pair: whether it throws one of two weapons of the same name while the other hand still holds the other.
    struck: the combatants that the same cleaving attack has struck already.
    """

    kind: str = "attack"
    against: str = ARMOR_CLASS
    nonlethal: bool = False
    stunning: bool = False
    arrows: int = 1
    further_arrow: bool = False
    maneuver: str = ""
    item: str = ""
    body_part: str = ""
    provokes: bool = True
    taken: int = 0
    drawn: bool = False
    of_pair: bool = False
    struck: tuple[str, ...] = ()

    @property
    def touch(self) -> bool:
        """Return whether it is a touch attack."""
        return self.against != ARMOR_CLASS


PLAIN_INTENT: Final = Intent()


@lru_cache(maxsize=256)
def usual_intent(kind: str, nonlethal: bool = False, against: str = ARMOR_CLASS) -> Intent:
    """Return an intent of this kind, the same object each time: cache keys then compare it in one step."""
    return Intent(kind, against, nonlethal)


class BlowDamage(Struct, gc=False):
    """The modifiers of a blow's damage, gathered until the damage is dealt.

    extra: flat modifiers of this blow only, in addition to those of every hit of its kind.
    multipliers: multipliers of the damage roll, each with its rule.
    cites: the rules that affect the damage.
    blocked: the points that the target's block takes off.
    blocked_with: the target's means of blocking.
    divisor: the divisor of the damage.
    sneak_attack: why the target is open to a sneak attack; "" if it is not.
    sneak_attack_dice: whether the damage includes sneak attack dice.
    past_hardness: whether the hardness of an object does not reduce it.
    """

    extra: tuple[Modifier, ...] = ()
    multipliers: tuple[tuple[int, str], ...] = ()
    cites: tuple[str, ...] = ()
    blocked: int = 0
    blocked_with: str = ""
    divisor: int = 1
    sneak_attack: str = ""
    sneak_attack_dice: bool = False
    past_hardness: bool = False


class Outcome(Struct, gc=False):
    """The result of a blow so far.

    natural: the natural result of the attack roll's die; 0 before the roll.
    total: the die and the bonus.
    needed: the least total that hits; 0 before the roll.
    sure_faces: the faces that always miss and always hit.
    attack_given: the modifiers of the attack roll before any is ruled out by stacking.
    attack_parts: those of them that were added up.
    defense_parts: the modifiers that add up to `needed`.
    threat: whether it is a hit that threatens a critical hit.
    critical: whether it is a critical hit.
    miss_chance_cites: the rules that contribute to the miss chance, in addition to the one that names it.
    deflected: how many of several arrows were deflected.
    landed: the square where a thrown weapon lands, if it is not one of its target's.
    kept: whether a thrown weapon stays with its target, caught or stuck in a shield.
    """

    natural: int = 0
    total: int = 0
    needed: int = 0
    sure_faces: tuple[int, int] = (0, 0)
    attack_given: tuple[Modifier, ...] = ()
    attack_parts: tuple[Modifier, ...] = ()
    defense_parts: tuple[Modifier, ...] = ()
    threat: bool = False
    critical: bool = False
    miss_chance_cites: tuple[str, ...] = ()
    deflected: int = 0
    landed: tuple[int, int] | None = None
    kept: bool = False


class Blow(Struct, gc=False):
    """One attack in progress: attacker, target, weapon, intent and outcome.

    melee: whether the weapon is used in melee; otherwise it is thrown or shot.
    distance: the feet between the two spaces.
    attack_extra: modifiers of the attack roll that come with the declaration.
    defense_extra: modifiers of the target's defense against this blow only.
    cites: the rules that affect the attack roll.
    defense_check: the check that replaces the target's defense, if there is one.
    redirect: a function that may choose another target; `redirect(fight, blow, hit, key)` is called after the
        roll, with `hit` None and the roll's key, and again once the hit is decided.
    """

    attacker: Combatant
    target: Combatant
    weapon: Weapon
    melee: bool
    distance: int
    intent: Intent = PLAIN_INTENT
    attack_extra: list[Modifier] = field(default_factory=list)
    defense_extra: list[Modifier] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    defense_check: Tally | None = None
    redirect: Callable[..., Steps[None]] | None = None
    damage: BlowDamage = field(default_factory=BlowDamage)
    outcome: Outcome = field(default_factory=Outcome)


def varied(blow: Blow, **changes: object) -> Blow:
    """Return a copy of this blow with `changes`; its outcome is independent."""
    return replace(blow, damage=replace(blow.damage), outcome=replace(blow.outcome), **changes)


class SaveMade(Struct, frozen=True, gc=False):
    """A saving throw against damage, as rolled.

    kind: the save: "fort", "ref" or "will".
    on_save: the effect of a success on the damage: "half", "negates" or "partial".
    succeeded: whether it was a success.
    amount: the damage before the save.
    extra: modifiers of the save from the position and the like.
    """

    kind: str
    on_save: str
    succeeded: bool
    amount: int
    extra: tuple[Modifier, ...] = ()


class Harm(Struct, gc=False):
    """Damage about to be taken, by one combatant and from one source.

    amount: the points; reductions lower them.
    source: the source, as the log names it.
    attacker: the combatant that deals it; None for a fall and the like.
    weapon: the weapon that deals it, if it is the damage of a blow.
    critical: whether it is the damage of a critical hit.
    energy: whether all of it is energy, of the type `damage_type`.
    ranged: whether it is dealt from a distance.
    cites: the rules to cite for the lost hit points; () for those that every loss cites.
    reduced_by: the rules that reduced it.
    area: whether it affects everyone within an area.
    resisted: the points that resistance for the round took, by type of energy.
    energies: the points of it that are energy dealt along with a blow, by type.
    lethal: the points of nonlethal damage that count as lethal.
    soaked: whether damage reduction absorbed the whole blow.
    past_hardness: whether the hardness of an object does not reduce it.
    """

    target: Combatant
    amount: int
    damage_type: str
    source: str
    attacker: Combatant | None = None
    weapon: Weapon | None = None
    nonlethal: bool = False
    critical: bool = False
    energy: bool = False
    ranged: bool = False
    cites: tuple[str, ...] = ()
    reduced_by: tuple[str, ...] = ()
    area: bool = False
    resisted: dict[str, int] = field(default_factory=dict)
    energies: dict[str, int] = field(default_factory=dict)
    lethal: int = 0
    soaked: bool = False
    past_hardness: bool = False

    @property
    def struck(self) -> bool:
        """Return whether a combatant or a weapon deals it: a fall, a fire and bad air do not."""
        return self.weapon is not None or self.attacker is not None
