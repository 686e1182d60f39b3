"""Saving throws and checks against a DC."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.record.blow import SaveMade
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.features import roll_parts
from affray.engine.rules.conditions.condition_rules import condition_parts, effect_parts, ruled_out
from affray.engine.steps import Steps, judged
from affray.events.facts.combat import CheckResolved, EffectEnded
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant, Effect

#: The stat of what makes one check easier or harder, or with "-dc" what it has to reach.
NEXT_CHECK = "next-check"
Spared = tuple[int, str, tuple[str, ...]]
"""What a saving throw leaves of damage, why, and the rules besides."""
SAVE_ABILITY = {"fort": ("con", "Constitution"), "ref": ("dex", "Dexterity"), "will": ("wis", "Wisdom")}
#: Fields of knowledge, each a skill of its own.
KNOWLEDGE: Final = (
    "arcana",
    "architecture and engineering",
    "dungeoneering",
    "geography",
    "history",
    "local",
    "nature",
    "nobility and royalty",
    "religion",
    "the planes",
)

#: Every skill, and the ability behind it for a combatant that has only that.
SKILLS: Final = {
    **dict.fromkeys(("climb", "jump", "swim"), "str"),
    **dict.fromkeys(("balance", "escape artist", "hide", "move silently", "open lock"), "dex"),
    **dict.fromkeys(("ride", "sleight of hand", "tumble", "use rope"), "dex"),
    "concentration": "con",
    **dict.fromkeys(("appraise", "craft", "decipher script", "disable device", "forgery"), "int"),
    **dict.fromkeys(
        ("knowledge", *(f"knowledge ({one})" for one in KNOWLEDGE), "search", "spellcraft"), "int"
    ),
    **dict.fromkeys(("heal", "listen", "profession", "sense motive", "spot", "survival"), "wis"),
    **dict.fromkeys(("bluff", "diplomacy", "disguise", "gather information", "handle animal"), "cha"),
    **dict.fromkeys(("intimidate", "perform", "use magic device"), "cha"),
}


def save_bonus(fight: Fight, combatant: Combatant, kind: str) -> list[Modifier]:
    """Return the parts of a saving throw: base, ability, the sheet's bonuses, conditions, effects.

    `kind` is "fort", "ref" or "will" (srd35.save.roll, futurepath.save.formula).
    """
    sheet = combatant.sheet
    rule = fight.rule("save.roll")
    short, name = SAVE_ABILITY[kind]
    parts = [
        Modifier(getattr(sheet.saves, kind), "base", "base save", rule),
        Modifier(ability(sheet, short), "ability", name, rule),
    ]
    for bonus in (*sheet.save_bonuses.get("all", ()), *sheet.save_bonuses.get(kind, ())):
        parts.append(Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, rule))
    parts += lowered(fight, combatant, short)
    parts += condition_parts(fight, combatant, "save")
    parts += condition_parts(fight, combatant, f"save.{kind}")
    parts += effect_parts(combatant, "save", "")
    parts += effect_parts(combatant, f"save.{kind}", "")
    return parts + roll_parts(fight, combatant, "save", kind)


def saving_throw(
    fight: Fight,
    combatant: Combatant,
    kind: str,
    dc: int,
    source: str,
    *cites: str,
    extra: tuple[Modifier, ...] = (),
) -> Steps[bool]:
    """Roll a saving throw; a natural 1 fails and a natural 20 succeeds (srd35.save.naturals).

    futurepath.save.natural-1, futurepath.save.natural-20, pf1.save.natural-1, pf1.save.natural-20.
    """
    low, high = fight.figure("save.natural-1", "face"), fight.figure("save.natural-20", "face")
    never = fight.dialect.classes.saves_never(fight, combatant)
    if never:
        why = f"against {source}: fails unrolled"
        yield fails_unrolled(combatant, f"save.{kind}", dc, why, fight.rule(never), *cites)
        return False

    def decide(natural: int, total: int, tally: Tally) -> tuple[bool, tuple[str, ...]]:
        success, topics = total >= dc, list[str]()
        if natural in (low, high):
            success = natural == high
            topics.append("save.natural-20" if success else "save.natural-1")
        if tally.failed:
            success = False
            topics.append("disadvantage.auto-fail")
        return success, fight.rules(*topics)

    fact = yield from rolled_save(fight, combatant, kind, dc, source, *cites, extra=extra, decide=decide)
    return fact.success


def fails_unrolled(combatant: Combatant, check: str, dc: int, why: str, *cites: str) -> CheckResolved:
    """Return the fact of a save or check that fails without a roll."""
    return CheckResolved(
        who=combatant.id,
        check=check,
        key="",
        natural=0,
        total=0,
        dc=dc,
        success=False,
        parts=(),
        why=why,
        cites=cites,
    )


def rolled_save(
    fight: Fight,
    combatant: Combatant,
    kind: str,
    dc: int,
    source: str,
    *cites: str,
    decide: Callable[[int, int, Tally], tuple[bool, tuple[str, ...]]],
    extra: tuple[Modifier, ...] = (),
    taken: int = 0,
) -> Steps[CheckResolved]:
    """Roll a saving throw, unless a number is `taken` for the die, and return the fact of it.

    `decide` says of the die, the total and the modifiers whether they succeed, and by which further rules
    (srd35.save.roll, pf1.save.roll, woa.save.roll).
    """
    parts = [*fight.dialect.classes.save_bonus(fight, combatant, kind), *extra]
    tally = fight.dialect.attacks.stack(fight, ruled_out(combatant, f"save.{kind}", parts))

    def judge(key: str, natural: int) -> CheckResolved:
        total = natural + tally.total
        success, rules = decide(natural, total, tally)
        return CheckResolved(
            who=combatant.id,
            check=f"save.{kind}",
            key=key,
            natural=natural,
            total=total,
            dc=dc,
            success=success,
            parts=tally.parts,
            why=f"against {source}",
            cites=(fight.rule("save.roll"), *cites, *rules),
        )

    fact: CheckResolved = yield from judged(combatant.id, f"save-{kind}", judge, taken=taken)
    return fact


def half_on_save(fight: Fight, combatant: Combatant, save: SaveMade) -> Spared:
    """Return what is left of damage after a save that does not negate it, why, and the rules besides."""
    return (save.amount // 2, "half on a successful save", ()) if save.succeeded else (save.amount, "", ())


def check_kind(name: str) -> str:
    """Return the stat that conditions change for a check: of an ability, or of a skill."""
    return "ability-check" if name in SCORES or name.title() in SCORES.values() else "skill"


def check_parts(
    fight: Fight, combatant: Combatant, name: str, own: Iterable[Modifier], kind: str = ""
) -> list[Modifier]:
    """Return the parts of a check: its `own`, and what changes all checks, its kind, or those of its name.

    A DC that the game master has found higher or lower is no part (`changes_of_dc`). `kind` is that of the
    name if left out.
    """
    stats = ("check", f"check.{name}", kind or check_kind(name))
    parts = [*own]
    if combatant.conditions:
        for stat in stats:
            parts += condition_parts(fight, combatant, stat)
    parts += roll_parts(fight, combatant, "check", name)
    if combatant.effects:
        for stat in (f"check.{name}", NEXT_CHECK):
            parts += effect_parts(combatant, stat, "")
    return parts


def changes_of_dc(combatant: Combatant) -> list[Effect]:
    """Return what the game master has found to change the DC of the next check."""
    return [one for one in combatant.effects if one.stat == f"{NEXT_CHECK}-dc"] if combatant.effects else []


def turned_around(combatant: Combatant) -> list[Modifier]:
    """Return what is found to change the DC of a combatant's next check, as modifiers of that check."""
    found = [one.modifier for one in changes_of_dc(combatant)]
    return [replace(part, value=-part.value) for part in found]


