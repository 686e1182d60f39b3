"""Classes: class abilities, feats, skills, saving throws and checks."""

from typing import Any, Final

from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.acts import SheetNames, fields, names
from affray.engine.rules.classes.checks import SKILLS, check, skill_parts
from affray.engine.rules.classes.sheets import has_feat, has_named
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

# --- Saving throws in Futurepath: their purpose


def cite_save_purpose(
    fight: Fight, caster: Combatant, spell: Spell, found: tuple[int, tuple[str, ...]]
) -> tuple[int, tuple[str, ...]]:
    """Return the DC of the saving throw against a magical or unusual attack, and the rule that grants it.

    futurepath.save.purpose
    """
    dc, cites = found
    return dc, (*cites, fight.rule("futurepath.save.purpose"))


# --- Names on a sheet that futurepath reads, other than those of its features

#: The feats that rules here read; they are not used as actions.
FEATS = names(
    """
    advanced firearms proficiency, blind-fight, burst fire, combat casting, combat martial arts,
    combat reflexes, extra attack, improved initiative, improved unarmed strike, precise shot, sunder,
    two-weapon fighting, weapon finesse, weapon focus (*), weapon specialization (*)
    """
)

SHEET_NAMES = SheetNames(
    feats=FEATS,
    traits=names(
        """
        careful, carried by (*), construct, covers (*), door, elemental, incorporeal, object, ooze, plant,
        see invisibility, spacecraft, stable, swarm, trained tumbler, uncanny dodge, undead, vehicle
        """
    ),
    weapon_traits=names(
        """
        armed, automatic, automatic only, burst (*), double, drawn as ammunition, explosive, finesse,
        internal-magazine, lethal, near-and-far, no melee use, no-threat, nonlethal, not prone, reflex (*),
        slow-load, splash, splash damage (*), touch, trip,
        fine, diminutive, tiny, small, medium, large, huge, gargantuan, colossal
        """
    ),
    skills=names(
        """
        acrobatics, appraise, bluff, climb, craft (*), craft, diplomacy, disable device, disguise,
        escape artist, fly, handle animal, heal, intimidate, knowledge (*), knowledge, linguistics,
        perception, perform (*), perform, profession (*), profession, repair, ride, sense motive, sleight of
        hand, spellcraft, stealth, survival, swim, treat injury, tumble, use magic device
        """
    ),
    classes=names(
        """
        adept, soldier
        """
    ),
    immunities=names(
        """
        acid, cold, electricity, fire, sonic, bludgeoning, piercing, slashing, ballistic, concussion,
        blinded, cowering, dazed, dazzled, frightened, nauseated, shaken, sickened, staggered,
        entangled, fear, mind-affecting, paralysis, sleep, stunning, death, critical hits, flanking,
        nonlethal
        """
    ),
    unread=fields(
        Sheet="carried armor_weight spell_resistance bare speed_bonuses maneuver check_penalties good_saves "
        "spell_failure fast_healing regeneration lethal poisons",
        Weapon="rating material masterwork ounces riders",
        Worn="kind bonus weight check failure enhancement masterwork material size ounces traits",
        Spell="ability components item resistance school key caster_level arcane spontaneous metamagic "
        "grants ongoing delivery dispels reach riders healing works temporary save_each_round",
    ),
)


# --- Feats, skills, talents and other acts without a separate rule: the game master decides

TOPIC: Final = "futurepath.action.skill-use-types"
USES: Final = "futurepath.action.use-feat-skill-talent"
FEAT: Final = "futurepath.action.use-feat-per-description"
OTHER: Final = "futurepath.action.miscellaneous.gm-decides"
VARIES: Final = "futurepath.table.actions.varies"
#: The rows on skills in the tables, new and old.
NEW_ROW: Final = (VARIES, "use a skill")
OLD_ROW: Final = ("futurepath.table.actions.attack.legacy", "use a skill that takes an attack action")
#: The types of action that a use may take, as offered to the game master; most take the first.
TYPES: Final = {"attack action": "standard", "move action": "move", "full-round action": "full-round"}


