"""The things that attack rules talk about: a blow on its way, and the harm that it does."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from affray.engine.modifiers import Tally
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


class Blow(Struct, gc=False):
    """One attack on its way.

    `kind` says what it is part of ("attack", "full", "charge", "opportunity", "ready"). `distance` in
    feet between the two spaces. `extra` holds modifiers that the declaring step brings along; `cites`
    collects the rules that had a part in it. `dodged` and the like are settled by the dialect's reactions
    before the roll. `astray(fight, blow, hit, key)`, if there is one, may set another target: it is taken
    after the roll (`hit` None) and after its outcome, given the roll's key. `stunning` marks a fist that
    tries to stun, `arrows` how many fly on one roll, `further` those after the first; `opening` says why
    the target is open to a sneak attack; `damage_extra` are modifiers of the damage, `damage_cites`
    collects the rules that had a part in it, `veiled` are those that had one in its miss chance. Only one
    part in `share` of the damage is dealt; `sneaking` says that it holds the dice of a sneak attack.
    `maneuver` names the combat maneuver that it is ("" for a plain attack), `item` what that is aimed at;
    an `unanswered` one gives nobody an opportunity. `part` is the part of the body that a called shot
    aims at. `guard`, if there is one, is the sum that stands for the defense of the target, `taken` the
    number that stands for the die (0: none), `shielding` what the target blocks with; after the roll the
    blow knows `natural`, `total` and `needed`, and whether it is a `threat`, later whether it is `critical`.
    """

    attacker: Combatant
    target: Combatant
    weapon: Weapon
    melee: bool
    distance: int
    kind: str = "attack"
    against: str = "armor class"
    touch: bool = False
    nonlethal: bool = False
    extra: list[Modifier] = field(default_factory=list)
    defense_extra: list[Modifier] = field(default_factory=list)
    opening: str = ""
    sneaking: bool = False
    damage_extra: list[Modifier] = field(default_factory=list)
    damage_multipliers: list[tuple[int, str]] = field(default_factory=list)
    reduction: int = 0
    share: int = 1
    astray: Callable[..., Any] | None = None
    stunning: bool = False
    arrows: int = 1
    further: bool = False
    veiled: tuple[str, ...] = ()
    damage_cites: list[str] = field(default_factory=list)
    maneuver: str = ""
    item: str = ""
    unanswered: bool = False
    cites: list[str] = field(default_factory=list)
    guard: Tally | None = None
    taken: int = 0
    shielding: str = ""
    natural: int = 0
    total: int = 0
    needed: int = 0
    threat: bool = False
    critical: bool = False
    attack_given: tuple[Modifier, ...] = ()
    attack_parts: tuple[Modifier, ...] = ()
    defense_parts: tuple[Modifier, ...] = ()
    part: str = ""


class Harm(Struct, gc=False):
    """Damage about to be taken: `amount` points, their type and where they come from.

    `energies` are the points of it that are energy dealt along with a blow, by type; `lethal` those of a
    nonlethal harm that are lethal all the same; `soaked` says that damage reduction took the whole blow;
    `area` damage strikes all within an area; `resisted` is what resistance for the round took of each energy.
    `reduced_by` collects the rules that took something off it.
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
