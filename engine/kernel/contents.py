"""The kernel with a value at each of its points, from which a dialect without chapters starts."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import Square
from affray.engine.kernel import tactics, turns
from affray.engine.kernel.actions import actions_left
from affray.engine.kernel.fiat import fiat
from affray.engine.kernel.movement import measure, move, occupants, printed_space, printed_speed, refuse_step
from affray.engine.kernel.paths import moves
from affray.engine.kernel.places import in_line
from affray.engine.kernel.remarks import remarks
from affray.engine.modifiers import Tally, affected_parts
from affray.engine.record.acts import ActSpec, SheetNames
from affray.engine.record.chapters import StandingSums
from affray.engine.record.compose import prohibit
from affray.engine.record.kernel import Kernel
from affray.engine.steps import NOTHING, Refusal, Roll, Steps
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.acts import Act
from affray.events.facts.combat import ConditionLost
from affray.events.facts.flow import InitiativeRolled
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant, Effect


def roll_initiative(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Roll initiative with the dice of the dialect's test and the parts of the sheet."""
    rule = fight.rule("initiative")
    given = combatant.fixed_initiative
    listed = [
        Modifier(one.value, one.kind, one.source or one.kind, rule) for one in combatant.sheet.initiative
    ]
    tally = fight.stack(affected_parts(combatant, "initiative", listed))
    key, natural = "", 0
    if given is None:
        dice = fight.dialect.kernel.test_dice(fight, combatant, "initiative")
        rolled = yield Roll(combatant.id, "initiative", dice)
        key, natural = rolled.key, rolled.total
    yield InitiativeRolled(
        who=combatant.id,
        key=key,
        natural=natural,
        total=natural + tally.total if given is None else given,
        modifier=tally.total,
        parts=tally.parts,
        cites=(rule,),
    )


