"""How an encounter goes on: declarations, order, rounds, turns, budgets, chains of the dice."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, field

from affray.events.facts import acts
from affray.events.facts.acts import Cast, Ready
from affray.events.facts.base import (
    Count,
    Faces,
    Fact,
    Ids,
    Name,
    Place,
    Places,
    Reach,
    Readings,
    Side,
    Sum,
    Tables,
    Texts,
    Told,
    Words,
)
from affray.events.facts.sheet import Barriers, Grounds, Modifiers, Package, Rows, Sheet, beyond_bounds

# --- Outcomes that move the encounter along: opening, order, rounds, turns, budgets

Packages = Annotated[tuple[Package, ...], Meta(max_length=100)]

Plans = Annotated[tuple[tuple[Name, Name, Name], ...], Meta(max_length=1000)]
"""What each action takes, what it is and at whom."""


class EncounterOpened(Fact, frozen=True, gc=False, kw_only=True, tag="encounter.opened"):
    """An encounter exists: its dialect, its readings and house rules, its map, its sealed dice.

    `commitment` is the hash of the dice seed, which the closing event reveals. `tables` are those that the
    campaign put in place of the dialect's: rule id -> rows as JSON text. `packages` are the dialect, if it
    does not ship with the engine, and the house rules in their order; absent where there are none.
    `until_closed` says that turns go on until the fight is closed; logs of versions 1 and 2 lack it: in them
    none came once one side at most had somebody standing. `things_lie` says that a weapon that is thrown is
    out of hand, and that it is told where things lie; in logs without it a thrown weapon was in hand again.
    `defaults` numbers the default readings that hold where `options` name none. Logs without it keep the
    defaults of their time: those that a contested rule had before it was given another one.
    """

    name: Words
    dialect: Name
    options: Readings
    terrain: Rows
    commitment: Name
    algorithm: Name
    engine: Name
    catalogue: Name
    barriers: Barriers = ()
    ground: Grounds = ()
    tables: Tables = field(default_factory=dict)
    packages: Packages | UnsetType = UNSET
    until_closed: bool = False
    things_lie: bool = False
    defaults: Count = 0


class SeedContributed(Struct, frozen=True, gc=False, tag_field="type", tag="seed.contributed"):
    """A player gave `words` to the seed of the dice, which follows from all of them and the secret seed.

    It comes before the first declaration: by then nobody can know what any die will show.
    """

    by: Name
    words: Words


class OptionsChanged(Fact, frozen=True, gc=False, kw_only=True, tag="options.changed"):
    """From here on these readings and house rules hold; options not named stay as they were.

    `by` tells who decided so. Where a ruling changes readings for one declaration, `restores` has those that
    come back after it; the field is written only then.
    """

    options: Readings
    by: Words = ""
    restores: Readings | UnsetType = UNSET


class CombatantEntered(Fact, frozen=True, gc=False, kw_only=True, tag="combatant.entered"):
    """A combatant stands on the map.

    `unusable` are the feats of its sheet that give it nothing, since it lacks what they ask for.
    """

    id: Name
    side: Name
    sheet: Sheet
    at: Place
    space: Side
    reach: Reach
    hp: Sum
    max_hp: Sum
    nonlethal: Sum
    held: Texts
    acted: bool
    policy: Name
    initiative: Sum | None = None
    unusable: Texts | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise ValueError, for whoever reads it, if no combatant could fight with this sheet."""
        if fault := beyond_bounds(self.sheet):
            raise ValueError(fault)


class AwarenessSettled(Fact, frozen=True, gc=False, kw_only=True, tag="awareness.settled"):
    """Who knows of their opponents as the fight begins, and who is surprised."""

    aware: Ids
    surprised: Ids


class InitiativeRolled(Fact, frozen=True, gc=False, kw_only=True, tag="initiative.rolled"):
    """A combatant has an initiative result."""

    who: Name
    key: Words
    natural: Sum
    total: Sum
    modifier: Sum
    parts: Modifiers


class OrderSet(Fact, frozen=True, gc=False, kw_only=True, tag="order.set"):
    """The order of turns, first to last; `why` names ties and how they were broken."""

    order: Ids
    why: Told = ""


class RoundBegan(Fact, frozen=True, gc=False, kw_only=True, tag="round.began"):
    """A round begins. Round 0 is the surprise round."""

    number: Count
    phase: Name = "turns"


class PhaseChanged(Fact, frozen=True, gc=False, kw_only=True, tag="phase.changed"):
    """The round passes into another phase: "declare", "turns"."""

    phase: Name


class RoundEnded(Fact, frozen=True, gc=False, kw_only=True, tag="round.ended"):
    """A round is over; `state` is the digest of the folded state before this event.

    `view` is the number of the canonical view of the state that the digest covers.
    """

    number: Count
    state: Words
    view: Count


