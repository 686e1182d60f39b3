"""Implement class features, feats and skills on a sheet: saving throws, checks and other uses."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.woa.grapple.grab_modifiers import hold_penalties
from affray.engine.dialects.woa.grapple.grapple_checks import reflex_in_grapple
from affray.engine.dialects.woa.senses.concealment import fail_for_lost_sense, sight_parts
from affray.engine.dialects.woa.turns.declared_actions import unused_plans
from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.engine.fight.fight import Fight, is_helpless, rule_of
from affray.engine.kernel.actions import check_turn
from affray.engine.modifiers import Tally, effect_parts
from affray.engine.record.acts import SheetNames, fields, names
from affray.engine.rules.classes.abilities import lowered, roll_parts
from affray.engine.rules.classes.checks import SAVE_ABILITY, SKILLS, check, roll_save, skill_parts
from affray.engine.rules.classes.sheets import ability, has_feat, has_named
from affray.engine.rules.conditions.conditions import condition_parts
from affray.engine.rules.turns.actions import refuse_unless_allowed, stands_for
from affray.engine.rules.turns.delay_and_ready import READIED
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import SCORES, Modifier
from affray.projections.state import Combatant

# --- Saving throws, whose margin matters as well as their success (woa.save.*)

#: The topic of each kind of save: what it resists, and its ability.
KINDS = {"fort": "woa.save.fortitude", "ref": "woa.save.reflex", "will": "save.will"}  # woa.save.will
SUPERIOR = "woa.save.superior-success"
CATASTROPHIC = "woa.save.catastrophic-failure"
#: Kinds of bonuses that come from magic or items, not from the creature itself.
LENT = frozenset({"resistance", "alchemical", "enhancement", "haste", "insight", "luck", "morale", "sacred"})
#: Kinds of bonuses to Reflex saves lost by combatants that cannot move freely.
AGILE = frozenset({"ability", "dodge"})


class Saved(Struct, frozen=True):
    """The result of a save: whether it succeeded, its total, its margin against the DC, and the die.

    `rolled` is False for a save that failed without a roll.
    """

    success: bool
    total: int
    margin: int
    natural: int = 0
    rolled: bool = True


def own_bonus(fight: Fight, combatant: Combatant, kind: str) -> list[Modifier]:
    """Return the sheet's bonuses to a save; on Reflex, those that conditions deny are marked.

    Conditions that deny Dexterity and dodge to Armor Class deny them to Reflex too; the Dexterity of the
    helpless counts as 0 (woa.condition.dazed, woa.condition.stunned, woa.condition.cowering,
    woa.condition.incapacitated, woa.condition.paralyzed).
    """
    parts = general_bonus(fight, combatant, kind)
    if kind != "ref" or not combatant.conditions:
        return parts
    if is_helpless(fight, combatant):
        return reflex_of_helpless(fight, parts)
    return (
        reflex_in_grapple(fight, parts)
        if "grappling" in combatant.conditions
        else deny_reflex_parts(fight, combatant, parts)
    )


def lowered_ability(fight: Fight, combatant: Combatant, kind: str) -> Sequence[Modifier]:
    """Return the modifiers for changes to the ability score behind a save."""
    return lowered(fight, combatant, SAVE_ABILITY[kind][0])


def feature_bonus(fight: Fight, combatant: Combatant, kind: str) -> Sequence[Modifier]:
    """Return the modifiers of feats, class abilities and special qualities to a save."""
    return roll_parts(fight, combatant, "save", kind)


def reflex_of_helpless(fight: Fight, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a Reflex save with a Dexterity of 0 and without dodge bonuses.

    woa.condition.paralyzed
    """
    still = fight.modifier(
        "woa.condition.paralyzed", "dex_modifier", kind="ability", source="Dexterity counts as 0"
    )
    why = f"cannot react: dodge bonus denied ({still.rule})"
    kept = [part for part in parts if part.kind != "ability"]
    return [
        *(replace(one, denied=why) if one.kind == "dodge" and one.value > 0 else one for one in kept),
        still,
    ]


