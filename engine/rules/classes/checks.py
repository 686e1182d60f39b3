"""Saving throws, checks against a DC, and the prerequisites of feats."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from msgspec.structs import replace

from affray.engine.book.rules import Demands, Prerequisites
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.fight.memory import Same, per_company, per_fight
from affray.engine.kernel.sheets import score_of
from affray.engine.modifiers import Tally, effect_parts, ruled_out
from affray.engine.record.blow import SaveMade
from affray.engine.rules.classes.abilities import lowered, roll_parts
from affray.engine.rules.classes.sheets import ability, has_feat
from affray.engine.rules.conditions.conditions import condition_parts
from affray.engine.rules.gear.hands import arms_by_trait, strikes_per_full_attack
from affray.engine.steps import Refusal, Steps, judged
from affray.events.errors import counted
from affray.events.facts.combat import CheckResolved, EffectEnded, FeatsChanged
from affray.events.facts.sheet import SCORES, SIZES, Modifier, Sheet
from affray.projections.state import Combatant, Effect, printed_sheet

# --- The prerequisites of feats, by the dialect's table (`prerequisites.toml`), and feats that a creature
# cannot use
# A feat whose prerequisites a sheet lacks has no effect from the moment its bearer enters. One whose
# prerequisites are lost during the fight has no effect until they are back (option `feat_prerequisites`). The
# sheet of a combatant lists no such feats, and no rule has to check. By the reading "some" feats are checked
# when they are used.
#
# Facts that a sheet does not list cannot be checked: ranks in a skill that is missing from `ranks`, and
# proficiency with a weapon or shield that is not on the sheet. Such feats work.

OPTION: Final = "feat_prerequisites"
#: The prefix of a trait that names a feat which a creature has by nature.
BONUS: Final = "bonus feat "
#: A feat that monks have without listing it.
UNARMED: Final = "improved unarmed strike"

Scores = Mapping[str, int]
"""The abilities whose current scores are lower than on the sheet, with these scores."""


def topic_of(feat: str) -> str:
    """Return the topic of the rule on a feat."""
    return f"feat.{feat.replace(' ', '-')}"


def prerequisites_of(table: Mapping[str, Prerequisites], feat: str) -> Prerequisites | None:
    """Return the prerequisites of a feat; None for none. "Weapon focus (club)" has those of "weapon
    focus".
    """
    return table.get(feat) or table.get(feat.partition(" (")[0])


def has_feat_by_nature(sheet: Sheet, feat: str) -> bool:
    """Return whether a creature has a feat by its nature: its traits list "bonus feat cleave"."""
    return f"{BONUS}{feat}" in sheet.traits or f"{BONUS}{feat.partition(' (')[0]}" in sheet.traits


def grants(known: Prerequisites, sheet: Sheet) -> bool:
    """Return whether a class of the sheet gives the feat without its prerequisites."""
    return any(sheet.classes.get(name) for name in known.granted)


def has_prerequisite_feat(
    table: Mapping[str, Prerequisites], sheet: Sheet, feats: Collection[str], wanted: str, detail: str
) -> bool:
    """Return whether a sheet has a feat that another requires, among `feats`, or from a class.

    "weapon focus (*)" means a feat with the other feat's `detail`, or with any if that has none.
    """
    base, _, pattern = wanted.partition(" (")
    if pattern:
        one = f"{base} ({detail}" if detail else f"{base} ("
        return any(feat.startswith(one) for feat in feats)
    # Printed sheets have both "point blank shot" and "point-blank shot".
    listed = any(feat.replace("-", " ") == wanted.replace("-", " ") for feat in feats)
    return (
        listed
        or (wanted in table and grants(table[wanted], sheet))
        or (wanted == UNARMED and bool(sheet.classes.get("monk")))
    )


def has_feature(sheet: Sheet, wanted: str) -> bool:
    """Return whether a sheet has a class feature: a trait, or levels of a class ("paladin 4")."""
    name, _, level = wanted.rpartition(" ")
    if level.isdecimal():
        return sheet.classes.get(name, 0) >= int(level)
    return any(fnmatchcase(trait, wanted) for trait in sheet.traits)


def is_unproficient(sheet: Sheet, wanted: str, weapon: str) -> bool:
    """Return whether a sheet states that its bearer is not proficient with the `weapon`, or with shields."""
    if wanted == "shield":
        known = [one.proficient for one in sheet.worn if one.kind == "shield"]
    else:
        known = [one.proficient for one in sheet.weapons if one.name == weapon]
    return bool(known) and not any(known)


def count_natural_attacks(sheet: Sheet) -> int:
    """Return how many natural attacks a creature has in an ordinary full attack, without raking ones."""
    limbs = (one for one in sheet.weapons if one.wield == "natural" and "rake" not in one.traits)
    return sum(map(strikes_per_full_attack, limbs))


def yield_unmet_prerequisites(
    table: Mapping[str, Prerequisites],
    demands: Demands,
    sheet: Sheet,
    feats: Collection[str],
    detail: str,
    scores: Scores,
) -> Iterator[str]:
    """Yield the prerequisites of a feat that a sheet does not meet, in words."""
    for score, least in demands.abilities.items():
        if (scores[score] if score in scores else score_of(sheet, score) or 0) < least:
            yield f"{SCORES[score]} {least}"
    if sheet.base_attack < demands.base_attack:
        yield f"base attack bonus {demands.base_attack:+d}"
    if demands.size and SIZES.index(sheet.size) < SIZES.index(demands.size):
        yield f"size {demands.size.title()}"
    if demands.fly and not sheet.fly:
        yield "a fly speed"
    if demands.hands and arms_by_trait(sheet) < demands.hands:
        yield counted(demands.hands, "hand")
    if demands.natural_attacks and count_natural_attacks(sheet) < demands.natural_attacks:
        yield counted(demands.natural_attacks, "natural attack")
    for wanted in demands.feats:
        if not has_prerequisite_feat(table, sheet, feats, wanted, detail):
            yield f"the feat {wanted.partition(' (')[0].title()}"
    weapon = detail.removesuffix(")")
    if demands.proficient and is_unproficient(sheet, demands.proficient, weapon):
        yield f"proficiency with {f'the {weapon}' if demands.proficient == 'weapon' else 'shields'}"
    for skill, least in demands.ranks.items():
        if sheet.ranks.get(skill, least) < least:
            yield f"{counted(least, 'rank')} in {skill.title()}"
    for name, level in demands.levels.items():
        if sheet.classes.get(name, 0) < level:
            yield f"{name} level {level}"
    if demands.features and not any(has_feature(sheet, one) for one in demands.features):
        yield "the class feature " + " or ".join(
            one.partition(" [")[0].removesuffix(" *") for one in demands.features
        )


def find_unmet_prerequisite(
    table: Mapping[str, Prerequisites],
    sheet: Sheet,
    feats: Collection[str],
    feat: str,
    scores: Scores | None = None,
    *,
    some: bool = False,
) -> str:
    """Return the first prerequisite of a feat that a sheet does not meet, "" for none.

    `feats` are those that count. A feat granted by a class has no prerequisites, nor has a feat that a
    creature has by nature. With `some` the table of the reading "some" applies.
    """
    known = prerequisites_of(table, feat)
    if known is None or grants(known, sheet) or has_feat_by_nature(sheet, feat):
        return ""
    demands = known.some if some else known
    return next(
        yield_unmet_prerequisites(table, demands, sheet, feats, feat.partition(" (")[2], scores or {}), ""
    )


def find_unusable_feats(
    table: Mapping[str, Prerequisites], sheet: Sheet, scores: Scores | None = None
) -> tuple[str, ...]:
    """Return the feats of a sheet without effect, since it lacks their prerequisites by the table.

    They do not count as prerequisites of others. O(feats squared).
    """
    usable = dict.fromkeys(sheet.feats)
    while lacking := [feat for feat in usable if find_unmet_prerequisite(table, sheet, usable, feat, scores)]:
        for feat in lacking:
            del usable[feat]
    return tuple(feat for feat in sheet.feats if feat not in usable)


@per_fight()
def table_in_force(fight: Fight) -> Mapping[str, Prerequisites]:
    """Return the prerequisites in a fight in which feats without them have no effect; otherwise nothing."""
    table = fight.book.prerequisites
    return table if table and fight.option(OPTION) == "enforced" else {}


@per_fight()
def table_of_use(fight: Fight) -> Mapping[str, Prerequisites]:
    """Return the prerequisites in a fight in which feats are checked when used; otherwise nothing."""
    table = fight.book.prerequisites
    return table if table and fight.option(OPTION) == "some" else {}


def find_feats_without_effect(fight: Fight, sheet: Sheet) -> tuple[str, ...]:
    """Return the feats of a sheet that have no effect in a fight (option `feat_prerequisites`)."""
    return find_unusable_feats(table, sheet) if sheet.feats and (table := table_in_force(fight)) else ()


@per_fight(Same("sheet"), "unusable")
def scores_demanded(fight: Fight, sheet: Sheet, unusable: tuple[str, ...]) -> tuple[str, ...]:
    """Return the abilities that the feats of a sheet, and those that it cannot use, require."""
    table = table_in_force(fight)
    known = (prerequisites_of(table, feat) for feat in (*sheet.feats, *unusable))
    return tuple(dict.fromkeys(name for one in known if one is not None for name in one.abilities))


def find_lowered_scores(fight: Fight, combatant: Combatant, names: Collection[str]) -> dict[str, int]:
    """Return those of the abilities whose current scores are lower than on the sheet, with the scores.

    A temporarily higher score gives no feat.
    """
    if not (combatant.losses or combatant.conditions or combatant.effects):
        return {}
    found = {name: fight.dialect.conditions.score_steps(fight, combatant, name, "") for name in names}
    now = {name: steps[-1].score or 0 for name, steps in found.items() if steps}
    return {name: score for name, score in now.items() if score < (score_of(combatant.sheet, name) or 0)}


@per_company()
def changes_of_feats(fight: Fight) -> tuple[FeatsChanged, ...]:
    """Return the combatants whose feats changes of ability scores have made unusable or usable again.

    srd35.ability-loss.applied, pf1.ability-damage.
    """
    found: list[FeatsChanged] = []
    for one in fight.state.combatants.values():
        names = scores_demanded(fight, one.sheet, one.unusable)
        if not names or not (one.unusable or one.losses or one.conditions or one.effects):
            continue
        if not is_helpless(fight, one):  # its scores count as 0: it uses no feat anyway
            found += change_of_feats(fight, one, find_lowered_scores(fight, one, names))
    return tuple(found)


def change_of_feats(fight: Fight, combatant: Combatant, scores: Scores) -> Iterator[FeatsChanged]:
    """Yield the changes of a combatant's unusable feats with its ability scores, if any."""
    table, sheet = table_in_force(fight), printed_sheet(combatant)
    unusable = find_unusable_feats(table, sheet, scores)
    changed = set(unusable) ^ set(combatant.unusable)
    if changed:
        known = (prerequisites_of(table, feat) for feat in sheet.feats if feat in changed)
        cites = tuple(dict.fromkeys(one.rule for one in known if one is not None))
        why = "its ability scores have changed"
        yield FeatsChanged(who=combatant.id, unusable=unusable, why=why, cites=cites)


