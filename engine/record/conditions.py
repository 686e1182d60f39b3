"""The record of the chapter on conditions: conditions and how they come over a combatant."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import Struct

from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Combatant, Condition


class Change(Struct, frozen=True):
    """One number that a condition changes: the `stat`, and where its figure stands.

    `stat` is "attack.melee", "attack.ranged", "defense.melee", "defense.ranged", "maneuver defense", "save",
    "check" ("skill", "ability-check" or "check.spot" for some of them), "damage", "speed", or "score.dex" for
    an ability's score ("score.dex.attack", ".defense" or ".others" for some of its uses), "zero.dex" for one
    that counts as 0; `topic` and `path` lead to the figure in the catalogue. `halve` takes half of it,
    rounded toward 0 (an ability penalty's effect on its modifier); `negate` turns the figure into a penalty.
    "check" and an ability are skill checks with that one. `eased` are a feat, and topic and figure of what it
    makes of the change. "attack.dexterity", "attack.strength" and "damage.strength" count where that ability
    has a part. `only` names a contested rule and the reading under which the change holds; `each` counts it
    once for each level of the condition. The same figure of the same rule counts once, however many
    conditions lead to it, unless it stands `apart` for each.
    """

    stat: str
    topic: str
    path: tuple[str | int, ...]
    kind: str = "penalty"
    halve: bool = False
    only: tuple[str, str] | None = None
    negate: bool = False
    eased: tuple[str, str, str] | None = None
    each: bool = False
    apart: bool = False


def in_both_modes(stat: str, topic: str, *path: str, kind: str = "penalty") -> tuple[Change, Change]:
    """Return the change of a stat by one figure, in melee and at range alike."""
    return Change(f"{stat}.melee", topic, path, kind), Change(f"{stat}.ranged", topic, path, kind)


def by_columns(
    stat: str, topic: str, melee: str = "penalty", ranged: str = "penalty"
) -> tuple[Change, Change]:
    """Return the change of a stat by a row of the modifier tables, whose columns are melee and ranged."""
    return (
        Change(f"{stat}.melee", topic, ("melee",), melee),
        Change(f"{stat}.ranged", topic, ("ranged",), ranged),
    )


class ConditionRule(Struct, frozen=True):
    """What a condition does.

    `topic` names the rule that defines it. `actions` is "any", "single" (one standard or move
    action), "move", "flight" (what gets one away), "mental" (what takes the mind alone) or "none";
    `dexterity` False denies the Dexterity bonus to the defense; `reactions` False forbids attacks of
    opportunity; `helpless` leaves the creature at anybody's mercy; `rushes` False forbids to run and
    charge; `down` means it neither threatens nor counts as
    standing. `shoots` names the weapon families that can still be used at range (None: all);
    `casting` is topic and path of the figure of the concentration check that casting takes. `sightless` is
    topic and figure of the miss chance that one's own blows have who cannot see, `veils` of that of blows
    at its bearer; `shieldless` means that no shield bonus counts, `throws` False that thrown weapons are
    useless. What a condition brings about by itself are steps: `each_turn` as a turn of its bearer begins,
    `turn_over` as it ends, `hurt` when damage has been taken, `healed` when a cure has given hit points.
    `budget` names the figure that says what the condition leaves of a turn, and comes before `actions`.
    It `empties` the hands. With `reflexes` Combat Reflexes lets one react all the same; who is `off_guard`
    by it is flat-footed, and keeps its Dexterity by uncanny dodge.
    Who is `inside` another by it takes up no square of its own.
    `part_of` are greater conditions that have this one in them: its changes do not
    count beside theirs.
    """

    topic: str
    changes: tuple[Change, ...] = ()
    actions: str = "any"
    dexterity: bool = True
    dexterity_topic: str = ""
    reactions: bool = True
    helpless: bool = False
    moves: bool = True
    rushes: bool = True
    down: bool = False
    shoots: tuple[str, ...] | None = None
    casting: tuple[str, ...] | None = None
    budget: str = ""
    empties: bool = False
    reflexes: bool = False
    off_guard: bool = False
    sightless: tuple[str, str] | None = None
    veils: tuple[str, str] | None = None
    part_of: tuple[str, ...] = ()
    shieldless: bool = False
    throws: bool = True
    inside: bool = False
    each_turn: Callable[[Context, Combatant], Steps[None]] | None = None
    turn_over: Callable[[Context, Combatant], Steps[None]] | None = None
    hurt: Callable[[Context, Combatant], Steps[None]] | None = None
    healed: Callable[[Context, Combatant], Steps[None]] | None = None


class Step(NamedTuple):
    """What one cause makes of an ability: the modifier `before` and `after` it, and the score then."""

    before: int
    after: int
    score: int
    source: str
    rule: str


def known_conditions(dialect: Any) -> frozenset[str]:
    """Return every condition that a dialect knows by its name."""
    conditions: Conditions = dialect.conditions
    return conditions.states.union(conditions.table)


def lone_conditions(dialect: Any) -> frozenset[str]:
    """Return every condition that a danger, a spell or a blow can bring over one combatant by itself."""
    conditions: Conditions = dialect.conditions
    return known_conditions(dialect) - conditions.paired - conditions.cast - conditions.degrees.keys()


class Conditions(Chapter, frozen=True, kw_only=True):
    """Conditions and how they come over a combatant.

    table: what each condition adds, denies and forbids, by its name.
    states: what else may last on somebody, which rules ask for by its name.
    leveled: those that have a level which an entry may say: how many times over, or how high.
    degrees: those that are nothing without a degree, each with the exposure that says it.
    paired: those that last between two, which no danger gives by their name.
    cast: those that hang on a spell of their bearer's, which its casting alone gives.
    local: those of one place or moment, or of somebody's hold: nobody takes them into another fight.
    unthreatening: those whose bearer threatens nobody.
    gain: how a condition comes over a combatant.
    lapses: what a combatant cannot go on with under a condition that has come over it, in whatever way.
    start: how a combatant enters under a condition.
    time_over: how a condition ends that has lasted as long as it was to, and what ends with it.
    over: what a condition leaves behind that time, a spell or the game master has ended, given as it was.
    felling: the conditions under which a combatant lies, with empty hands.
    limp: what else follows when a combatant comes to lie at anybody's mercy or is out of the fight.
    take_rider: what comes along with a blow or spell besides damage.
    immune_mind: the rules by which a state of mind cannot come over a combatant.
    immune_natures: what a creature may be, and topic and path of the figure of what such are immune to.
    score_steps: what changes an ability's modifier for a use of it, cause by cause.
    """

    table: Mapping[str, ConditionRule]
    states: frozenset[str]
    leveled: frozenset[str]
    degrees: Mapping[str, str]
    paired: frozenset[str]
    cast: frozenset[str]
    local: frozenset[str]
    unthreatening: frozenset[str]
    gain: Callable[[Context, ConditionGained], Steps[None]]
    lapses: Callable[[Context, ConditionGained], Steps[None]]
    start: Callable[[Context, ConditionGained], Steps[None]]
    time_over: Callable[[Context, Combatant, str], Steps[None]]
    over: Callable[[Context, Combatant, str, Condition], Steps[None]]
    felling: frozenset[str]
    limp: Callable[[Context, Combatant], Steps[None]]
    take_rider: Callable[[Context, Combatant, Rider], Steps[None]]
    immune_mind: Callable[[Context, Combatant, str], tuple[str, ...]]
    immune_natures: Mapping[str, tuple[str, ...]]
    score_steps: Callable[[Context, Combatant, str, str], tuple[Step, ...]]
