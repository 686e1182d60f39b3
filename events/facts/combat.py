"""Outcomes of blows, checks and movement."""

from msgspec import Struct

from affray.events.facts.base import Fact
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet_parts import Rider
from affray.events.facts.terrain import Square


class Until(Struct, frozen=True, gc=False):
    """When something ends: `when` ("turn-start", "turn-end", "round-end", "rest") of `who`'s turn
    in round `round` or later; `when` "" lasts until something else ends it.
    """

    when: str = ""
    who: str = ""
    round: int = 0


class Moved(Fact, frozen=True, gc=False, kw_only=True, tag="moved"):
    """A combatant went along `path` (squares entered, in order); `feet` is what it cost.

    `space` above 0 is what it takes up from now on: a square of that many squares, longer by the columns
    and rows of `stretch` where it squeezes.
    """

    who: str
    start: Square
    path: tuple[Square, ...]
    feet: int
    diagonals: int
    how: str
    space: int = 0
    stretch: Square = (0, 0)


class Mounted(Fact, frozen=True, gc=False, kw_only=True, tag="mounted"):
    """A combatant sits on `mount` and shares its place, `at`, and its space of `space` squares a side."""

    who: str
    mount: str
    at: Square
    space: int


class Dismounted(Fact, frozen=True, gc=False, kw_only=True, tag="dismounted"):
    """A combatant is off its mount and stands at `at`, `space` squares a side; `how` it came down."""

    who: str
    mount: str
    at: Square
    space: int
    how: str


class MountDirected(Fact, frozen=True, gc=False, kw_only=True, tag="mount.directed"):
    """A mount acts in the turn of its rider, `who`: its actions count anew, with `renewed` its reactions."""

    who: str
    mount: str
    renewed: bool = True


class Provoked(Fact, frozen=True, gc=False, kw_only=True, tag="opportunity.provoked"):
    """A combatant lowered its guard before `by`; `denied` says why no attack may follow, if so."""

    who: str
    by: str
    reason: str
    denied: str = ""


class AttackResolved(Fact, frozen=True, gc=False, kw_only=True, tag="attack.resolved"):
    """An attack roll was compared with the defense.

    `mode` melee or ranged; `against` what was to be reached ("armor class", "touch", ...);
    `result` miss, hit, threat or critical; `key` the key of the roll ("" when none was needed).
    `attack` and `defense` hold every modifier, those that did not count with their reason.
    """

    attacker: str
    target: str
    weapon: str
    mode: str
    against: str
    key: str
    natural: int
    total: int
    needed: int
    result: str
    why: str
    attack: tuple[Modifier, ...]
    defense: tuple[Modifier, ...]


class ConfirmationResolved(Fact, frozen=True, gc=False, kw_only=True, tag="confirmation.resolved"):
    """A critical threat was confirmed or not."""

    attacker: str
    target: str
    key: str
    natural: int
    total: int
    needed: int
    confirmed: bool
    attack: tuple[Modifier, ...]
    defense: tuple[Modifier, ...]


class MissChanceResolved(Fact, frozen=True, gc=False, kw_only=True, tag="miss-chance.resolved"):
    """Concealment had its say: the blow misses on `percent` or less."""

    attacker: str
    target: str
    percent: int
    key: str
    rolled: int
    missed: bool
    why: str


class DamagePart(Struct, frozen=True, gc=False):
    """Dice of a damage roll: `times` the roll was multiplied (1 for extra dice)."""

    notation: str
    key: str
    total: int
    kind: str
    source: str
    times: int = 1


class DamageResolved(Fact, frozen=True, gc=False, kw_only=True, tag="damage.resolved"):
    """What a hit amounts to, before and after what the target shrugs off."""

    attacker: str
    target: str
    weapon: str
    dice: tuple[DamagePart, ...]
    modifiers: tuple[Modifier, ...]
    multiplier: int
    total: int
    nonlethal: bool
    reduced: int = 0
    why: str = ""


class HitPointsChanged(Fact, frozen=True, gc=False, kw_only=True, tag="hit-points.changed"):
    """Hit points are now `hp`, nonlethal damage `nonlethal`, temporary hit points `temporary`."""

    who: str
    hp: int
    nonlethal: int
    temporary: int
    change: int
    why: str


class ConditionGained(Fact, frozen=True, gc=False, kw_only=True, tag="condition.gained"):
    """A condition holds, until `until`.

    With `aloft` its level is the height in feet at which its bearer is.
    """

    who: str
    condition: str
    source: str
    until: Until = Until()
    level: int = 0
    aloft: bool = False


class ConditionLost(Fact, frozen=True, gc=False, kw_only=True, tag="condition.lost"):
    """A condition is over."""

    who: str
    condition: str
    why: str


