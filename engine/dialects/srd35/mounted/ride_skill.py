"""What the skill of riding is for in a fight: control, knees, cover, spurs (srd35.skill.ride-table)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.gear.weapons_in_hand import is_lance
from affray.engine.rules.mounted.ride_skill import deny_riders_shield, is_frightened
from affray.engine.rules.mounted.rider_and_mount import guides, is_guided, rider_of
from affray.engine.rules.mounted.riding import ride_parts
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
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
    acts.CoupDeGrace,
    acts.Brace,
    acts.Aid,
)

#: What a mount without a guide never does.
FIGHTING = tuple(kind for kind in HINDERED if kind is not acts.Aid)


def refuse_astride(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse what a frightened or unguided mount, or hanging beside it, does not allow: to such a pair."""
    if actor.mount:
        steed = fight.state.combatants[actor.mount]
        refuse_out_of_hand(fight, actor, steed, act)
        if BEHIND in actor.conditions and isinstance(act, HINDERED):
            raise Refusal(f"{actor.id} hangs beside {steed.id}", fight.rule("srd35.skill.ride-details"))
        return
    rider = rider_of(fight, actor)
    if rider is not None and is_guided(fight, actor):
        refuse_out_of_hand(fight, rider, actor, act)
    elif isinstance(act, FIGHTING):
        raise Refusal(f"nobody guides {actor.id}, and it avoids combat", fight.rule("srd35.mount.riderless"))


def refuse_out_of_hand(fight: Fight, rider: Combatant, steed: Combatant, act: acts.Act) -> None:
    """Refuse to a rider and its frightened mount what comes before the control check of the turn.

    srd35.mount.control-check, srd35.mount.combat-trained.
    """
    if fight.state.active != rider.id or rider.spent.get("control"):
        return
    urging = isinstance(act, acts.Guide) and act.what in ("spur", "leap")
    if isinstance(act, UNHINDERED) and not urging:
        return
    if is_frightened(fight, steed):
        raise Refusal(
            f"combat frightens {steed.id}: {rider.id} must control it first",
            fight.rule("srd35.mount.control-check"),
        )


