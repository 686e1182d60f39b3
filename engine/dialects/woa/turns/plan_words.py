"""The names that acts of some kinds have in a plan, and the types of action they may be declared as."""

Meant = tuple[str, tuple[str, ...]]
"""The name in a plan, and the types of action that it may be; a type that needs no plan for on the fly."""

ON_THE_FLY = ("free",)

#: Acts of this kind by the names they have in a plan, with the types of action they may be declared as.
TYPES: dict[str, tuple[str, ...]] = {
    "touch": ("standard", "full-round"),
    "maintain": ("standard",),
    "dismiss": ("standard",),
    "redirect": ("move",),
    "turn-undead": ("standard",),
    "activate": ("standard", "full-round", "move"),
    "drink": ("standard",),
    "administer": ("full-round",),
    "read": ("full-round",),
    "draw-stowed": ("full-round",),
    "draw-hidden": ("standard", "move"),
    "handle": ("move",),
    "handle-long": ("full-round",),
    "grab-item": ("move",),
    "shield": ("move",),
    "hurl": ("move",),
    "use-feat": ("standard", "move", "full-round"),
    "use-skill": ("standard", "move", "full-round"),
    "use-ability": ("standard", "move", "full-round"),
}