def explain_unusable_feat(fight: Fight, combatant: Combatant, feat: str) -> str:
    """Return what a combatant lacks to use a feat of its sheet, "" for nothing.

    Only by the reading "some": by all others the sheet has no feat that its bearer cannot use.
    """
    table = table_of_use(fight)
    known = prerequisites_of(table, feat) if table else None
    if known is None:
        return ""
    scores = find_lowered_scores(fight, combatant, known.some.abilities) if combatant.losses else {}
    return find_unmet_prerequisite(table, combatant.sheet, combatant.sheet.feats, feat, scores, some=True)


def masters(fight: Fight, combatant: Combatant, feat: str) -> bool:
    """Return whether a combatant has a feat and can use it."""
    return has_feat(combatant, feat) and not explain_unusable_feat(fight, combatant, feat)


def explain_missing_prerequisite(fight: Fight, combatant: Combatant, feat: str) -> str:
    """Return what a combatant lacks for a feat that its printed sheet lists, "" for nothing."""
    if feat in combatant.unusable:
        scores = find_lowered_scores(fight, combatant, SCORES)
        sheet = combatant.sheet
        return find_unmet_prerequisite(fight.book.prerequisites, sheet, sheet.feats, feat, scores)
    return explain_unusable_feat(fight, combatant, feat) if has_feat(combatant, feat) else ""


