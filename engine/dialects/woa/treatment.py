"""Treatment: what becomes of the unconscious is settled when somebody helps them (woa.knocked-out.*)."""

from affray.engine.dialects.woa.injury import health
from affray.engine.dialects.woa.saves import save
from affray.engine.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: Rounds of the rows of woa.knocked-out.mod-timing: 1 round, 1 and 10 minutes, 1 and 8 hours, 1 day.
TREATED_WITHIN = (1, 10, 100, 600, 4800, 14400)


def treat(
    fight: Fight, who: Combatant, treatment: int, rounds_out: int, source: str, *cites: str
) -> Steps[bool]:
    """Settle the fate of somebody unconscious by the condition save (woa.knocked-out.*).

    `treatment` is the modifier of the treatment, `rounds_out` the rounds since consciousness was lost.
    Returns whether the patient lives.
    """
    rows = fight.figure("knocked-out.mod-timing", "rows")
    timing = rows[sum(rounds_out > limit for limit in TREATED_WITHIN)]
    extra = (
        *health(fight, who),
        Modifier(treatment, "treatment", source, fight.rule("knocked-out.mod-treatment")),
        Modifier(
            timing["modifier"],
            "timing",
            f"treated within {timing['treated_within']}",
            fight.rule("knocked-out.mod-timing"),
        ),
    )
    ids = fight.rules("knocked-out.save", "knocked-out.mod-hp", "knocked-out.no-auto-fail")
    dc = fight.figure("knocked-out.save", "dc")
    saved = yield from save(fight, who, "fort", dc, "death", *ids, *cites, extra=extra, naturals=False)
    rule = fight.rule("knocked-out.success" if saved.success else "knocked-out.failure")
    if not saved.success:
        yield ConditionLost(who=who.id, condition="unconscious", why="dead", cites=(rule,))
        yield ConditionGained(who=who.id, condition="dead", source="died of its wounds", cites=(rule,))
        return False
    yield RuleApplied(who=who.id, what="lives", cites=(rule,))
    return True