class TurnBegan(Fact, frozen=True, gc=False, kw_only=True, tag="turn.began"):
    """A combatant's turn begins; `number` counts turns within the round from 1."""

    who: Name
    number: Count


class TurnEnded(Fact, frozen=True, gc=False, kw_only=True, tag="turn.ended"):
    """A combatant's turn is over; `skipped` says why nothing was done in it, if nothing could be."""

    who: Name
    skipped: Told = ""


class BudgetRenewed(Fact, frozen=True, gc=False, kw_only=True, tag="budget.renewed"):
    """What was spent counts anew: "actions", "reactions" or both."""

    who: Name
    what: Texts


class ActionSpent(Fact, frozen=True, gc=False, kw_only=True, tag="action.spent"):
    """Part of a turn is used: `kind` standard, move, full-round, swift, free, step, feet, ..."""

    who: Name
    kind: Words
    what: Told
    amount: Sum = 1


class ReactionSpent(Fact, frozen=True, gc=False, kw_only=True, tag="reaction.spent"):
    """An attack of opportunity or another combat reaction is used.

    `opportunity` identifies what provoked it, so that one opportunity is answered once.
    """

    who: Name
    kind: Words
    against: Words
    opportunity: Words
    amount: Sum = 1


class PlanMade(Fact, frozen=True, gc=False, kw_only=True, tag="plan.made"):
    """A combatant has said what it means to do this round."""

    who: Name
    actions: Plans


class TurnDelayed(Fact, frozen=True, gc=False, kw_only=True, tag="turn.delayed"):
    """A combatant waits with its turn."""

    who: Name


class InitiativeChanged(Fact, frozen=True, gc=False, kw_only=True, tag="initiative.changed"):
    """A combatant acts on another count from now on, directly ahead of `before` ("" = last)."""

    who: Name
    value: Sum
    order: Ids
    before: Words = ""


class ActReadied(Fact, frozen=True, gc=False, kw_only=True, tag="act.readied"):
    """A combatant waits for a trigger with an act in mind."""

    who: Name
    act: Ready


class ReadyEnded(Fact, frozen=True, gc=False, kw_only=True, tag="ready.ended"):
    """A readied act was taken ("triggered") or is lost ("lapsed")."""

    who: Name
    how: Words


class CastingBegan(Fact, frozen=True, gc=False, kw_only=True, tag="casting.began"):
    """A combatant works on a spell that takes effect just before its turn in round `due`.

    `when` "turn-end" or "round-end" says that it is cast and takes effect at that moment of the round
    instead, "turn-start" that it is one of several under way that do so just before the turn.
    """

    who: Name
    act: Cast
    due: Count
    when: Name = ""


class CastingEnded(Fact, frozen=True, gc=False, kw_only=True, tag="casting.ended"):
    """A long casting is over: "complete", or "lost"; `spell` names one of several under way."""

    who: Name
    how: Words
    spell: Words = ""


class EncounterDecided(Fact, frozen=True, gc=False, kw_only=True, tag="encounter.decided"):
    """One side is all that stands, or nobody does; the fight is over when the game master closes it.

    `side` is that side, "" for none, and `standing` lists its combatants that stand.
    """

    side: Name
    standing: Ids


class EncounterClosed(Fact, frozen=True, gc=False, kw_only=True, tag="encounter.closed"):
    """The encounter is over; `seed` (hex) opens the commitment of its first event."""

    reason: Told
    standing: Ids
    seed: Name


class RuleApplied(Fact, frozen=True, gc=False, kw_only=True, tag="rule.applied"):
    """A rule decided something that has no number: said in `what`, for the audit trail.

    `squares` are those that an area covers: a burst, or what automatic fire sweeps. `corner` is the grid
    corner where something thrown comes to rest or bursts, `aimed` the square that it was thrown at. They are
    absent where nothing of the kind is decided.
    """

    who: Name
    what: Told
    squares: Places | UnsetType = UNSET
    corner: Place | UnsetType = UNSET
    aimed: Place | UnsetType = UNSET


class TimePassed(Fact, frozen=True, gc=False, kw_only=True, tag="time.passed"):
    """Outside of combat, `minutes` went by."""

    minutes: Count
    what: Told = ""


# --- What people said: declarations, refusals, questions and answers

AnyAct = (
    acts.Enter
    | acts.Begin
    | acts.Plan
    | acts.EndTurn
    | acts.Doable
    | acts.Ready
    | acts.Sleep
    | acts.Circumstance
    | acts.Hazard
    | acts.Rest
    | acts.Fall
    | acts.Expose
    | acts.Opening
    | acts.Rule
    | acts.Fiat
    | acts.Close
)


REFUSED = "x"
"""What the id of a refused declaration begins with: it moves no number of those that count."""