def refuse_without(fight: Fight, combatant: Combatant, feat: str) -> str:
    """Refuse the use of a feat that a combatant does not have or cannot use; return the id of its rule."""
    topic = topic_of(feat)
    rule = fight.rule(topic)
    missing = explain_missing_prerequisite(fight, combatant, feat)
    if not missing and not has_feat(combatant, feat):
        raise Refusal(f"{combatant.id} has no {feat.title()}", rule)
    if missing:
        raise Refusal(f"{feat.title()} takes {missing}", rule)
    return rule


# --- Saving throws and checks against a DC

#: The stat of a modifier of one check, or with "-dc" of its DC.
NEXT_CHECK = "next-check"
Spared = tuple[int, str, tuple[str, ...]]
"""The damage left after a saving throw, the reason, and further rules."""
SAVE_ABILITY = {"fort": ("con", "Constitution"), "ref": ("dex", "Dexterity"), "will": ("wis", "Wisdom")}
#: Fields of knowledge, each a separate skill.
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

#: Every skill, and the ability behind it for a combatant that only has the ability.
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
    low, high = fight.dialect.attacks.sure_faces(fight, f"save.{kind}", cites)
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

    fact = yield from roll_save(fight, combatant, kind, dc, source, *cites, extra=extra, decide=decide)
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


