"""What a grapple check adds up to, whom a shot into a grapple strikes, and what being held forbids."""

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.gear.held_weapons import natural_weapons
from affray.engine.rules.gear.let_go import is_lost
from affray.engine.rules.grapple.grapple_checks import grapple_bonus, what_hampers_grappling
from affray.engine.rules.grapple.holds import is_pinning
from affray.engine.rules.grapple.shots_into_grapple import strike_at_random, those_in_grapple
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: What a grappler may still declare besides the options of the grapple itself.
STILL_FREE = (
    acts.Enter,
    acts.Begin,
    acts.Close,
    acts.EndTurn,
    acts.Grapple,
    acts.Cast,
    acts.Activate,
    acts.Maintain,
    acts.Touch,
    acts.Identify,
    acts.LowerResistance,
    acts.Delay,
    acts.Resume,
    acts.Ready,
    acts.Drop,
    acts.Hazard,
    acts.TotalDefense,
)
#: Abilities that take neither hands nor an action.
OF_THE_MIND = ("rage", "end rage")
#: How many standard actions a casting takes where that is one at least; a full round counts for two.
STANDARD_ACTIONS = {"standard": 1, "full-round": 2, "one-round": 2}
MOVING = (acts.Move, acts.Step, acts.Withdraw, acts.Run, acts.Charge)


def grapple_check(fight: Fight, combatant: Combatant, against: Combatant, *extra: Modifier) -> Side:
    """Return a grapple check: base attack bonus, Strength, special size modifier, what hampers attacks.

    srd35.grapple.check, srd35.grapple.size-modifier, srd35.feat.improved-grapple.
    """
    parts = grapple_bonus(fight, combatant)
    if has_feat(combatant, "improved grapple"):
        parts.append(
            fight.modifier("srd35.feat.improved-grapple", "check", kind="feat", source="Improved Grapple")
        )
    if "holding" in combatant.conditions:
        parts.append(
            fight.modifier("srd35.improved-grab", "hold_penalty", kind="penalty", source="with one limb")
        )
    parts += [*extra, *what_hampers_grappling(fight, combatant, against)]
    return Side(combatant, parts, "grapple")


def refuse_no_option(fight: Fight, grappler: Combatant, act: acts.Act) -> None:
    """Refuse to a grappler what is no option of the grapple, to the pinned all but getting free.

    Casting takes no gestures and no more than a standard action, a magic item no spell to be completed; a
    full attack may consist of options of the grapple; a pinner may take what its victim wears
    (srd35.grapple.actions, .cast, .pinned-state).
    """
    if isinstance(act, acts.Speak):
        if "silenced" in grappler.conditions:
            raise Refusal(f"{grappler.id} is kept from speaking", fight.rule("srd35.grapple.pinned-silence"))
        return
    if isinstance(act, acts.FullAttack):
        if len({strike.weapon for strike in act.strikes if strike.item == "attack"}) > 1:
            reason = f"{grappler.id} is grappling and cannot attack with two weapons"
            raise Refusal(reason, fight.rule("srd35.grapple.no-two-weapons"))
        if all(strike.special == "grapple" for strike in act.strikes):
            return
    if isinstance(act, acts.Disarm):
        target = fight.state.combatants.get(act.target)
        if target is not None and is_pinning(grappler, target) and act.secured == "well":
            return
    if isinstance(act, acts.UseAbility) and act.ability in OF_THE_MIND:
        return
    if isinstance(act, acts.Cast):
        refuse_grapplers_gestures(fight, grappler, act.spell)
    if isinstance(act, acts.Activate):
        refuse_item_in_grapple(fight, grappler, act.item)
    if isinstance(act, MOVING):
        reason = f"{grappler.id} is grappling and cannot move but by an option of the grapple"
        raise Refusal(reason, fight.rule("srd35.grapple.no-move"))
    if not isinstance(act, STILL_FREE):
        reason = f"{grappler.id} is grappling and has only the options of the grapple"
        raise Refusal(reason, fight.rule("srd35.grapple.consequences"))


def refuse_item_in_grapple(fight: Fight, grappler: Combatant, name: str) -> None:
    """Refuse to a grappler a magic item whose spell must be completed, and any item to the pinned.

    srd35.grapple.magic-item, srd35.grapple.pinned-state.
    """
    if "pinned" in grappler.conditions:
        reason = f"{grappler.id} is pinned and cannot use the {name}"
        raise Refusal(reason, fight.rule("srd35.grapple.pinned-state"))
    if any(one.name == name and one.item == "scroll" for one in grappler.sheet.spells):
        raise Refusal(f"the {name} needs a spell to be completed", fight.rule("srd35.grapple.magic-item"))


def refuse_grapplers_gestures(fight: Fight, combatant: Combatant, name: str) -> None:
    """Refuse a spell that a grappler cannot cast: with gestures, or longer than a standard action."""
    rule = fight.rule("srd35.grapple.cast")
    spell = next((one for one in combatant.sheet.spells if one.name == name), None)
    if spell is None:
        return
    if "somatic" in spell.components:
        raise Refusal(f"{name} needs gestures, which {combatant.id} cannot make in a grapple", rule)
    if STANDARD_ACTIONS.get(spell.casting, 0) > fight.formula("srd35.grapple.cast", "max_casting_time"):
        raise Refusal(f"{name} takes too long in a grapple", rule)
    if "precise" in spell.components:
        raise Refusal(f"{name} needs care and precision", fight.rule("srd35.grapple.cast-precise"))


def strike_into_grapple(fight: Fight, blow: Blow) -> Steps[None]:
    """Let an attack from outside at a grappler strike a random one of those who grapple.

    Ranged attacks only, unless option `grapple_melee_target` says so of melee too; Improved Precise Shot
    strikes the one that was meant (srd35.ac-mod.grappling-random-target).
    """
    target = blow.target
    if is_helpless(fight, target):
        return
    reading = fight.option("grapple_melee_target")
    together = those_in_grapple(fight, blow)
    if (blow.melee and reading != "random") or not together:
        return
    if not blow.melee and masters(fight, blow.attacker, "improved precise shot"):
        yield RuleApplied(
            who=blow.attacker.id,
            what=f"into a grapple: {target.id} is struck at, as meant",
            cites=fight.rules("srd35.feat.improved-precise-shot"),
        )
        return
    yield from strike_at_random(fight, blow, together, f"grapple_melee_target: {reading}")


def grabbing_weapon(combatant: Combatant) -> Weapon | None:
    """Return the weapon with which a creature grabs, whose damage each won check deals again."""
    return next((one for one in natural_weapons(combatant) if "improved grab" in one.traits), None)


def stowed_weapon(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return a light weapon that can be drawn. Refuses others."""
    ready = (*combatant.held, *(one.name for one in combatant.sheet.weapons if is_lost(combatant, one.name)))
    light = {
        one.name: one for one in combatant.sheet.weapons if one.wield == "light" and one.name not in ready
    }
    if name in light:
        return light[name]
    raise unknown_word(
        "light weapon", name, light, fight.rule("srd35.grapple.draw-light-weapon"), combatant.id, "to draw"
    )