def use_skill(fight: Fight, act: acts.UseSkill) -> Steps[None]:
    """Use a skill, by a check if it has a DC: an attack, a move or a full-round action.

    It usually provokes (futurepath.action.skill-use-types, futurepath.action.use-feat-skill-talent,
    futurepath.table.actions.varies, futurepath.table.actions.attack.legacy).
    """
    actor = fight.combatant(act.actor)
    known = (*SKILLS, *actor.sheet.skills)
    if act.skill not in known:
        raise unknown_word("skill", act.skill, known, fight.rule(TOPIC))
    column, row = OLD_ROW if old_only(fight) else NEW_ROW
    usual = dict(fight.figure(column))[row] == "usually"
    done = yield from start_judged_use(fight, actor, f"use {act.skill}", usual, (TOPIC, USES, column))
    if done and act.dc:
        rule = fight.rule(TOPIC)
        parts = skill_parts(fight, actor, act.skill, SKILLS.get(act.skill, "int"), rule)
        yield from check(fight, actor, act.skill, parts, act.dc, rule)


def use_feat(fight: Fight, act: acts.UseFeat) -> Steps[None]:
    """Use a feat whose description makes it an action; whether it provokes varies.

    futurepath.action.use-feat-per-description, futurepath.action.use-feat-skill-talent,
    futurepath.table.actions.varies, futurepath.table.actions.varies.legacy
    """
    actor = fight.combatant(act.actor)
    if not has_feat(actor, act.feat):
        usable = (one for one in actor.sheet.feats if one.casefold() not in FEATS)
        raise unknown_word(f"feat of {actor.id}", act.feat, usable, fight.rule(FEAT))
    if act.feat.casefold() in FEATS:
        raise Refusal(f"the feat {act.feat} takes no action: it applies automatically", fight.rule(USES))
    provokes = dict(fight.figure(VARIES))["use a feat"] not in ("no", "varies")
    return start_judged_use(fight, actor, f"use the feat {act.feat}", provokes, (FEAT, USES, VARIES))


def use_talent(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Use a talent of the sheet as its description says (futurepath.action.use-feat-skill-talent)."""
    actor = fight.combatant(act.actor)
    if not has_named(actor.sheet, act.ability):
        raise unknown_word(f"talent of {actor.id}", act.ability, (), fight.rule(USES))
    return start_judged_use(fight, actor, f"use {act.ability}", False, (USES,))


def do_something_else(fight: Fight, act: acts.Stunt) -> Steps[None]:
    """Do something that no rule describes: the game master decides how long it takes and whether it provokes.

    futurepath.action.miscellaneous.gm-decides
    """
    actor = fight.combatant(act.actor)
    if not act.what:
        raise unknown_word("action", act.what, (), fight.rule(OTHER))
    return start_judged_use(fight, actor, act.what, False, (OTHER,))


def start_judged_use(
    fight: Fight, actor: Combatant, what: str, provokes: bool, topics: tuple[str, ...]
) -> Steps[Any]:
    """Spend the action that the game master rules, and provoke if so ruled; return whether it was done.

    Refuse it if the turn has no action left.
    """
    rules = fight.rules(*topics)
    kinds = [name for name, kind in TYPES.items() if has_action_type_left(fight, actor, kind)]
    if not kinds:
        refuse_unless_allowed(fight, actor, "move")
    return carry_out_use(fight, actor, what, provokes, kinds, rules)


def has_action_type_left(fight: Fight, actor: Combatant, kind: str) -> bool:
    """Return whether the turn has an action of that type left; a readied act cannot take a full round."""
    if fight.readied == actor.id:
        return kind != "full-round"
    try:
        refuse_unless_allowed(fight, actor, kind)
    except Refusal:
        return False
    return True


def carry_out_use(
    fight: Fight, actor: Combatant, what: str, provokes: bool, kinds: list[str], rules: tuple[str, ...]
) -> Steps[bool]:
    """Ask the game master which action a use takes and whether it provokes, and carry it out."""
    judging = rules[0] if len(rules) == 1 else fight.rule(USES)
    question = f"{actor.id} wants to {what}: which action does that take?"
    kind = yield Choice("", "action", question, tuple(kinds), judging)
    yield spending(fight, actor, TYPES[kind], what, *rules)
    enemies = threatening(fight, actor)
    if enemies:
        question = f"does it provoke attacks of opportunity to {what}?"
        options = ("provokes", "safe") if provokes else ("safe", "provokes")
        if (yield Choice("", "opening", question, options, judging)) == "provokes":
            name = f"use:{fight.declaration}"
            yield from fight.dialect.opportunity.provoke(
                fight, actor, enemies, f"tries to {what}", name, *rules
            )
    if is_down(fight, actor):
        return False
    yield RuleApplied(who=actor.id, what=f"does it: {what}", cites=rules[:1])
    return True
