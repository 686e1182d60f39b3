"""Who may turn what: the energy, the level, the holy symbol, the attempts of a day."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.levels import lost_levels
from affray.engine.rules.classes.turning_power import turn_resistance
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

EXTRA = "extra turning"

IMPROVED = "improved turning"

#: What strengthens a creature against turning while it lasts.
HARDENED = "hit dice against turning"


def pool_of(what: str, kind: str) -> str:
    """Return the name of the daily supply that an attempt draws on."""
    return f"{'turn' if what == 'turn' else 'rebuke'} {kind}"


def refuse_other_energy(fight: Fight, combatant: Combatant, what: str, kind: str) -> None:
    """Refuse what the energy that a turner channels cannot do (srd35.turn.positive-energy and the like).

    The sheet names "turn undead" or "rebuke undead" among its traits; a neutral cleric has one of the two.
    """
    turns, rebukes = has_trait(combatant, f"turn {kind}"), has_trait(combatant, f"rebuke {kind}")
    positive = what == "turn"
    if turns and rebukes:
        raise Refusal(
            f"{combatant.id} may turn {kind} or rebuke them, not both", fight.rule("srd35.turn.neutral")
        )
    if turns if positive else rebukes:
        return
    if not turns and not rebukes:
        topic = "srd35.turn.positive-energy" if positive else "srd35.turn.negative-energy"
        raise Refusal(f"{combatant.id} has no power over {kind}", fight.rule(topic))
    energy, topic = (
        ("positive", "srd35.turn.positive-energy") if turns else ("negative", "srd35.turn.negative-energy")
    )
    if not has_trait(combatant, "good" if turns else "evil"):
        topic = "srd35.turn.neutral"
    raise Refusal(f"{combatant.id} channels {energy} energy and cannot {what} {kind}", fight.rule(topic))


def turning_level(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the parts of the level at which a turner turns: cleric, paladin from 4th at three less, feat.

    Refuses a turner that has no such level (srd35.turn.paladin, .paladin-level, srd35.feat.extra-turning).
    """
    cleric, paladin = (combatant.sheet.classes.get(name, 0) for name in ("cleric", "paladin"))
    parts = [Modifier(cleric, "level", "cleric level", fight.rule("srd35.turn.damage"))] if cleric else []
    least = fight.figure("srd35.turn.paladin", "min_level")
    if paladin >= least:
        if cleric:
            topic, words = "srd35.turn.paladin-level", fight.figure("srd35.turn.paladin-level", "paladin")
        else:
            topic, words = "srd35.turn.paladin", fight.figure("srd35.turn.paladin", "effective_cleric_level")
        lower = int(str(words).split()[-1])
        parts.append(Modifier(paladin - lower, "level", f"paladin level - {lower}", fight.rule(topic)))
    if not parts:
        raise Refusal(f"{combatant.id} has no level to turn with", fight.rule("srd35.turn.paladin"))
    if has_feat(combatant, IMPROVED):
        parts.append(
            fight.modifier(
                "srd35.feat.extra-turning", "improved_level", kind="level", source="Improved Turning"
            )
        )
    return [*parts, *lost_levels(fight, combatant)]


def attempts_a_day(fight: Fight, combatant: Combatant) -> tuple[int, int]:
    """Return how often a day a combatant may turn or rebuke, and how often more by Extra Turning."""
    extra = combatant.sheet.feats.count(EXTRA) * fight.figure("srd35.feat.extra-turning", "attempts")
    own = fight.formula("srd35.turn.times-per-day", "per_day") + ability_now(fight, combatant, "cha")
    return own, int(extra)


def refuse_spent(fight: Fight, combatant: Combatant, pool: str) -> tuple[str, ...]:
    """Refuse an attempt beyond those of the day; return the rules that allow this one."""
    own, extra = attempts_a_day(fight, combatant)
    used = combatant.resources.get(pool, 0)
    rule = fight.rule("srd35.turn.times-per-day")
    if used >= own + extra:
        raise Refusal(f"{combatant.id} has no attempt left of {max(0, own + extra)} a day", rule)
    return (rule, fight.rule("srd35.feat.extra-turning")) if used >= own else (rule,)


def hit_dice_to_turn(fight: Fight, combatant: Combatant) -> tuple[int, tuple[str, ...]]:
    """Return the Hit Dice that count against turning, and the rules that raise them.

    Turn resistance adds to them, bolstering raises them (srd35.turn.resistance, srd35.turn.bolster).
    """
    dice, topics = combatant.sheet.hit_dice, []
    resistance = turn_resistance(combatant)
    if resistance:
        dice += resistance
        topics.append("srd35.turn.resistance")
    more = max((effect.modifier.value for effect in combatant.effects if effect.stat == HARDENED), default=0)
    if more:
        dice += more
        topics.append("srd35.turn.bolster")
    return dice, fight.rules(*topics)


def turning_synergy(fight: Fight, combatant: Combatant, name: str, detail: str) -> Iterator[Modifier]:
    """Yield the bonus of ranks in Knowledge (religion) to turning checks (srd35.turn.synergy).

    The sheet names them among its traits: "knowledge religion 5".
    """
    ranks = detail.split()[0] if detail else ""
    if name == "turning" and ranks.isdecimal() and int(ranks) >= fight.figure("srd35.turn.synergy", "ranks"):
        yield fight.modifier("srd35.turn.synergy", "check", kind="synergy", source="Knowledge (religion)")
