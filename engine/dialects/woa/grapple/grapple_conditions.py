"""Conditions of those who hold and are held: what each denies and forbids (woa.grapple.*, woa.grab.*)."""

from affray.engine.record.conditions import ConditionRule

#: Who grapples whom stands in the source of "grappling", who holds whom in that of a hold.
HOLDS = {
    "grappling": ConditionRule(
        "grapple.modifier.no-reactions",
        dexterity=False,
        dexterity_topic="grapple.modifier.from-outside",
        reactions=False,
    ),
    "at an advantage": ConditionRule("grapple.advantage"),
    "locked up": ConditionRule("grapple.start.ends-actions", actions="none"),
    "held in check": ConditionRule("grapple.outcome.rule", actions="none"),
    "pinned": ConditionRule("grapple.hold.pin.position"),
    "arm-locked": ConditionRule("grapple.hold.arm-lock"),
    "mouth clamped": ConditionRule("grapple.hold.clamp-mouth"),
    "held immobile": ConditionRule(
        "grapple.modifier.pinned-immobilized", dexterity=False, reactions=False, helpless=True
    ),
    "grabbing": ConditionRule("grab.general-effect"),
    "grabbed": ConditionRule("grab.success"),
    "weighed down": ConditionRule("grab.encumbrance"),
    "suffocating": ConditionRule("grab.squeeze-optional"),
}