def add_up(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up all modifiers of all types."""
    return Tally(sum(one.value for one in parts if not one.denied), tuple(parts))


def one_d20(fight: Fight, combatant: Combatant, purpose: str) -> str:
    """Roll every test with 1d20."""
    return "1d20"


def no_face_decides(fight: Fight, purpose: str, cites: Collection[str]) -> tuple[int, int]:
    """Let no face of the dice fail or succeed by itself."""
    return 0, 0


def no_budget(fight: Fight, combatant: Combatant) -> Mapping[str, int]:
    """Allow no actions."""
    return {}


def no_action(fight: Fight, combatant: Combatant, act: Act) -> str:
    """Return "": no declaration takes an action."""
    return ""


def unwatched(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Return the steps of a declaration unchanged."""
    return steps


@per_company()
def nothing_follows(fight: Fight) -> tuple[object, ...]:
    """Return no facts: nothing follows from the state."""
    return ()


def rule_about(fight: Fight, kind: type[Act]) -> str:
    """Return the id of the rule that the dialect gives a declaration, otherwise of that on the encounter."""
    spec = fight.dialect.honours.get(kind)
    return fight.rule(spec.rule if spec is not None and spec.rule else "encounter")


def end_condition(fight: Fight, combatant: Combatant, condition: str) -> Steps[None]:
    """End a condition whose duration is over."""
    cites = (fight.dialect.kernel.ending_rule(fight, condition, None),)
    yield ConditionLost(who=combatant.id, condition=condition, why="its time is over", cites=cites)


def end_by_time(fight: Fight, combatant: Combatant, what: str | Effect) -> Steps[None]:
    """End a condition whose duration is over; an effect that is over leaves nothing behind."""
    return end_condition(fight, combatant, what) if isinstance(what, str) else NOTHING


def goes_along(fight: Fight, condition: str, source: str) -> str:
    """Return "": a combatant takes each of its conditions into another fight."""
    return ""


def by_duration(fight: Fight, condition: str, effect: Effect | None) -> str:
    """Return the rule on durations."""
    return fight.rule("duration")


def through_no_wall(fight: Fight, actor: Combatant, act: Act) -> None:
    """Refuse a declaration at a combatant without a line of effect to it."""
    target = fight.state.combatants.get(getattr(act, "target", ""))
    if target is not None and not in_line(fight, actor, target):
        raise Refusal(f"a wall is between {actor.id} and {target.id}", fight.rule("encounter"))


def nobody_near(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> list[Combatant]:
    """Return an empty list: leaving a square gives no enemy an attack."""
    return []


def cannot_react(fight: Fight, enemy: Combatant) -> bool:
    """Return False: there are no attacks out of turn."""
    return False


def no_reaction(fight: Fight, mover: Combatant, enemies: Sequence[Combatant]) -> Steps[bool | None]:
    """Do nothing: enemies let a mover go."""
    return NOTHING


def nothing_happens(fight: Fight, mover: Combatant, there: Square, how: str) -> None:
    """Return None: nothing happens to a mover in a square."""


def all_of_them(fight: Fight, mover: Combatant, others: Iterable[Combatant]) -> list[Combatant]:
    """Return all of them: every combatant perceives the others."""
    return list(others)


def itself(fight: Fight, combatant: Combatant) -> Combatant:
    """Return the combatant: it goes on foot."""
    return combatant


def unhurt(fight: Fight, victim: Combatant, before: int) -> Steps[None]:
    """Do nothing: hit points have no consequences."""
    return NOTHING


def nobody_unseen(fight: Fight, mover: Combatant, here: Square, there: Square, last: bool, how: str) -> None:
    """Return None: no unperceived combatant stops a step."""


def no_cover(fight: Fight, combatant: Combatant, other: Combatant, melee: bool) -> None:
    """Return None: there is no rule on cover."""


def nothing_proposed(fight: Fight, first: Collection[str]) -> None:
    """Return None: nothing is declared outside turns."""


def no_samples(
    fight: Fight,
    combatant: Combatant,
    kind: type[Act],
    candidates: Callable[[Fight, Combatant, type[Act]], Iterator[Act]],
) -> Iterator[Act]:
    """Yield nothing: every declaration can be listed."""
    return iter(())


def spells_left(fight: Fight, combatant: Combatant) -> Iterable[tuple[str, int]]:
    """Yield the spells with limited uses, and the ammunition of weapons."""
    for spell in combatant.sheet.spells:
        if spell.uses is not None:
            yield spell.name, spell.uses
    for weapon in combatant.sheet.weapons:
        if weapon.ammunition is not None:
            yield weapon.name, weapon.ammunition


def no_standing_sums(fight: Fight, attacker: Combatant, target: Combatant, weapon: str) -> StandingSums:
    """Say that a game without this point adds up nothing before a roll."""
    raise AffrayError(f"{fight.dialect.name} adds up no standing totals: affray why explains a rolled one")


KERNEL = Kernel(
    acts={
        acts.Enter: ActSpec(turns.enter, "id side sheet at hp held conditions initiative policy"),
        acts.Begin: ActSpec(turns.begin),
        acts.EndTurn: ActSpec(turns.end_turn),
        acts.Move: ActSpec(move, "path", how=("normal",)),
        acts.Speak: ActSpec(turns.speak, "words"),
        acts.Fiat: ActSpec(fiat, "target hp gains loses at text"),
        acts.Close: ActSpec(turns.close, "reason"),
    },
    rolls={"initiative": "1d20", "attack": "1d20", "damage": ""},
    initiative=roll_initiative,
    order=turns.order_by_total,
    open_round=turns.open_round,
    close_round=turns.close_round,
    open_turn=turns.open_turn,
    close_turn=turns.close_turn,
    budget=no_budget,
    action_type=no_action,
    prohibitions=prohibit(),
    through_walls=through_no_wall,
    can_act=turns.can_act,
    around=(),
    watch=unwatched,
    afterwards=nothing_follows,
    rule_about=rule_about,
    stack=add_up,
    test_dice=one_d20,
    single_dice=frozenset(),
    standing_sums=no_standing_sums,
    sure_faces=no_face_decides,
    injured=unhurt,
    conditions={},
    left_behind=goes_along,
    time_over=end_by_time,
    ending_rule=by_duration,
    space=printed_space,
    speed=printed_speed,
    measure=measure,
    occupants=occupants,
    refuse_step=refuse_step,
    leaving=nobody_near,
    can_react=cannot_react,
    react=no_reaction,
    arriving=nothing_happens,
    notices=all_of_them,
    unseen_in_step=nobody_unseen,
    goer=itself,
    sight=no_cover,
    reach_bands=tactics.reach_bands,
    arms=tactics.arms,
    pools=spells_left,
    left=actions_left,
    features={},
    sheet_names=SheetNames(),
    remarks=remarks,
    propose=nothing_proposed,
    next_declaration=tactics.next_declaration,
    proposals={acts.Move: moves},
    samples=no_samples,
    straight={},
)
"""Turns in the order of individual initiative, movement on foot, no actions and no way to attack."""
