"""What the skill of riding is for: control, knees, cover, sending the mount (srd35.skill.ride-table)."""

from affray.engine.fight.extent import Standing
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.mounted.rider_and_mount import guides, is_guided, rider_of
from affray.engine.rules.mounted.riding import ride_parts
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

BEHIND = "behind the mount"

#: What a rider may still do while its frightened mount is out of hand.
UNHINDERED = (
    acts.Enter,
    acts.Begin,
    acts.Close,
    acts.EndTurn,
    acts.Guide,
    acts.Dismount,
    acts.Speak,
    acts.Drop,
    acts.Delay,
    acts.Resume,
    acts.Hazard,
)

#: What nobody does while hanging beside the mount.
HINDERED = (
    acts.Attack,
    acts.FullAttack,
    acts.Charge,
    acts.Cast,
    acts.Touch,
    acts.Counter,
    acts.Ride,
    acts.Trip,
    acts.Disarm,
    acts.Sunder,
    acts.Grapple,
    acts.BullRush,
    acts.Overrun,
    acts.Reposition,
    acts.Drag,
    acts.Steal,
    acts.DirtyTrick,
    acts.CoupDeGrace,
    acts.Brace,
    acts.Aid,
)

#: What a mount without a guide never does.
FIGHTING = tuple(kind for kind in HINDERED if kind is not acts.Aid)


def is_trained(fight: Fight, steed: Combatant) -> bool:
    """Say whether a mount is trained for combat (srd35.mount.combat-trained)."""
    return is_listed(fight, steed, "trained")


def is_listed_as_frightened(fight: Fight, steed: Combatant) -> bool:
    """Say whether combat frightens a mount: the horses of the list, unless they are trained for it.

    srd35.mount.combat-trained.
    """
    return is_listed(fight, steed, "frightened") and not is_trained(fight, steed)


def is_listed(fight: Fight, steed: Combatant, column: str) -> bool:
    """Say whether a mount's name or one of its traits is, or ends with, a name of the list."""
    listed = fight.figure("mount.combat-trained", column)
    names = (steed.sheet.name.casefold(), *steed.sheet.traits)
    return any(name == one or name.endswith(f" {one}") for name in names for one in listed)