class Declared(Struct, frozen=True, gc=False, tag_field="type", tag="declared"):
    """Somebody said what they do. `id` counts declarations (d1, d2, ...), and apart those refused (x1, ...).

    In older logs refused ones count with the others. What a ruling puts in between has the id of its
    neighbour with a number behind it (d5.1, xd5.1). What a player says at a table that is served has
    `by_chance`: whether its words name a combatant that was hidden from that player. Then they tell nothing
    of it.
    """

    id: Name
    act: AnyAct
    by: Name = ""
    by_chance: bool | UnsetType = UNSET


class Refused(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", tag="refused"):
    """The rules forbid the declaration; nothing changed.

    On a branch a declaration that was refused on the line before `stays` so where the rules would allow it,
    for the reason it was refused then. The field is written only where it is true.
    """

    id: Name
    reason: Told
    rule: Name
    stays: bool = False


class Asked(Struct, frozen=True, gc=False, tag_field="type", tag="asked"):
    """The fight waits for an answer; for a roll, `notation` says which dice somebody must throw."""

    key: Words
    who: Name
    question: Told
    options: Texts
    rule: Name = ""
    notation: Words = ""


class Chosen(Struct, frozen=True, gc=False, tag_field="type", tag="chosen"):
    """A question was answered. `by` tells who: a person, the script, or the name of a policy."""

    key: Words
    who: Name
    answer: Words
    by: Name
    question: Told = ""
    options: Texts = ()
    rule: Name = ""


class Invalidated(Struct, frozen=True, gc=False, tag_field="type", tag="invalidated"):
    """On a branch, a recorded declaration has become impossible and is skipped."""

    id: Name
    reason: Told
    rule: Name


class Disputed(Struct, frozen=True, gc=False, tag_field="type", tag="disputed"):
    """Somebody contests event `event`, which belongs to declaration `subject`. `id`: Q1, Q2, ...

    `by_chance` is as in a declaration.
    """

    id: Name
    by: Name
    claim: Words
    event: Count
    subject: Name = ""
    by_chance: bool | UnsetType = UNSET


class Ruled(Struct, frozen=True, gc=False, tag_field="type", tag="ruled"):
    """The game master decided something by hand.

    `verdict` is void, upheld, overturned, amended, or ends (what a ruling lent is over). `id` (R1, R2,
    ...) is what outcomes cite as ruling:R1; `dispute` the dispute it settles, `event` the event it is
    about on the line that it leaves. `scope` is event, onward or fight, `changes` what the ruling means.
    """

    author: Words
    verdict: Name
    text: Words
    subject: Name = ""
    id: Name = ""
    dispute: Name = ""
    event: Count = 0
    scope: Name = "event"
    changes: Texts = ()


class BranchPromoted(Struct, frozen=True, gc=False, tag_field="type", tag="branch.promoted"):
    """From here on this branch is the main line."""

    name: Name
    by: Words = ""


# --- What the dice showed


class Rolled(Struct, frozen=True, gc=False, tag_field="type", tag="rolled"):
    """Dice were thrown for the purpose that `key` names.

    `faces` are all dice in the order thrown; `dropped`, `rerolled` and `exploded` are indices into
    them; `total` includes the notation's constants. `provenance`: seeded, joint or alone (from links of
    chains), physical, scripted, imported, overridden, or the ruling that gave them.
    """

    key: Words
    who: Name
    notation: Words
    faces: Faces
    total: Sum
    provenance: Name
    algorithm: Name
    dropped: Faces = ()
    rerolled: Faces = ()
    exploded: Faces = ()


# --- Chains of hashes whose links the dice follow from: begun, given away link by link, left

Hash = Annotated[str, Meta(max_length=64)]
"""32 bytes as hexadecimal digits; what is none, no chain fits."""

Length = Annotated[int, Meta(ge=1, le=65_536)]
"""How many links a chain has."""


class ChainBegun(Struct, frozen=True, gc=False, tag_field="type", tag="chain.begun"):
    """From here on the dice follow from links of this chain too.

    `by` is a player, "" the game master. The `anchor` is sha256 of link 1, and each of the `length` links is
    sha256 of the one after it.
    """

    by: Name
    anchor: Hash
    length: Length


class LinkGiven(Struct, frozen=True, gc=False, tag_field="type", tag="link.given"):
    """A link was given away for the declaration that waited for it.

    A player's number is the next that stands on no line of the log, the game master's the next on this line.
    """

    by: Name
    number: Count
    link: Hash


class ChainLeft(Struct, frozen=True, gc=False, tag_field="type", tag="chain.left"):
    """A player gives no more links: from here on, the declaration that waited for one included, the dice
    follow from those of the others alone.
    """

    by: Name
    reason: Words = ""
