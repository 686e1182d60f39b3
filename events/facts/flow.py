"""Facts about the course of an encounter: declarations, order, rounds, turns, action budgets, dice chains."""

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
from affray.events.facts.words import DialectWords

# --- Outcomes about the encounter: opening, order, rounds, turns, action budgets

Packages = Annotated[tuple[Package, ...], Meta(max_length=100)]

Plans = Annotated[tuple[tuple[Name, Name, Name], ...], Meta(max_length=1000)]
"""The planned actions: type, action and target of each."""


class EncounterOpened(Fact, frozen=True, gc=False, kw_only=True, tag="encounter.opened"):
    """An encounter was opened, with its dialect, readings and house rules, map, and commitment to the dice.

    `commitment` is the hash of the dice seed, which the closing event reveals. `tables` are those that
    replace the dialect's in this campaign: rule id -> rows as JSON text. `packages` are the dialect, if it
    does not ship with the engine, and the house rules in order; absent if there are none. `until_closed`
    means that turns continue until the fight is closed; logs of versions 1 and 2 lack it: there, turns ended
    when only one side was left standing. `things_lie` means that a thrown weapon leaves the hand, and that
    the squares of dropped things are recorded; in logs without it a thrown weapon was in hand again.
    `defaults` is the number of the default readings, used for contested rules that `options` does not name.
    Logs without it keep the defaults of their time. `words` are those of an installed dialect.
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
    words: DialectWords | UnsetType = UNSET


class SeedContributed(Struct, frozen=True, gc=False, tag_field="type", tag="seed.contributed"):
    """A player contributed `words` to the seed of the dice, which is made of all of them and the secret seed.

    It comes before the first declaration, so that no one can know any die in advance.
    """

    by: Name
    words: Words


class OptionsChanged(Fact, frozen=True, gc=False, kw_only=True, tag="options.changed"):
    """These readings and house rules apply from now on; options not named are unchanged.

    `by` is the person who decided it. If a ruling changes readings for one declaration, `restores` holds
    those that return after it; otherwise the field is absent.
    """

    options: Readings
    by: Words = ""
    restores: Readings | UnsetType = UNSET


class CombatantEntered(Fact, frozen=True, gc=False, kw_only=True, tag="combatant.entered"):
    """A combatant entered the map.

    `unusable` are the feats of its sheet without effect, because their prerequisites are missing.
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
        """Raise ValueError if no combatant could fight with this sheet."""
        if fault := beyond_bounds(self.sheet):
            raise ValueError(fault)


class AwarenessSettled(Fact, frozen=True, gc=False, kw_only=True, tag="awareness.settled"):
    """The combatants aware of their opponents as the fight begins, and those surprised."""

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
    """The round enters another phase: "declare", "turns"."""

    phase: Name


class RoundEnded(Fact, frozen=True, gc=False, kw_only=True, tag="round.ended"):
    """A round ended; `state` is the digest of the folded state before this event.

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
    """A combatant's turn ended; `skipped` is the reason if it could do nothing."""

    who: Name
    skipped: Told = ""


class BudgetRenewed(Fact, frozen=True, gc=False, kw_only=True, tag="budget.renewed"):
    """A combatant's "actions", "reactions" or both are reset."""

    who: Name
    what: Texts


class ActionSpent(Fact, frozen=True, gc=False, kw_only=True, tag="action.spent"):
    """Part of a turn was used: `kind` is standard, move, full-round, swift, free, step, feet, ...

    `also` are other counts of the turn that rise by the same amount: attacks made, and those with a weapon.
    """

    who: Name
    kind: Words
    what: Told
    amount: Sum = 1
    also: Texts | UnsetType = UNSET


class ReactionSpent(Fact, frozen=True, gc=False, kw_only=True, tag="reaction.spent"):
    """An attack of opportunity or another combat reaction was used.

    `opportunity` identifies what provoked it, so that each opportunity is used at most once.
    """

    who: Name
    kind: Words
    against: Words
    opportunity: Words
    amount: Sum = 1


class PlanMade(Fact, frozen=True, gc=False, kw_only=True, tag="plan.made"):
    """A combatant has planned its actions for this round."""

    who: Name
    actions: Plans


class TurnDelayed(Fact, frozen=True, gc=False, kw_only=True, tag="turn.delayed"):
    """A combatant delayed its turn."""

    who: Name


class InitiativeChanged(Fact, frozen=True, gc=False, kw_only=True, tag="initiative.changed"):
    """A combatant has a new initiative count, directly ahead of `before` ("" = last)."""

    who: Name
    value: Sum
    order: Ids
    before: Words = ""


class ActReadied(Fact, frozen=True, gc=False, kw_only=True, tag="act.readied"):
    """A combatant has readied an act for a trigger."""

    who: Name
    act: Ready


class ReadyEnded(Fact, frozen=True, gc=False, kw_only=True, tag="ready.ended"):
    """A readied act was taken ("triggered") or is lost ("lapsed")."""

    who: Name
    how: Words


class CastingBegan(Fact, frozen=True, gc=False, kw_only=True, tag="casting.began"):
    """A combatant is casting a spell that takes effect just before its turn in round `due`.

    With `when` "turn-end" or "round-end" it is cast and takes effect at that moment of the round instead;
    with "turn-start" it is one of several castings that take effect just before the turn.
    """

    who: Name
    act: Cast
    due: Count
    when: Name = ""


class CastingEnded(Fact, frozen=True, gc=False, kw_only=True, tag="casting.ended"):
    """A long casting ended, "complete" or "lost"; `spell` names it if there are several."""

    who: Name
    how: Words
    spell: Words = ""