def circumstance_parts(combatant: Combatant) -> list[Modifier]:
    """Return what the game master has found to change a combatant's next check, be it by its DC."""
    return [*effect_parts(combatant, NEXT_CHECK, ""), *turned_around(combatant)]


def use_up(combatant: Combatant, name: str) -> Iterator[EffectEnded]:
    """Yield the end of what counted for one check only, once that of a name is made."""
    for effect in combatant.effects:
        if effect.uses and (effect.stat == f"check.{name}" or effect.stat.startswith(NEXT_CHECK)):
            yield EffectEnded(who=combatant.id, id=effect.id, why="used", cites=(effect.modifier.rule,))


def check(
    fight: Fight,
    combatant: Combatant,
    name: str,
    parts: list[Modifier],
    dc: int,
    *cites: str,
    why: str = "",
    taken: int = 0,
) -> Steps[bool]:
    """Make a check; 1 and 20 are nothing special (srd35.check.no-auto).

    With a die or, `taken`, with that number instead. What the game master found in favor of the next check
    or against it is used up (srd35.check.circumstance).
    """
    by = yield from check_by(fight, combatant, name, parts, dc, *cites, why=why, taken=taken)
    return by >= 0


def check_by(
    fight: Fight,
    combatant: Combatant,
    name: str,
    parts: list[Modifier],
    dc: int,
    *cites: str,
    why: str = "",
    taken: int = 0,
) -> Steps[int]:
    """Make a check and return by how much it beats its DC, below 0 by how much it fails."""
    parts = check_parts(fight, combatant, name, parts)
    for effect in changes_of_dc(combatant):
        dc += effect.modifier.value
        cites = (*cites, effect.modifier.rule)
    tally = fight.dialect.attacks.stack(fight, parts)
    plain = fight.dialect.attacks.no_automatic_rule

    def judge(key: str, natural: int) -> CheckResolved:
        total = natural + tally.total
        success = total >= dc and not tally.failed
        special = bool(plain) and (natural, success) in ((1, True), (20, False))
        rules = (*((plain,) if special else ()), *(("disadvantage.auto-fail",) if tally.failed else ()))
        return CheckResolved(
            who=combatant.id,
            check=name,
            key=key,
            natural=natural,
            total=total,
            dc=dc,
            success=success,
            parts=tally.parts,
            why=why,
            cites=(*cites, *fight.rules(*rules)),
        )

    fact: CheckResolved = yield from judged(combatant.id, name, judge, taken=taken)
    yield from use_up(combatant, name)
    margin = fact.total - dc
    return margin if fact.success else min(margin, -1)