class EffectGained(Fact, frozen=True, gc=False, kw_only=True, tag="effect.gained"):
    """A modifier holds for a while.

    `stat` is what it modifies ("attack", "defense", "save.ref", "initiative", "damage", "speed").
    `against` limits it to one opponent, `uses` to that many rolls (0: any number).
    """

    who: str
    id: str
    stat: str
    modifier: Modifier
    until: Until
    against: str = ""
    uses: int = 0


class EffectEnded(Fact, frozen=True, gc=False, kw_only=True, tag="effect.ended"):
    """A passing modifier is gone."""

    who: str
    id: str
    why: str


class CheckResolved(Fact, frozen=True, gc=False, kw_only=True, tag="check.resolved"):
    """A check or saving throw was compared with its DC; `check` such as "save.ref", "stabilize"."""

    who: str
    check: str
    key: str
    natural: int
    total: int
    dc: int
    success: bool
    parts: tuple[Modifier, ...]
    why: str = ""


class ContestResolved(Fact, frozen=True, gc=False, kw_only=True, tag="contest.resolved"):
    """Two opposed checks were compared."""

    who: str
    against: str
    contest: str
    total: int
    opposed: int
    won: bool
    parts: tuple[Modifier, ...]
    opposed_parts: tuple[Modifier, ...]


class TurningResolved(Fact, frozen=True, gc=False, kw_only=True, tag="turning.resolved"):
    """A turning check was made: `most` is the most Hit Dice of one creature that it affects.

    `what` was done: turn, rebuke, bolster or dispel. `damage` is how many Hit Dice it affects in all, by the
    roll `damage_key` ("" where nobody within reach could be affected, or no such roll is called for).
    """

    who: str
    what: str
    kind: str
    key: str
    natural: int
    total: int
    most: int
    parts: tuple[Modifier, ...]
    damage_key: str = ""
    damage: int = 0
    damage_parts: tuple[Modifier, ...] = ()


class SideChanged(Fact, frozen=True, gc=False, kw_only=True, tag="side.changed"):
    """A combatant fights for another side from now on, or for its own again."""

    who: str
    side: str
    why: str


class ItemChanged(Fact, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="item.changed"):
    """An item is now held, stowed, dropped, loaded, unloaded, broken or gone.

    `unloaded` of a weapon that leaves the hand says that it wants loading when it is taken up again.
    """

    who: str
    item: str
    state: str
    unloaded: bool = False


class GripChanged(Fact, frozen=True, gc=False, kw_only=True, tag="grip.changed"):
    """`who` holds a weapon in so many hands from now on, and wields it so ("one-handed", "light", ...)."""

    who: str
    item: str
    hands: int
    wield: str


class ItemStruck(Fact, frozen=True, gc=False, kw_only=True, tag="item.struck"):
    """An object that `bearer` holds, carries or wears was hit for `total` points.

    `dealt` is what its hardness let through, `left` the hit points that it has then.
    """

    attacker: str
    bearer: str
    item: str
    weapon: str
    dice: tuple[DamagePart, ...]
    modifiers: tuple[Modifier, ...]
    total: int
    hardness: int
    dealt: int
    left: int


class ResourceSpent(Fact, frozen=True, gc=False, kw_only=True, tag="resource.spent"):
    """Part of a limited supply is used: ammunition, a spell, a daily use."""

    who: str
    resource: str
    amount: int


class InjurySuffered(Fact, frozen=True, gc=False, kw_only=True, tag="injury.suffered"):
    """A lasting injury by a table's entry; `parts` is what was added to the roll."""

    who: str
    entry: int
    name: str
    key: str
    assumed: bool = False
    parts: tuple[Modifier, ...] = ()


class AbilityChanged(Fact, frozen=True, gc=False, kw_only=True, tag="ability.changed"):
    """An ability ("str", "dex", ...) has `damage` and `drain` by now, which leave it at `score`."""

    who: str
    ability: str
    damage: int
    drain: int
    score: int
    why: str


class MaximumChanged(Fact, frozen=True, gc=False, kw_only=True, tag="maximum.changed"):
    """Full hit points are now `max_hp`."""

    who: str
    max_hp: int
    why: str


class AfflictionHeld(Fact, frozen=True, gc=False, kw_only=True, tag="affliction.held"):
    """Something works on in a combatant: poison, a negative level. The same `id` again renews it.

    Its next saving throw, against `dc`, is due at the start of its turn in round `round` or when `minute`
    minutes have passed outside of combat, whichever is first (-1: never); `treated` is the Heal check for it.
    """

    who: str
    id: str
    rider: Rider
    by: str
    dc: int
    round: int = -1
    minute: int = -1
    treated: int = -1


class AfflictionEnded(Fact, frozen=True, gc=False, kw_only=True, tag="affliction.ended"):
    """An affliction is over."""

    who: str
    id: str
    why: str