def control(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Control a frightened mount: a move action each round; failure takes the whole round.

    srd35.mount.control-check.
    """
    rules = fight.rules("srd35.mount.control-check", "srd35.mount.combat-trained")
    if not is_frightened(fight, steed):
        raise Refusal(f"{steed.id} needs no control", fight.rule("srd35.mount.combat-trained"))
    refuse_unless_allowed(fight, rider, "move")
    if rider.spent.get("control"):
        raise Refusal(f"{rider.id} has control of {steed.id} this round", rules[0])
    dc = fight.figure("srd35.mount.control-check", "ride_dc")
    parts = ride_parts(fight, rider, steed, rules[0])
    if (yield from check(fight, rider, "ride", parts, dc, *rules, why=f"to control {steed.id}")):
        yield ActionSpent(who=rider.id, kind="move", what=f"controls {steed.id}", cites=rules[:1])
        yield ActionSpent(who=rider.id, kind="control", what=f"controls {steed.id}", cites=rules[:1])
        return
    for one in (rider, steed):
        yield ActionSpent(who=one.id, kind="full-round", what="fright of the mount", cites=rules[:1])


def guide_with_knees(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Guide the mount with the knees for this turn, so that both hands are free: a free action, once."""
    check_turn(fight, rider)
    rule = fight.rule("srd35.mount.knees")
    if rider.spent.get("knees") or rider.spent.get("one hand"):
        raise Refusal(f"{rider.id} has tried that this turn", rule)
    parts = ride_parts(fight, rider, steed, rule)
    dc = fight.figure("srd35.mount.knees", "ride_dc")
    done = yield from check(fight, rider, "ride", parts, dc, rule, why="to guide with the knees")
    yield ActionSpent(who=rider.id, kind="free", what="guides with the knees", cites=(rule,))
    kind = "knees" if done else "one hand"
    yield ActionSpent(who=rider.id, kind=kind, what="both hands" if done else "one hand", cites=(rule,))


def refuse_both_hands(fight: Fight, combatant: Combatant, weapons: list[Weapon], second: str = "") -> None:
    """Refuse a rider what takes both hands while one of them holds the reins (srd35.mount.knees).

    A lance is couched in one hand; a `second` weapon takes the other hand.
    """
    if combatant.spent.get("knees"):
        return
    if second:
        raise Refusal(
            f"{combatant.id} needs a hand to guide the mount, and the other for the {second}",
            fight.rule("srd35.mount.knees"),
        )
    for weapon in weapons:
        both = weapon.hands == 2 or weapon.wield == "two-handed" or weapon.family == "bow"
        if (both and not is_lance(weapon)) or weapon.off_hand:
            raise Refusal(
                f"{combatant.id} needs a hand to guide the mount, and both for the {weapon.name}",
                fight.rule("srd35.mount.knees"),
            )


def lower_riders_shield(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Lower the shield of a rider until the next turn (srd35.mount.knees)."""
    yield from deny_riders_shield(
        fight, combatant, "srd35.mount.knees", Until("turn-start", combatant.id, fight.state.round + 1)
    )


def hang_beside_mount(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Drop down beside the mount and take it for cover, at any time and without an action.

    Until the rider's next turn it neither attacks nor casts (srd35.skill.ride-details).
    """
    rules = fight.rules("srd35.skill.ride-table", "srd35.skill.ride-details")
    if BEHIND in rider.conditions or not guides(fight, rider):
        raise Refusal(f"{rider.id} cannot drop down beside {steed.id} now", rules[1])
    parts = ride_parts(fight, rider, steed, rules[0])
    dc = fight.figure("srd35.skill.ride-table", "cover")
    if (yield from check(fight, rider, "ride", parts, dc, *rules, why="to hang beside the mount")):
        until = Until("turn-start", rider.id, fight.state.round + 1)
        yield ConditionGained(who=rider.id, condition=BEHIND, source=steed.id, until=until, cites=rules)


def behind_mount(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the cover that its mount's body gives to a rider who hangs beside it."""
    if BEHIND not in blow.target.conditions or blow.attacker.id == blow.target.mount:
        return []
    blow.cites.append(fight.rule("srd35.skill.ride-details"))
    return [
        fight.modifier(
            "srd35.ac-mod.cover", "melee", kind="cover", source=f"cover behind {blow.target.mount}"
        )
    ]


def from_above(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what a rider has over a creature on foot that is smaller than the mount.

    It is the bonus of higher ground, of which nobody has two (srd35.mount.higher-ground).
    """
    steed, target = fight.state.combatants[blow.attacker.mount], blow.target
    if target.mount or size_step(target) >= size_step(steed):
        return []
    return [fight.modifier("srd35.mount.higher-ground", "melee", kind="circumstance", source="higher ground")]


def spur(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Spur the mount: a move action; it is faster for a round and hurt, twice as much every round on end.

    srd35.skill.ride-table, srd35.skill.ride-details.
    """
    rules = fight.rules("srd35.skill.ride-table", "srd35.skill.ride-details")
    now = f"spurred in round {fight.state.round}"
    if steed.resources.get(now):
        raise Refusal(f"{steed.id} has been spurred this round", rules[1])
    yield spending(fight, rider, "move", "spurs the mount", rules[0])
    parts = ride_parts(fight, rider, steed, rules[0])
    dc = fight.figure("srd35.skill.ride-table", "spur")
    if not (yield from check(fight, rider, "ride", parts, dc, *rules, why="to spur the mount")):
        return
    yield EffectGained(
        who=steed.id,
        id=f"{fight.declaration}:spur",
        stat="speed",
        modifier=fight.modifier("srd35.skill.ride-details", "spur_ft", kind="circumstance", source="spurred"),
        until=Until("turn-start", steed.id, fight.state.round + 1),
        cites=rules[1:],
    )
    before = steed.resources.get(f"spurred in round {fight.state.round - 1}", 0)
    hurt = before * int(fight.figure("srd35.skill.ride-details", "spur_doubling"))
    hurt = hurt or int(fight.figure("srd35.skill.ride-details", "spur_damage"))
    yield ResourceSpent(who=steed.id, resource=now, amount=hurt, cites=rules[1:])
    yield from fight.dialect.damage.suffer(fight, Harm(steed, hurt, "", "the spurs", cites=rules[1:]))


def direct_to_fight(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[bool]:
    """Let a rider send a trained mount into the fight; return whether the mount attacks.

    The Ride check is a free action and leaves the rider its own attacks; failure takes them, and whoever
    has made them already cannot direct the mount (srd35.skill.ride-table).
    """
    rule = fight.rule("srd35.skill.ride-table")
    parts = ride_parts(fight, rider, steed, rule)
    dc = fight.figure("srd35.skill.ride-table", "fight")
    if (yield from check(fight, rider, "ride", parts, dc, rule, why=f"to fight together with {steed.id}")):
        return True
    if rider.spent.get("standard") or rider.spent.get("full-round"):
        yield RuleApplied(who=rider.id, what=f"cannot direct {steed.id} as well", cites=(rule,))
        return False
    yield ActionSpent(who=rider.id, kind="standard", what=f"directs {steed.id}", cites=(rule,))
    return True
