"""The narrator: facts in, lines out."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from affray.engine.book import Book
from affray.events.errors import AffrayError
from affray.events.facts import chains, combat, declared, flow
from affray.events.facts.rolled import Rolled
from affray.projections.fold import apply
from affray.projections.sentence import sentence
from affray.projections.state import Encounter
from affray.replay.narrate import chains_told, combat_told, flow_told, harm_told
from affray.replay.narrate.board import board
from affray.replay.narrate.cast import legend
from affray.replay.narrate.line import Line, in_rows, plain
from affray.replay.narrate.listing import ALONE, kind_of, told
from affray.replay.narrate.tale import Tale

Teller = Callable[[Tale, Any], None]

TELLERS: dict[type, Teller] = {
    declared.Declared: flow_told.declare,
    declared.Asked: flow_told.asked,
    declared.Chosen: flow_told.chosen,
    declared.Invalidated: flow_told.invalidated,
    declared.Disputed: flow_told.disputed,
    flow.SeedContributed: flow_told.contributed,
    chains.ChainBegun: chains_told.begun,
    chains.LinkGiven: chains_told.given,
    chains.ChainLeft: chains_told.left,
    declared.Ruled: flow_told.ruled,
    declared.BranchPromoted: flow_told.promoted,
    flow.EncounterOpened: flow_told.opened,
    flow.OptionsChanged: flow_told.options,
    flow.CombatantEntered: flow_told.entered,
    flow.AwarenessSettled: flow_told.awareness,
    flow.InitiativeRolled: flow_told.initiative,
    flow.OrderSet: flow_told.order,
    flow.RoundBegan: flow_told.round_began,
    flow.PhaseChanged: flow_told.phase,
    flow.RoundEnded: flow_told.round_ended,
    flow.TurnBegan: flow_told.turn_began,
    flow.TurnEnded: flow_told.turn_ended,
    flow.ReactionSpent: flow_told.reacted,
    flow.PlanMade: flow_told.planned,
    flow.InitiativeChanged: flow_told.reordered,
    flow.ReadyEnded: flow_told.ready_ended,
    flow.CastingBegan: flow_told.casting_began,
    flow.CastingEnded: flow_told.casting_ended,
    flow.EncounterDecided: flow_told.decided,
    flow.EncounterClosed: flow_told.closed,
    flow.RuleApplied: flow_told.applied,
    combat.Moved: combat_told.moved,
    combat.Mounted: combat_told.mounted,
    combat.Dismounted: combat_told.dismounted,
    combat.Provoked: combat_told.provoked,
    combat.AttackResolved: combat_told.attack_resolved,
    combat.ConfirmationResolved: combat_told.confirmed,
    combat.MissChanceResolved: combat_told.miss_chance,
    combat.DamageResolved: combat_told.damaged,
    combat.HitPointsChanged: combat_told.hit_points,
    combat.ConditionGained: combat_told.gained,
    combat.ConditionLost: combat_told.condition_lost,
    combat.EffectGained: combat_told.effect,
    combat.CheckResolved: combat_told.checked,
    combat.ContestResolved: combat_told.contested,
    combat.TurningResolved: combat_told.turning,
    combat.SideChanged: combat_told.side,
    combat.ItemChanged: combat_told.item,
    combat.GripChanged: combat_told.grip,
    combat.ItemStruck: combat_told.item_struck,
    combat.InjurySuffered: combat_told.injured,
    combat.AbilityChanged: harm_told.ability_changed,
    combat.FeatsChanged: harm_told.feats_changed,
    combat.AfflictionHeld: harm_told.wounded,
    combat.AfflictionEnded: harm_told.relieved,
    flow.TimePassed: harm_told.time,
}
"""How each fact is told."""

SILENT: frozenset[type] = frozenset(
    {
        flow.BudgetRenewed,
        flow.ActionSpent,
        flow.TurnDelayed,
        combat.MountDirected,
        flow.ActReadied,
        combat.EffectEnded,
        combat.ResourceSpent,
        combat.MaximumChanged,
        combat.DoorMoved,
    }
)
"""Facts that a story leaves to the log: their declaration or their consequence says it."""

_OWN_MOVE = (combat.Moved, combat.Provoked, flow.ActionSpent)


class Untellable(AffrayError):
    """A fact that cannot follow from those before: the log is broken, whatever its digests say."""

    status = 1

    def __init__(self, fact: Any, error: Exception) -> None:
        what = fact.__struct_config__.tag
        super().__init__(
            f"broken log: {what} does not fit what was told before ({error!r}); see affray verify"
        )


class Narrator:
    """Tells a fight as it happens. Folds a state of its own along; `book` gives titles to rules."""

    def __init__(
        self, state: Encounter | None = None, names: Mapping[str, str] | None = None, book: Book | None = None
    ) -> None:
        """Begin at `state`, which is carried along and must not be shared; at nothing without one."""
        self.state = state if state is not None else Encounter()
        self.book = book
        self._tale = Tale(self.state, names)

    def tell(self, facts: Iterable[Any]) -> Iterator[Line]:
        """Yield the lines for these facts, the last one too: nothing stays behind.

        Raises Untellable for a fact that cannot follow from those before.
        """
        for fact in facts:
            try:
                yield from self._one(fact)
            except (LookupError, AttributeError, TypeError, ValueError) as error:
                raise Untellable(fact, error) from error
        tale = self._tale
        tale.leave(())
        tale.close()
        yield from self._drain()

    def hear(self, facts: Iterable[Any]) -> None:
        """Take in facts that have been told already, whose dice may still lie on the table."""
        for fact in facts:
            for _ in self._one(fact):
                pass
        self._tale.close()
        self._tale.out = []

    def brief(self, fact: Any) -> str:
        """Return one fact as one line of text that needs no other: for lists of events."""
        return self.entry(fact).text

    def entry(self, fact: Any) -> Line:
        """Return one fact as one line that needs no other, for lists of events, which have no maps.

        Every fact has words here, those too that a story leaves out or joins to others.
        Raises Untellable for a fact that cannot follow from those before.
        """
        tale = self._tale
        tale.forget(_keys(fact), _needs_all_dice(fact))
        try:
            said = [line for line in self._one(fact) if line.kind != "map"]
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            raise Untellable(fact, error) from error
        tale.close()
        said += [line for line in self._drain() if line.kind != "map"]
        if said and type(fact) not in ALONE:
            return Line(said[0].kind, "; ".join(line.text for line in said))
        return Line(said[0].kind if said else kind_of(fact), told(fact, tale.cast))

    def standing(self) -> Iterator[Line]:
        """Yield where the fight stands: the map and everybody's health."""
        cast = self._tale.cast
        if self.state.terrain:
            yield Line("map", in_rows((*board(self.state, cast), *legend(self.state, cast))))

    def _one(self, fact: Any) -> Iterator[Line]:
        tale = self._tale
        if type(fact) is Rolled:
            tale.table[fact.key] = fact
            tale.place(fact.key)
            return
        if tale.table and not _needs_all_dice(fact):
            tale.leave(_keys(fact))
        if isinstance(fact, _OWN_MOVE) and fact.who == tale.actor:
            tale.depth = 0
        if type(fact) is declared.Refused:
            flow_told.refuse(tale, fact, self.book)
        elif type(fact) not in SILENT:
            TELLERS.get(type(fact), _unheard)(tale, fact)
        apply(self.state, fact)
        yield from self._drain()

    def _drain(self) -> Iterator[Line]:
        lines, self._tale.out = self._tale.out, []
        yield from lines


def _unheard(tale: Tale, fact: Any) -> None:
    """Say a fact that has no words yet as an audit does."""
    tale.say("note", sentence(tale.cast.saying(fact)))


def _needs_all_dice(fact: Any) -> bool:
    """Say whether the dice on the table stay there: two throw, or people throw one die after the other."""
    kind: type = type(fact)
    return kind in (Rolled, combat.ContestResolved) or (kind is declared.Asked and bool(fact.notation))


def _keys(fact: Any) -> tuple[str, ...]:
    """Return the keys of the rolls that a fact speaks of."""
    if type(fact) in (combat.DamageResolved, combat.ItemStruck):
        return tuple(part.key for part in fact.dice)
    return tuple(key for name in ("key", "damage_key") if (key := getattr(fact, name, "")))


def lines(
    facts: Iterable[Any], names: Mapping[str, str] | None = None, book: Book | None = None, width: int = 80
) -> Iterator[str]:
    """Yield a whole fight as rows of plain text. O(facts), memory as large as the state."""
    for line in Narrator(None, names, book).tell(facts):
        yield from plain(line, width)