def refuse_astride(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse what a frightened or unguided mount, or hanging beside it, does not allow: to such a pair."""
    if actor.mount:
        steed = fight.state.combatants[actor.mount]
        refuse_out_of_hand(fight, actor, steed, act)
        if BEHIND in actor.conditions and isinstance(act, HINDERED):
            reason = f"{actor.id} hangs beside {steed.id} and neither attacks nor casts"
            raise Refusal(reason, fight.rule("skill.ride-details"))
        return
    rider = rider_of(fight, actor)
    if rider is not None and is_guided(fight, actor):
        refuse_out_of_hand(fight, rider, actor, act)
    elif isinstance(act, FIGHTING):
        raise Refusal(f"nobody guides {actor.id}, and it avoids combat", fight.rule("mount.riderless"))


def refuse_out_of_hand(fight: Fight, rider: Combatant, steed: Combatant, act: acts.Act) -> None:
    """Refuse to a rider and its frightened mount what comes before the control check of the turn.

    srd35.mount.control-check, srd35.mount.combat-trained.
    """
    if fight.state.active != rider.id or rider.spent.get("control"):
        return
    urging = isinstance(act, acts.Guide) and act.what in ("spur", "leap")
    if isinstance(act, UNHINDERED) and not urging:
        return
    if fight.dialect.mounted.frightened(fight, steed):
        raise Refusal(
            f"combat frightens {steed.id}: {rider.id} must control it first",
            fight.rule("mount.control-check"),
        )


def refuse_to_control(fight: Fight, rider: Combatant, steed: Combatant) -> None:
    """Refuse control of a mount that needs none, or is under control, and without the action for it."""
    if not fight.dialect.mounted.frightened(fight, steed):
        raise Refusal(f"{steed.id} needs no control", fight.rule("mount.combat-trained"))
    refuse_unless_allowed(fight, rider, "move")
    if rider.spent.get("control"):
        rule = fight.rule("mount.control-check")
        raise Refusal(f"{rider.id} has control of {steed.id} this round", rule)


def control(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Control a frightened mount: a move action each round; failure takes the whole round.

    srd35.mount.control-check, pf1.mount.control.
    """
    rules = fight.rules("mount.control-check", "mount.combat-trained")
    dc = fight.figure("mount.control-check", "ride_dc")
    parts = ride_parts(fight, rider, steed, rules[0])
    if (yield from check(fight, rider, "ride", parts, dc, *rules, why=f"to control {steed.id}")):
        yield ActionSpent(who=rider.id, kind="move", what=f"controls {steed.id}", cites=rules[:1])
        yield ActionSpent(who=rider.id, kind="control", what=f"controls {steed.id}", cites=rules[:1])
        return
    for one in (rider, steed):
        if not one.spent.get("full-round"):
            yield ActionSpent(who=one.id, kind="full-round", what="fright of the mount", cites=rules[:1])


def guide_with_knees(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Guide the mount with the knees for this turn, so that both hands are free: a free action, once."""
    check_turn(fight, rider)
    rule = fight.rule("mount.knees")
    if rider.spent.get("knees") or rider.spent.get("one hand"):
        raise Refusal(f"{rider.id} has tried to guide with the knees this turn", rule)
    parts = ride_parts(fight, rider, steed, rule)
    dc = fight.figure("mount.knees", "ride_dc")
    done = yield from check(fight, rider, "ride", parts, dc, rule, why="to guide with the knees")
    yield ActionSpent(who=rider.id, kind="free", what="guides with the knees", cites=(rule,))
    kind = "knees" if done else "one hand"
    yield ActionSpent(who=rider.id, kind=kind, what="both hands" if done else "one hand", cites=(rule,))


def refuse_to_hang(fight: Fight, rider: Combatant, steed: Combatant) -> None:
    """Refuse to drop down beside the mount to whoever hangs there already, or guides nothing."""
    rule = fight.rule("skill.ride-details")
    if BEHIND in rider.conditions:
        raise Refusal(f"{rider.id} hangs beside {steed.id} already", rule)
    if not guides(fight, rider):
        raise Refusal(f"{rider.id} does not guide {steed.id} and cannot hang beside it", rule)


def hang_beside_mount(fight: Fight, rider: Combatant, steed: Combatant, until: Until) -> Steps[None]:
    """Drop down beside the mount by a Ride check and take it for cover until then.

    As long the rider neither attacks nor casts (srd35.skill.ride-details, pf1.skill.ride).
    """
    rules = fight.rules("skill.ride-table", "skill.ride-details")
    parts = ride_parts(fight, rider, steed, rules[0])
    dc = fight.figure("skill.ride-table", "cover")
    if (yield from check(fight, rider, "ride", parts, dc, *rules, why="to hang beside the mount")):
        yield ConditionGained(who=rider.id, condition=BEHIND, source=steed.id, until=until, cites=rules)


def urge_on(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[bool]:
    """Spur the mount as a move action, once a round; return whether it is faster for a round.

    srd35.skill.ride-table, srd35.skill.ride-details, pf1.skill.ride.
    """
    rules = fight.rules("skill.ride-table", "skill.ride-details")
    if steed.resources.get(spurred_in(fight.state.round)):
        raise Refusal(f"{steed.id} has been spurred this round", rules[-1])
    yield spending(fight, rider, "move", "spurs the mount", rules[0])
    parts = ride_parts(fight, rider, steed, rules[0])
    dc = fight.figure("skill.ride-table", "spur")
    if not (yield from check(fight, rider, "ride", parts, dc, *rules, why="to spur the mount")):
        return False
    yield EffectGained(
        who=steed.id,
        id=f"{fight.declaration}:spur",
        stat="speed",
        modifier=fight.modifier("skill.ride-details", "spur_ft", kind="circumstance", source="spurred"),
        until=Until("turn-start", steed.id, fight.state.round + 1),
        cites=rules[-1:],
    )
    return True


def spurred_in(number: int) -> str:
    """Return the name under which it is noted that a mount was spurred in a round."""
    return f"spurred in round {number}"


def behind_mount(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the cover that its mount's body gives to a rider who hangs beside it."""
    if BEHIND not in blow.target.conditions or blow.attacker.id == blow.target.mount:
        return []
    blow.cites.append(fight.rule("skill.ride-details"))
    return [fight.modifier("ac-mod.cover", "melee", kind="cover", source=f"cover behind {blow.target.mount}")]


def reflex_behind_mount(
    fight: Fight, attacker: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return what a mount's body gives to a Reflex save (srd35.cover.reflex, pf1.cover.reflex)."""
    source = f"cover behind {target.mount}"
    return (fight.modifier("cover.reflex", "reflex", kind="cover", source=source),)


def from_above(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what a rider has over a creature on foot that is smaller than the mount.

    It is the bonus of higher ground, of which nobody has two (srd35.mount.higher-ground, pf1.mount.attack).
    """
    steed, target = fight.state.combatants[blow.attacker.mount], blow.target
    if target.mount or size_step(target) >= size_step(steed):
        return []
    return [fight.modifier("mount.higher-ground", "melee", kind="circumstance", source="higher ground")]


def direct_to_fight(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[bool]:
    """Let a rider send a trained mount into the fight; return whether the mount attacks.

    The Ride check is a free action and leaves the rider its own attacks; failure takes them, and whoever
    has made them already cannot direct the mount (srd35.skill.ride-table).
    """
    rule = fight.rule("skill.ride-table")
    parts = ride_parts(fight, rider, steed, rule)
    dc = fight.figure("skill.ride-table", "fight")
    if (yield from check(fight, rider, "ride", parts, dc, rule, why=f"to fight together with {steed.id}")):
        return True
    if rider.spent.get("standard") or rider.spent.get("full-round"):
        yield RuleApplied(who=rider.id, what=f"cannot direct {steed.id} as well", cites=(rule,))
        return False
    yield ActionSpent(who=rider.id, kind="standard", what=f"directs {steed.id}", cites=(rule,))
    return True
