"""Outcomes that move the encounter along: opening, order, rounds, turns, budgets."""

from msgspec import UNSET, UnsetType, field

from affray.events.facts.acts import Cast, Ready
from affray.events.facts.base import Fact
from affray.events.facts.modifier import Modifier
from affray.events.facts.package import Package
from affray.events.facts.sheet import Sheet
from affray.events.facts.terrain import Barrier, Ground, Square


class EncounterOpened(Fact, frozen=True, gc=False, kw_only=True, tag="encounter.opened"):
    """An encounter exists: its dialect, its readings and house rules, its map, its sealed dice.

    `commitment` is the hash of the dice seed, which the closing event reveals. `tables` are those that the
    campaign put in place of the dialect's: rule id -> rows as JSON text. `packages` are the dialect, if it
    does not ship with the engine, and the house rules in their order; absent where there are none.
    `until_closed` says that turns go on until the fight is closed; logs of versions 1 and 2 lack it: in them
    none came once one side at most had somebody standing.
    """

    name: str
    dialect: str
    options: dict[str, str]
    terrain: tuple[str, ...]
    commitment: str
    algorithm: str
    engine: str
    catalogue: str
    barriers: tuple[Barrier, ...] = ()
    ground: tuple[Ground, ...] = ()
    tables: dict[str, str] = field(default_factory=dict)
    packages: tuple[Package, ...] | UnsetType = UNSET
    until_closed: bool = False


class OptionsChanged(Fact, frozen=True, gc=False, kw_only=True, tag="options.changed"):
    """From here on these readings and house rules hold; options not named stay as they were.

    `by` tells who decided so.
    """

    options: dict[str, str]
    by: str = ""


class CombatantEntered(Fact, frozen=True, gc=False, kw_only=True, tag="combatant.entered"):
    """A combatant stands on the map."""

    id: str
    side: str
    sheet: Sheet
    at: Square
    space: int
    reach: int
    hp: int
    max_hp: int
    nonlethal: int
    held: tuple[str, ...]
    acted: bool
    policy: str
    initiative: int | None = None


class AwarenessSettled(Fact, frozen=True, gc=False, kw_only=True, tag="awareness.settled"):
    """Who knows of their opponents as the fight begins, and who is surprised."""

    aware: tuple[str, ...]
    surprised: tuple[str, ...]


class InitiativeRolled(Fact, frozen=True, gc=False, kw_only=True, tag="initiative.rolled"):
    """A combatant has an initiative result."""

    who: str
    key: str
    natural: int
    total: int
    modifier: int
    parts: tuple[Modifier, ...]


class OrderSet(Fact, frozen=True, gc=False, kw_only=True, tag="order.set"):
    """The order of turns, first to last; `why` names ties and how they were broken."""

    order: tuple[str, ...]
    why: str = ""


class RoundBegan(Fact, frozen=True, gc=False, kw_only=True, tag="round.began"):
    """A round begins. Round 0 is the surprise round."""

    number: int
    phase: str = "turns"


class PhaseChanged(Fact, frozen=True, gc=False, kw_only=True, tag="phase.changed"):
    """The round passes into another phase: "declare", "turns"."""

    phase: str


class RoundEnded(Fact, frozen=True, gc=False, kw_only=True, tag="round.ended"):
    """A round is over; `state` is the digest of the folded state before this event.

    `view` is the number of the canonical view of the state that the digest covers.
    """

    number: int
    state: str
    view: int


class TurnBegan(Fact, frozen=True, gc=False, kw_only=True, tag="turn.began"):
    """A combatant's turn begins; `number` counts turns within the round from 1."""

    who: str
    number: int


class TurnEnded(Fact, frozen=True, gc=False, kw_only=True, tag="turn.ended"):
    """A combatant's turn is over; `skipped` says why nothing was done in it, if nothing could be."""

    who: str
    skipped: str = ""


class BudgetRenewed(Fact, frozen=True, gc=False, kw_only=True, tag="budget.renewed"):
    """What was spent counts anew: "actions", "reactions" or both."""

    who: str
    what: tuple[str, ...]


class ActionSpent(Fact, frozen=True, gc=False, kw_only=True, tag="action.spent"):
    """Part of a turn is used: `kind` standard, move, full-round, swift, free, step, feet, ..."""

    who: str
    kind: str
    what: str
    amount: int = 1


class ReactionSpent(Fact, frozen=True, gc=False, kw_only=True, tag="reaction.spent"):
    """An attack of opportunity or another combat reaction is used.

    `opportunity` identifies what provoked it, so that one opportunity is answered once.
    """

    who: str
    kind: str
    against: str
    opportunity: str
    amount: int = 1


class PlanMade(Fact, frozen=True, gc=False, kw_only=True, tag="plan.made"):
    """A combatant has said what it means to do this round."""

    who: str
    actions: tuple[tuple[str, str, str], ...]


class TurnDelayed(Fact, frozen=True, gc=False, kw_only=True, tag="turn.delayed"):
    """A combatant waits with its turn."""

    who: str


class InitiativeChanged(Fact, frozen=True, gc=False, kw_only=True, tag="initiative.changed"):
    """A combatant acts on another count from now on, directly ahead of `before` ("" = last)."""

    who: str
    value: int
    order: tuple[str, ...]
    before: str = ""


class ActReadied(Fact, frozen=True, gc=False, kw_only=True, tag="act.readied"):
    """A combatant waits for a trigger with an act in mind."""

    who: str
    act: Ready


class ReadyEnded(Fact, frozen=True, gc=False, kw_only=True, tag="ready.ended"):
    """A readied act was taken ("triggered") or is lost ("lapsed")."""

    who: str
    how: str


class CastingBegan(Fact, frozen=True, gc=False, kw_only=True, tag="casting.began"):
    """A combatant works on a spell that takes effect just before its turn in round `due`.

    `when` "turn-end" or "round-end" says that it is cast and takes effect at that moment of the round
    instead, "turn-start" that it is one of several under way that do so just before the turn.
    """

    who: str
    act: Cast
    due: int
    when: str = ""


class CastingEnded(Fact, frozen=True, gc=False, kw_only=True, tag="casting.ended"):
    """A long casting is over: "complete", or "lost"; `spell` names one of several under way."""

    who: str
    how: str
    spell: str = ""


class EncounterDecided(Fact, frozen=True, gc=False, kw_only=True, tag="encounter.decided"):
    """One side is all that stands, or nobody does; the fight is over when the game master closes it.

    `side` is that side, "" for none, and `standing` lists its combatants that stand.
    """

    side: str
    standing: tuple[str, ...]


class EncounterClosed(Fact, frozen=True, gc=False, kw_only=True, tag="encounter.closed"):
    """The encounter is over; `seed` (hex) opens the commitment of its first event."""

    reason: str
    standing: tuple[str, ...]
    seed: str


class RuleApplied(Fact, frozen=True, gc=False, kw_only=True, tag="rule.applied"):
    """A rule decided something that has no number: said in `what`, for the audit trail."""

    who: str
    what: str


class TimePassed(Fact, frozen=True, gc=False, kw_only=True, tag="time.passed"):
    """Outside of combat, `minutes` went by."""

    minutes: int
    what: str = ""
