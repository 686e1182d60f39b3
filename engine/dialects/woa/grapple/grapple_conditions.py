"""Conditions of those who hold and are held: what each denies and forbids (woa.grapple.*, woa.grab.*)."""

from affray.engine.record.conditions import ConditionRule

#: Who grapples whom stands in the source of "grappling", who holds whom in that of a hold.
HOLDS = {
    "grappling": ConditionRule(
        "woa.grapple.modifier.no-reactions",
        dexterity=False,
        dexterity_topic="woa.grapple.modifier.from-outside",
        reactions=False,
    ),
    "at an advantage": ConditionRule("woa.grapple.advantage"),
    "locked up": ConditionRule("woa.grapple.start.ends-actions", actions="none"),
    "held in check": ConditionRule("woa.grapple.outcome.rule", actions="none"),
    "pinned": ConditionRule("woa.grapple.hold.pin.position"),
    "arm-locked": ConditionRule("woa.grapple.hold.arm-lock"),
    "mouth clamped": ConditionRule("woa.grapple.hold.clamp-mouth"),
    "held immobile": ConditionRule(
        "woa.grapple.modifier.pinned-immobilized", dexterity=False, reactions=False, helpless=True
    ),
    "grabbing": ConditionRule("woa.grab.general-effect"),
    "grabbed": ConditionRule("woa.grab.success"),
    "weighed down": ConditionRule("woa.grab.encumbrance"),
    "suffocating": ConditionRule("woa.grab.squeeze-optional"),
}