def roll_save(
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
    """Roll a saving throw, unless a number is `taken` for the die, and return its fact.

    `decide` returns for the die, the total and the modifiers whether they succeed, and by which further rules
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

    dice = fight.dialect.attacks.test_dice(fight, combatant, f"save.{kind}")
    fact: CheckResolved = yield from judged(combatant.id, f"save-{kind}", judge, dice, taken)
    return fact


def halve_damage_on_save(fight: Fight, combatant: Combatant, save: SaveMade) -> Spared:
    """Return the damage left after a save that does not negate it, the reason, and further rules."""
    return (save.amount // 2, "half on a successful save", ()) if save.succeeded else (save.amount, "", ())


def check_kind(name: str) -> str:
    """Return the stat that conditions change for a check: of an ability, or of a skill."""
    return "ability-check" if name in SCORES or name.title() in SCORES.values() else "skill"


def check_parts(
    fight: Fight, combatant: Combatant, name: str, own: Iterable[Modifier], kind: str = ""
) -> list[Modifier]:
    """Return the parts of a check: its `own`, and modifiers of all checks, of its kind, or of its name.

    A DC that the game master has raised or lowered is no part (`changes_of_dc`). `kind` is that of the name
    if left out.
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
    """Return the game master's changes of the DC of the next check."""
    return [one for one in combatant.effects if one.stat == f"{NEXT_CHECK}-dc"] if combatant.effects else []


def negate_dc_changes(combatant: Combatant) -> list[Modifier]:
    """Return the game master's changes of the DC of a combatant's next check, as modifiers of that check."""
    found = [one.modifier for one in changes_of_dc(combatant)]
    return [replace(part, value=-part.value) for part in found]


def circumstance_parts(combatant: Combatant) -> list[Modifier]:
    """Return the game master's modifiers of a combatant's next check, DC changes included."""
    return [*effect_parts(combatant, NEXT_CHECK, ""), *negate_dc_changes(combatant)]


def use_up(combatant: Combatant, name: str) -> Iterator[EffectEnded]:
    """Yield the end of modifiers for one check only, once that of a name is made."""
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

    With a die or, `taken`, with that number instead. The game master's modifiers of the next check are used
    up (srd35.check.circumstance).
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

    dice = fight.dialect.attacks.test_dice(fight, combatant, name)
    fact: CheckResolved = yield from judged(combatant.id, name, judge, dice, taken)
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
    """Make a check of only these parts, and return its result.

    It succeeds with `dc` or more; without one its result is compared with others. `purpose` names the roll if
    it is not `name`.
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


def make_skill_check(
    fight: Fight,
    combatant: Combatant,
    skill: str,
    own: Sequence[Modifier],
    *cites: str,
    dc: int | None = None,
    why: str = "",
    purpose: str = "",
) -> Steps[int]:
    """Make a skill check with all modifiers and return its result, for a comparison."""
    parts = check_parts(fight, combatant, skill, own)
    total = yield from check_result(fight, combatant, skill, parts, *cites, dc=dc, why=why, purpose=purpose)
    yield from use_up(combatant, skill)
    return total


def skill_parts(
    fight: Fight, combatant: Combatant, skill: str, key_ability: str, rule: str
) -> list[Modifier]:
    """Return the parts of a skill check: the sheet's total, or the bare ability without it.

    The penalties of armor and load follow as separate parts.
    """
    if skill in combatant.sheet.skills:
        parts = [Modifier(combatant.sheet.skills[skill], "skill", skill, rule)]
    else:
        parts = [Modifier(ability(combatant.sheet, key_ability), "ability", key_ability, rule)]
    if combatant.conditions:
        parts += condition_parts(fight, combatant, f"check {key_ability}")
    parts += lowered(fight, combatant, key_ability)
    return parts + fight.dialect.classes.check_penalty(fight, combatant, skill)