class EncounterDecided(Fact, frozen=True, gc=False, kw_only=True, tag="encounter.decided"):
    """At most one side is left standing; the fight is over when the game master closes it.

    `side` is that side, "" for none, and `standing` lists its combatants that can still fight.
    """

    side: Name
    standing: Ids


class EncounterClosed(Fact, frozen=True, gc=False, kw_only=True, tag="encounter.closed"):
    """The encounter was closed; `seed` (hex) opens the commitment of its first event."""

    reason: Told
    standing: Ids
    seed: Name


class RuleApplied(Fact, frozen=True, gc=False, kw_only=True, tag="rule.applied"):
    """A rule decided something without a number, described in `what` for the audit trail.

    `squares` are the squares of an area: a burst or automatic fire. `corner` is the grid corner where
    something thrown lands or bursts, `aimed` the square it was thrown at. They are absent if they do not
    apply.
    """

    who: Name
    what: Told
    squares: Places | UnsetType = UNSET
    corner: Place | UnsetType = UNSET
    aimed: Place | UnsetType = UNSET


class TimePassed(Fact, frozen=True, gc=False, kw_only=True, tag="time.passed"):
    """`minutes` passed outside of combat; what lasts some rounds is `rounds` nearer to its end."""

    minutes: Count
    what: Told = ""
    rounds: Count | UnsetType = UNSET


# --- Declarations, refusals, questions, answers, disputes and rulings

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
"""The prefix of ids of refused declarations, which are numbered separately."""


class Declared(Struct, frozen=True, gc=False, tag_field="type", tag="declared"):
    """A declaration. `id` counts declarations (d1, d2, ...), and refused ones separately (x1, x2, ...).

    In older logs refused ones count with the others. A declaration inserted by a ruling has the id of its
    neighbour with a number added (d5.1, xd5.1). A player's declaration at a served table has `by_chance`:
    whether its words happen to name a combatant that was hidden from that player.
    """

    id: Name
    act: AnyAct
    by: Name = ""
    by_chance: bool | UnsetType = UNSET


class Refused(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="type", tag="refused"):
    """The rules refused the declaration; nothing changed.

    On a branch, a declaration that was refused on the original line stays refused (`stays`), even if the
    rules would allow it there, for the original reason. The field is written only if true.
    """

    id: Name
    reason: Told
    rule: Name
    stays: bool = False


class Asked(Struct, frozen=True, gc=False, tag_field="type", tag="asked"):
    """The fight waits for an answer; for a roll, `notation` is the dice to roll."""

    key: Words
    who: Name
    question: Told
    options: Texts
    rule: Name = ""
    notation: Words = ""


class Chosen(Struct, frozen=True, gc=False, tag_field="type", tag="chosen"):
    """A question was answered. `by` is a person, the script, or the name of a policy."""

    key: Words
    who: Name
    answer: Words
    by: Name
    question: Told = ""
    options: Texts = ()
    rule: Name = ""


class Invalidated(Struct, frozen=True, gc=False, tag_field="type", tag="invalidated"):
    """On a branch, a recorded declaration became impossible and was skipped."""

    id: Name
    reason: Told
    rule: Name


class Disputed(Struct, frozen=True, gc=False, tag_field="type", tag="disputed"):
    """A dispute of event `event`, which belongs to declaration `subject`. `id`: Q1, Q2, ...

    `by_chance` has the same meaning as in a declaration.
    """

    id: Name
    by: Name
    claim: Words
    event: Count
    subject: Name = ""
    by_chance: bool | UnsetType = UNSET


class Ruled(Struct, frozen=True, gc=False, tag_field="type", tag="ruled"):
    """A ruling of the game master.

    `verdict` is void, upheld, overturned, amended, or ends (a ruling stops applying). Outcomes cite `id` (R1,
    R2, ...) as ruling:R1; `dispute` is the dispute it settles, `event` the event it is about on the original
    line. `scope` is event, onward or fight; `changes` are its effects.
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
    """A branch became the main line."""

    name: Name
    by: Words = ""


# --- Rolls of dice


class Rolled(Struct, frozen=True, gc=False, tag_field="type", tag="rolled"):
    """Dice were rolled for the purpose that `key` names.

    `faces` are all dice in the order rolled; `dropped`, `rerolled` and `exploded` are indices into
    them; `total` includes the notation's constants. `provenance` is seeded, joint or alone (from links of
    chains), physical, scripted, imported, overridden, or the ruling that set them.
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


# --- Hash chains that determine the dice: begun, revealed link by link, left

Hash = Annotated[str, Meta(max_length=64)]
"""32 bytes as hexadecimal digits; any other text fails the comparison with a chain."""

Length = Annotated[int, Meta(ge=1, le=65_536)]
"""The number of links in a chain."""


class ChainBegun(Struct, frozen=True, gc=False, tag_field="type", tag="chain.begun"):
    """The dice depend on the links of this chain from now on.

    `by` is a player, or "" for the game master. The `anchor` is sha256 of link 1, and each of the `length`
    links is sha256 of the next.
    """

    by: Name
    anchor: Hash
    length: Length


class LinkGiven(Struct, frozen=True, gc=False, tag_field="type", tag="link.given"):
    """A link was revealed for the declaration that waited for it.

    A player's number is the next that is on no line of the log, the game master's the next on this line.
    """

    by: Name
    number: Count
    link: Hash


class ChainLeft(Struct, frozen=True, gc=False, tag_field="type", tag="chain.left"):
    """A player reveals no more links: from now on, including the declaration that waited for one, the dice
    depend only on the other chains.
    """

    by: Name
    reason: Words = ""
