"""The chapter on senses in srd35: what stands at each point that is not plain.

Senses are traits: "darkvision 60", "low-light vision", "blindsight 30", "blindsense 30", "tremorsense 30",
"scent", "see invisibility". `expose` says who is where no daylight falls ("no daylight"), carries a "light"
(`degree` is the source), stands behind "improved cover" or in a "veil" (`degree` is its percent). Conditions
"invisible", "blinded", "blurred", "distracted", "immobile", "ethereal" count too; "incorporeal" is a trait.
"""

from msgspec.structs import replace

from affray.engine.dialects.srd35.senses import concealment, hide, seek
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.senses import Senses
from affray.engine.rules.senses.plain import PLAIN_SENSES
from affray.events.facts import acts

SENSES: Senses = replace(
    PLAIN_SENSES,
    rolls=rolls("1d100: blind-fight", "1d20: hide, listen, move-silently, search, spot"),
    acts={
        acts.Hide: Honours(hide.hide, "path how"),
        acts.Seek: Honours(
            seek.seek,
            "target sense at through wind reactive",
            under={
                "target": {"sense": ("spot", "listen", "scent")},
                "at": {"sense": ("grope",)},
                "through": {"sense": ("listen",)},
                "wind": {"sense": ("scent",)},
                "reactive": {"sense": ("spot", "listen", "scent")},
            },
        ),
    },
    sees_foe=concealment.sees_foe,
    locates=concealment.locates,
)
