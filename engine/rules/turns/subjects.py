"""What each declaration is about: the rule by which a dialect refuses words that it does not know."""

from typing import Final

from affray.engine.record.context import Context
from affray.events.facts import acts
from affray.events.facts.acts import Act

GENERAL: Final = "actions"
"""The topic of whatever no rule of a dialect is about: which types of action there are."""

TOPICS: Final[dict[type[Act], str]] = {
    acts.Activate: "cast.activate-item device.other",
    acts.Aid: "aid.action",
    acts.Attack: "action.attack.definition attack-action.melee attack.single",
    acts.AwesomeBlow: "feat.awesome-blow",
    acts.Begin: "encounter",
    acts.Bind: "gear.restraints",
    acts.Brace: "ready.brace",
    acts.BreakFree: "gear.splash-table condition.entangled.escape",
    acts.BullRush: "bull-rush.action bull-rush bull-rush.when",
    acts.Burst: "object.break-table object.break object.state.broken",
    acts.CalledShot: "called-shot.definition",
    acts.Cast: "cast.provokes spell.casting-time assumed.casting",
    acts.Charge: "charge.distance action.charge.straight-line",
    acts.Circumstance: "check.circumstance modifiers.scope",
    acts.Clamber: "battlefield-monster.climb",
    acts.Close: "encounter.closed",
    acts.Counter: "ready.counterspell",
    acts.CoupDeGrace: "coup-de-grace.action",
    acts.Delay: "delay.action delay.rule",
    acts.Demoralize: "skill.intimidate",
    acts.DirtyTrick: "dirty-trick",
    acts.Disarm: "disarm.attack disarm disarm.action disarm.replaces-attack",
    acts.Dismiss: "spell.dismiss cast.maintain action.cease-concentration",
    acts.Dismount: "move-action.mount",
    acts.Doff: "armor.donning-table",
    acts.Don: "armor.donning-table",
    acts.Drag: "drag",
    acts.Draw: "weapon.in-hand",
    acts.Drop: "free.drop action.drop-object",
    acts.EndTurn: "encounter.turn",
    acts.Enter: "encounter",
    acts.Envenom: "poison",
    acts.Expose: "hazard.ref light.levels water.general",
    acts.Extinguish: "hazard.fire action.extinguish-flames",
    acts.Fall: "falling.damage injury.cause.fall",
    acts.Feint: "feint.action feint action.feint feint.action-cost",
    acts.Fiat: "fiat",
    acts.Flyby: "feat.flyby-attack",
    acts.FullAttack: "attack-action.multiple attack.full-attack",
    acts.Gather: "weapons.ammunition",
    acts.GetFree: "grapple.tie-escape gear.restraints condition.entangled.escape",
    acts.Grab: "grab.overview",
    acts.Grapple: "grapple.start grapple.start.action-cost",
    acts.Grip: "weapons.handed-use damage.two-handed",
    acts.Guide: "skill.ride-table mount.guide-with-knees",
    acts.Handle: "move-action.item items.manipulate-move weapon.in-hand",
    acts.Hazard: "fiat",
    acts.Hide: "skill.hide cover.stealth",
    acts.Identify: "skill.spellcraft",
    acts.Ignore: "flanking.ignore-opponent",
    acts.Jump: "skill.jump",
    acts.KnockoutBlow: "attack.knockout-blow.action",
    acts.Lift: "load.lift",
    acts.Load: "weapons.reload",
    acts.LowerResistance: "spell-resistance.lower",
    acts.Maintain: "cast.maintain spell.concentrate-maintain",
    acts.Manyshot: "feat.manyshot",
    acts.Mount: "move-action.mount",
    acts.Move: "move-action.move move.action",
    acts.Opening: "aoo.triggers",
    acts.Overrun: "overrun.action overrun overrun.when maneuver.overrun.definition",
    acts.Pilfer: "skill.sleight",
    acts.Plan: "declare.start-of-round",
    acts.Prepare: "gear.splash-table weapon.in-hand",
    acts.Push: "maneuver.push.definition",
    acts.Ready: "ready.action ready.declare",
    acts.Recover: "dirty-trick",
    acts.Redirect: "move-action.redirect spell.redirect",
    acts.Refocus: "refocus.rule",
    acts.Repair: "object.repair.check",
    acts.Reposition: "reposition",
    acts.Rest: "heal.natural round.duration",
    acts.Resume: "delay.action delay.rule",
    acts.Ride: "mount.speed mount.shared-initiative",
    acts.Rouse: "cond.fascinated nonlethal.rousing",
    acts.Run: "action.run.distance run.action",
    acts.Seek: "skill.spot-listen invisibility.perception-table concealment.total.locate",
    acts.ShakeOff: "battlefield-monster.buck-off",
    acts.Sheathe: "weapon.in-hand",
    acts.Shelter: "armor.tower-shield",
    acts.Skirmish: "feat.spring-attack",
    acts.Sleep: "armor.sleep",
    acts.Speak: "free.speak speak.free",
    acts.Split: (
        "action.full-round-split action.start-complete-full-round "
        "restricted-activity.start-complete-full-round"
    ),
    acts.Stabilize: "injury.stabilize-aid knocked-out.mod-treatment",
    acts.Stand: "move-action.stand posture.stand-cost",
    acts.Steal: "steal",
    acts.Step: "action.5-foot-step.once five-foot-step short-step.conditions",
    acts.Stunt: "maneuver.overview action.miscellaneous.gm-decides",
    acts.Sunder: "sunder.attack sunder object.attack-breaking maneuver.sunder.definition",
    acts.TendFeet: "gear.caltrops",
    acts.TotalDefense: "total-defense action.total-defense total-defense.bonus",
    acts.Touch: "cast.touch spell.touch-spell",
    acts.Trample: "trample-monster trample",
    acts.Treat: "skill.heal bleeding.heal-skill",
    acts.Trip: "trip.attack trip trip.attempt maneuver.trip.definition",
    acts.TurnUndead: "turn.action channel.action turn-undead.action-cost",
    acts.UseAbility: "use-special-ability action.use-feat-skill-talent actions-table.standard",
    acts.UseFeat: "use-feat action.use-feat-per-description actions-table.varies",
    acts.UseSkill: "use-skill action.skill-use-types",
    acts.Withdraw: "withdraw action.withdraw.distance",
}
"""The topics that a declaration is about, parted by blanks: of these a dialect's first is meant."""


AIM: Final = "cast.area-origin cast.range"
"""The topics of where an area begins."""

TWO_MOVES: Final = "speed.double-move move.double-move"
"""The topics of moving twice in a turn."""

UNAWARENESS: Final = "surprise.unaware surprise.who surprise.definition"
"""The topics of knowing nothing of one's opponents."""


def rule_about(fight: Context, kind: type[Act]) -> str:
    """Return the id of the rule that declarations of a type are about, else of the one on types of action."""
    return first_rule(fight, f"{TOPICS.get(kind, '')} {GENERAL}")


def first_rule(fight: Context, topics: str) -> str:
    """Return the id of the rule on the first of several topics that the dialect has a rule on."""
    rule: str = fight.rule(next(filter(fight.book.has, topics.split())))
    return rule