def deny_reflex_parts(fight: Fight, combatant: Combatant, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a Reflex save, denying those that a condition takes away."""
    held = {name: rule_of(fight, name) for name in combatant.conditions}
    stiff = next((name for name, rule in held.items() if not rule.dexterity and not rule.helpless), "")
    if not stiff:
        return parts
    why = f"{stiff}: {{kind}} bonus denied ({fight.rule(held[stiff].topic)})"
    return [
        replace(part, denied=why.format(kind="Dexterity" if part.kind == "ability" else part.kind))
        if part.kind in AGILE and part.value > 0
        else part
        for part in parts
    ]


def general_bonus(fight: Fight, combatant: Combatant, kind: str, rule: str = "") -> list[Modifier]:
    """Return the parts of every save of a kind: base, ability, bonuses of the sheet.

    Each cites the rule that grants it, or `rule` if they serve another roll (woa.save.base-bonus, .fortitude,
    .reflex, .will, .other-modifiers, .spells-and-items).
    """
    sheet = combatant.sheet
    short, name = SAVE_ABILITY[kind]
    modifier = ability(sheet, short)
    base = rule or fight.rule("woa.save.base-bonus")
    parts = [Modifier(getattr(sheet.saves, kind), "base", "base save", base)]
    if kind == "ref" and sheet.max_dex is not None and modifier > sheet.max_dex:
        source = f"Dexterity (armor allows {sheet.max_dex} of {modifier})"
        parts.append(Modifier(sheet.max_dex, "ability", source, fight.rule("woa.save.reflex-armor-cap")))
    else:
        parts.append(Modifier(modifier, "ability", name, rule or fight.rule(KINDS[kind])))
    for bonus in (*sheet.save_bonuses.get("all", ()), *sheet.save_bonuses.get(kind, ())):
        topic = "woa.save.spells-and-items" if bonus.kind in LENT else "woa.save.other-modifiers"
        source = bonus.source or bonus.kind
        parts.append(Modifier(bonus.value, bonus.kind, source, rule or fight.rule(topic)))
    return parts


def passing_save_parts(fight: Fight, combatant: Combatant, kind: str) -> list[Modifier]:
    """Return the modifiers of conditions, effects and holds to saves of a kind."""
    return [
        *(hold_penalties(fight, combatant) if kind == "ref" and combatant.conditions else ()),
        *condition_parts(fight, combatant, "save"),
        *condition_parts(fight, combatant, f"save.{kind}"),
        *effect_parts(combatant, "save", ""),
        *effect_parts(combatant, f"save.{kind}", ""),
    ]


def saving_throw(
    fight: Fight,
    combatant: Combatant,
    kind: str,
    dc: int,
    source: str,
    *cites: str,
    extra: tuple[Modifier, ...] = (),
    naturals: bool = True,
) -> Steps[Saved]:
    """Roll a save; the helpless fail Reflex as on a natural 1, without a roll.

    With `naturals` False, a 1 is no failure by itself, while a 20 still succeeds (woa.save.natural-*,
    woa.knocked-out.no-auto-fail).
    """
    unrolled = kind == "ref" and is_helpless(fight, combatant)
    topics = ("woa.save.reflex-auto-fail",) if unrolled else ()
    low, high = fight.dialect.attacks.sure_faces(fight, f"save.{kind}", ())

    def decide(natural: int, total: int, tally: Tally) -> tuple[bool, tuple[str, ...]]:
        success, special = bool(total >= dc), topics
        if naturals and natural == low:
            success, special = False, (*topics, "woa.save.natural-1")
        elif natural == high and (naturals or not success):
            success, special = True, (*topics, "woa.save.natural-20")
        elif not naturals and success and natural == low:
            special = (*topics, "woa.knocked-out.no-auto-fail")
        return success, (*tally.cites, *fight.rules(*special))

    taken = 1 if unrolled else 0
    fact = yield from roll_save(
        fight, combatant, kind, dc, source, *cites, extra=extra, decide=decide, taken=taken
    )
    return Saved(fact.success, fact.total, fact.total - dc, fact.natural, bool(fact.key))


def is_superior(fight: Fight, saved: Saved) -> bool:
    """Return whether a success beats its DC by 10, even with a natural 20 (woa.save.superior-success)."""
    topic = "woa.save.natural-20-not-superior" if is_face(fight, saved, "woa.save.natural-20") else SUPERIOR
    return bool(saved.success and saved.margin >= fight.figure(topic, "margin"))


def is_catastrophic(fight: Fight, saved: Saved) -> bool:
    """Return whether a failure misses its DC by 10, even with a natural 1 (woa.save.catastrophic-failure)."""
    if saved.success:
        return False
    if is_face(fight, saved, "woa.save.natural-1"):
        return bool(saved.margin <= -fight.figure("woa.save.natural-1-not-catastrophic", "margin"))
    return bool(saved.margin <= fight.figure(CATASTROPHIC, "margin"))


def is_face(fight: Fight, saved: Saved, topic: str) -> bool:
    """Return whether the die of a save shows the face that a rule names."""
    return bool(saved.natural == fight.figure(topic, "face"))


def degree_of_save(fight: Fight, saved: Saved) -> tuple[str, tuple[str, ...]]:
    """Return the degree of a save, "superior", "success", "failure" or "catastrophic", and the rules.

    Rules on natural 1 and 20 are cited if the face alone could suggest a better or worse degree.
    """
    if saved.success:
        cites = []
        if is_face(fight, saved, "woa.save.natural-20"):
            cites.append("woa.save.natural-20-not-superior")
        if is_superior(fight, saved):
            return "superior", fight.rules(SUPERIOR, *cites)
        return "success", fight.rules(*cites)
    cites = ["save.natural-1-not-catastrophic"] if is_face(fight, saved, "woa.save.natural-1") else []
    if is_catastrophic(fight, saved):
        return "catastrophic", fight.rules(CATASTROPHIC, *cites)
    return "failure", fight.rules(*cites)


def graded_damage(
    fight: Fight, saved: Saved, rolled: int, least: int, most: int
) -> tuple[int, str, tuple[str, ...]]:
    """Return (damage, why, cites) of an effect that a save halves.

    Superior: the lower of a quarter and the minimum roll; catastrophic: the higher of one and a half times
    and the maximum roll (woa.save.superior-success-half-damage, .catastrophic-failure-half-damage).
    """
    how, cites = degree_of_save(fight, saved)
    if how == "superior":
        share = leading_share(fight, "woa.save.superior-success-half-damage")
        rules = (*cites, *fight.rules("woa.save.superior-success-half-damage"))
        return min(rolled * share // 100, least), "superior success", rules
    if how == "success":
        return rolled // 2, "half on a successful save", (*fight.rules("woa.save.when"), *cites)
    if how == "catastrophic":
        share = leading_share(fight, "woa.save.catastrophic-failure-half-damage")
        rules = (*cites, *fight.rules("woa.save.catastrophic-failure-half-damage"))
        return max(rolled * share // 100, most), "catastrophic failure", rules
    return rolled, "", cites


def leading_share(fight: Fight, topic: str) -> int:
    """Return the share, in hundredths, at the start of a figure such as "min(0.25 * normal, ...)"."""
    words = str(fight.figure(topic, "damage"))
    return int(float(words.partition("(")[2].split()[0]) * 100)


def least_and_most(notation: str) -> tuple[int, int]:
    """Return the minimum and maximum of a sum of plain dice."""
    low = high = 0
    for term in parse(notation).terms:
        if isinstance(term, Dice):
            ends = (term.sign * term.count, term.sign * term.count * term.sides)
            low, high = low + min(ends), high + max(ends)
        else:
            low, high = low + term.value, high + term.value
    return low, high


# --- Names on a sheet that woa reads, other than those of its features

SHEET_NAMES = SheetNames(
    feats=names(
        """
        blind-fight, bloody assault, bloody assault *, born flyer, careful aim, combat expertise,
        combat reflexes, deadly shot, deadly stroke, disarming strike, dodge, far shot, flying,
        improved disarm, improved feint, improved grab, improved overrun, improved shield bash,
        improved sunder, improved trip, improved unarmed strike, mounted archery, mounted combat,
        mounted skirmisher, quick draw, shield focus, shield specialization, shot on the run, spring attack,
        sundering strike, total-defense, trample, tripping strike, two-weapon defense, two-weapon fighting,
        weapon focus (*), whirlwind attack, wind stance
        """
    )
    | {"blindsight, 5-ft. radius"},
    traits=names(
        """
        * load, * takes both hands, all-around vision, bareback, barrier, blind sight, blind sight *,
        blindsight, blindsight *, bloodless, borrowed flight, breath of frost, breathes water, buoyant flight,
        cannot be tripped, careful, charging line, costly *, darkvision, darkvision *, evil, fills its space,
        flying, gaseous, granted *, granted * *, height, height *, immediate *, immune to critical hits,
        improved uncanny dodge, incorporeal, ki, ki *, low-light vision, military saddle, mindless, no *, no
        discernible anatomy, no holy symbol, nonproficient armor, ooze, phalanx, reaction *, see invisibility,
        sees through smoke, snake, stable, sudden strike, sudden strike *, sudden strike x, sudden strike x*,
        swarm, swift *, tower shield, trained tumbler, tremorsense, tremorsense *, true seeing, turn
        resistance, turn resistance *, uncanny dodge, undead, vulnerable spot, war-trained, weightless
        """
    ),
    weapon_traits=names(
        """
        armed, armor stops, brace, double, drawn as ammunition, hafted, lance, like a spear,
        locked gauntlet, metal-hafted, near-and-far, no melee use, no-threat, nonlethal, prone use, shield,
        slow-load, spell, splash, touch, trip
        """
    ),
    skills=names(
        """
        acrobatics, appraise, athletics, balance, bluff, climb, concentration, craft (*), craft,
        decipher script, diplomacy, disable device, disguise, endurance, escape artist, forgery,
        gather information, handle animal, heal, hide, insight, intimidate, jump, knowledge (*),
        knowledge, listen, move silently, open lock, perform (*), perform, profession (*),
        profession, ride, search, sense motive, sleight of hand, speak language, spellcraft, spot,
        stealth, survival, swim, tumble, use magic device, use rope
        """
    ),
    classes=names(
        """
        barbarian, bard, cleric, druid, fighter, monk, paladin, ranger, rogue, sorcerer, wizard,
        thief, warrior
        """
    ),
    immunities=names(
        """
        acid, cold, electricity, fire, sonic, bludgeoning, piercing, slashing, blinded, cowering, dazed,
        dazzled, frightened, nauseated, panicked, shaken, sickened, staggered, deafened, entangled, fear,
        mind-affecting, paralysis, stunning, fatigue, exhaustion, bleed, critical hits, nonlethal, slowed
        """
    ),
    riders=names("stunning"),
    unread=fields(
        Sheet="spell_resistance lethal check_penalties good_saves spell_failure "
        "fast_healing regeneration poisons maneuver",
        Weapon="size material masterwork ounces",
        Worn="weight max_dex check failure proficient masterwork material ounces traits",
        Spell="resistance key arcane spontaneous metamagic ongoing delivery reach temporary save_each_round",
        Rider="delivery effect secondary",
    ),
)


# --- Checks of a skill or an ability without a separate rule (woa.use-skill)

#: The skills of this game, some of which join usual ones, with their abilities.
ABILITY_OF = {
    **SKILLS,
    "athletics": "str",
    **dict.fromkeys(("acrobatics", "stealth"), "dex"),
    "endurance": "con",
    **dict.fromkeys(("insight", "perception"), "wis"),
}


def check_skill_or_ability(fight: Fight, combatant: Combatant, skill: str, dc: int, why: str) -> Steps[bool]:
    """Check a skill or ability with its penalties for conditions, losses and poor sight; return whether it
    succeeds.

    Tasks that need a lost sense fail (woa.condition.blinded); a combatant that watches for a trigger is
    distracted (woa.ready.distracted-perception). Refuse unknown skills and abilities not on the sheet.
    """
    rule = fight.rule("woa.use-skill")
    abilities = (*SCORES, *(name.casefold() for name in SCORES.values()))
    known = (*ABILITY_OF, *abilities, *combatant.sheet.skills)
    if skill not in known:
        raise unknown_word("skill or ability", skill, known, rule)
    if (yield from fail_for_lost_sense(fight, combatant, skill, dc)):
        return False
    short = next((key for key, name in SCORES.items() if name.casefold() == skill), "")
    short = short or ABILITY_OF.get(skill) or ABILITY_OF.get(skill.partition(" (")[0], "dex")
    parts = [*skill_parts(fight, combatant, skill, short, rule), *sight_parts(fight, combatant, skill)]
    return (yield from check(fight, combatant, skill, parts, dc, rule, why=why))


# --- Using feats, skills and special abilities without a separate rule (woa.use-*)

FREE = "free"


def declared_type(combatant: Combatant, name: str) -> str:
    """Return the type of action under which a use was declared, "free" if it was not."""
    return next((type_ for _, (type_, what, _) in unused_plans(combatant) if what == name), FREE)


def choose_action_of_use(fight: Fight, combatant: Combatant, name: str, topic: str) -> str:
    """Return the action that a use takes; refuse it if the turn does not allow it."""
    check_turn(fight, combatant)
    if fight.readied == combatant.id:
        return READIED
    kind = declared_type(combatant, name)
    if kind != FREE:
        refuse_unless_allowed(fight, combatant, kind)
    return kind


def spend_described_action(
    fight: Fight, combatant: Combatant, kind: str, what: str, topic: str
) -> Steps[bool]:
    """Spend the action of a use, if the game master finds that its description allows it; return whether it
    does.

    An undeclared use must take no action, or it is impossible now.
    """
    rule = fight.rule(topic)
    action = "no action" if kind == FREE else f"a {kind} action"
    question = f"{combatant.id} wants to {what} as {action}: does the description allow it?"
    if (yield Choice("", "use", question, ("allow", "refuse"), rule)) != "allow":
        yield RuleApplied(who=combatant.id, what=f"cannot {what} so", cites=(rule,))
        return False
    cites = (rule, *stands_for(fight, combatant, kind))
    yield ActionSpent(who=combatant.id, kind=kind, what=what, cites=cites)
    return True


def refuse_unlearned(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse a use of a feat, a skill or an ability that is not on the sheet.

    woa.use-feat, woa.use-skill, woa.use-special-ability.
    """
    if isinstance(act, acts.UseFeat) and not has_feat(actor, act.feat):
        raise unknown_word(f"feat of {actor.id}", act.feat, actor.sheet.feats, fight.rule("use-feat"))
    if isinstance(act, acts.UseAbility) and not has_named(actor.sheet, act.ability):
        raise unknown_word(f"ability of {actor.id}", act.ability, (), fight.rule("use-special-ability"))
    if isinstance(act, acts.UseSkill) and act.skill not in actor.sheet.skills:
        raise unknown_word(
            f"skill that {actor.id} is trained in", act.skill, actor.sheet.skills, fight.rule("use-skill")
        )


def use_feat(fight: Fight, act: acts.UseFeat) -> Steps[None]:
    """Use a feat that grants a combat action (woa.use-feat)."""
    actor = fight.combatant(act.actor)
    topic = "use-feat"
    refuse_unlearned(fight, actor, act)
    kind = choose_action_of_use(fight, actor, "use-feat", topic)
    yield from spend_described_action(fight, actor, kind, f"use the feat {act.feat}", topic)


def use_described_ability(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Use a special ability of the sheet, as its description says (woa.use-special-ability)."""
    actor = fight.combatant(act.actor)
    topic = "use-special-ability"
    refuse_unlearned(fight, actor, act)
    if act.target:
        raise Refusal(f"no rule gives {act.ability} an effect on a target: name none", fight.rule(topic))
    kind = choose_action_of_use(fight, actor, "use-ability", topic)
    yield from spend_described_action(fight, actor, kind, f"use {act.ability}", topic)


def use_skill(fight: Fight, act: acts.UseSkill) -> Steps[None]:
    """Use a skill as its description says: a check against the DC of the task (woa.use-skill)."""
    actor = fight.combatant(act.actor)
    topic = "use-skill"
    refuse_unlearned(fight, actor, act)
    kind = choose_action_of_use(fight, actor, "use-skill", topic)
    if not (yield from spend_described_action(fight, actor, kind, f"use {act.skill}", topic)):
        return
    yield from check_skill_or_ability(fight, actor, act.skill, act.dc, f"to use {act.skill}")