def check_result(
    fight: Fight,
    combatant: Combatant,
    name: str,
    parts: Sequence[Modifier],
    *cites: str,
    dc: int | None = None,
    why: str = "",
    purpose: str = "",
    dice: str = "1d20",
) -> Steps[int]:
    """Make a check of these parts and nothing else, and return its result.

    It succeeds with `dc` or more; without one its result is what others are measured by. `purpose` names the
    roll where it is not `name`.
    """
    tally = fight.dialect.attacks.stack(fight, parts)

    def judge(key: str, shown: int) -> CheckResolved:
        total = shown + tally.total
        return CheckResolved(
            who=combatant.id,
            check=name,
            key=key,
            natural=shown,
            total=total,
            dc=dc or 0,
            success=dc is None or total >= dc,
            parts=tally.parts,
            why=why,
            cites=cites,
        )

    fact: CheckResolved = yield from judged(combatant.id, purpose or name, judge, dice)
    return fact.total


def skill_result(
    fight: Fight,
    combatant: Combatant,
    skill: str,
    own: Sequence[Modifier],
    *cites: str,
    dc: int | None = None,
    why: str = "",
    purpose: str = "",
) -> Steps[int]:
    """Make a skill check with all that changes it and return its result, by which something is measured."""
    parts = check_parts(fight, combatant, skill, own)
    total = yield from check_result(fight, combatant, skill, parts, *cites, dc=dc, why=why, purpose=purpose)
    yield from use_up(combatant, skill)
    return total


def skill_parts(
    fight: Fight, combatant: Combatant, skill: str, key_ability: str, rule: str
) -> list[Modifier]:
    """Return the parts of a skill check: the sheet's total, or the bare ability without it.

    What armor and load take off it follows as parts of its own.
    """
    if skill in combatant.sheet.skills:
        parts = [Modifier(combatant.sheet.skills[skill], "skill", skill, rule)]
    else:
        parts = [Modifier(ability(combatant.sheet, key_ability), "ability", key_ability, rule)]
    if combatant.conditions:
        parts += condition_parts(fight, combatant, f"check {key_ability}")
    parts += lowered(fight, combatant, key_ability)
    return parts + fight.dialect.classes.check_penalty(fight, combatant, skill)
