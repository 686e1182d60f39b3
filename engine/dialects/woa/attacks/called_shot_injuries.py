"""The injuries of a called shot that hits (woa.called-shot.effect)."""

from affray.engine.dialects.woa.attacks.called_shot_effects import JARRED, note_jarring_blow
from affray.engine.dialects.woa.damage.injury_causes import CALLED, random_injury
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier


def injure_part(fight: Fight, blow: Blow, harm: Harm, before: int) -> Steps[None]:
    """Injure the part that a called shot has hit, and jar a caster (woa.called-shot.effect, .concentration).

    Half of the hit points that the target had make it worse (woa.injury.roll.called-shot-massive).
    """
    target = blow.target
    if "dead" in target.conditions:
        return
    extra: tuple[Modifier, ...] = ()
    if harm.amount * 2 >= before:
        topic = "woa.injury.roll.called-shot-massive"
        extra = (fight.modifier(topic, "modifier", kind="circumstance", source="massive called shot"),)
    if JARRED not in target.conditions and "disturbed" in target.conditions:
        yield from note_jarring_blow(fight, target, blow.intent.body_part)
    topic = "woa.injury.cause.called-shot"
    topics = (topic, "woa.called-shot.effect", "woa.called-shot.injury-source")
    yield from random_injury(fight, target, harm, topics, CALLED, blow.intent.body_part, *extra)
