"""List the functions that wrap the declarations of woa, the innermost first."""

from affray.engine.dialects.woa.conditions.impediments import tethered
from affray.engine.dialects.woa.grapple.drag import move_with_holders
from affray.engine.dialects.woa.grapple.grab import casting_in_grapple
from affray.engine.dialects.woa.mounted import mounted_combat, mounted_modifiers
from affray.engine.dialects.woa.turns.declared_actions import keeping, letting_go
from affray.engine.record.chapters import Around
from affray.events.facts import acts

#: Acts that a plan must name (woa.declare.start-of-round, woa.declare.required-types).
DECLARED = (
    acts.Attack,
    acts.FullAttack,
    acts.CalledShot,
    acts.Skirmish,
    acts.Charge,
    acts.TotalDefense,
    acts.Trip,
    acts.Disarm,
    acts.Sunder,
    acts.Push,
    acts.Stunt,
    acts.Overrun,
    acts.Feint,
    acts.Grapple,
    acts.Grab,
    acts.GetFree,
    acts.BreakFree,
    acts.Cast,
    acts.Touch,
    acts.Maintain,
    acts.Dismiss,
    acts.Redirect,
    acts.Activate,
    acts.TurnUndead,
    acts.UseFeat,
    acts.UseSkill,
    acts.UseAbility,
    acts.Move,
    acts.Run,
    acts.Stand,
    acts.Clamber,
    acts.ShakeOff,
    acts.Mount,
    acts.Dismount,
    acts.Guide,
    acts.Hide,
    acts.Seek,
    acts.Draw,
    acts.Sheathe,
    acts.Drop,
    acts.Grip,
    acts.Handle,
    acts.Load,
    acts.Burst,
    acts.Stabilize,
    acts.Treat,
    acts.Rouse,
    acts.Speak,
    acts.Ready,
    acts.Refocus,
    acts.Split,
)

AROUND = (
    Around(casting_in_grapple, (acts.Cast,)),  # woa.grapple.activity.cast
    Around(
        mounted_combat.fight_mounted,
        (acts.CalledShot, acts.Disarm, acts.Sunder, acts.Stunt, acts.Grab),
        ahead=mounted_combat.refuse_mounted,
    ),  # woa.mount.combat.*
    Around(
        mounted_combat.maneuver_mounted,
        (acts.Trip, acts.Push, acts.Overrun),
        ahead=mounted_combat.refuse_mounted_maneuver,
    ),  # woa.mount.combat.mount-maneuvers
    Around(tethered, (acts.Move, acts.Skirmish, acts.Overrun)),  # woa.condition.stuck
    Around(
        move_with_holders, (acts.Move, acts.Step, acts.Run, acts.Charge, acts.Skirmish, acts.Overrun)
    ),  # woa.grab.drag-attackers
    Around(
        mounted_modifiers.tell_ride,
        (acts.Move, acts.Run),
        ahead=mounted_modifiers.refuse_to_ride,
        change=mounted_modifiers.as_mount,
    ),  # woa.mount.shared-initiative
    Around(keeping, DECLARED),  # woa.declare.start-of-round
    Around(letting_go, (acts.Drop, acts.Sheathe)),  # woa.ready.multi-round-cost
)
