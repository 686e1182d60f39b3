"""The chapter on senses in woa: what stands at each point that is not plain.

Traits: "darkvision 60", "low-light vision", "blindsight 30", "echolocation 60", "see invisibility", "true
seeing", "sees through smoke". `expose` says how dark it is where somebody stands ("darkness" with "moderate",
"near-total", "total" or "supernatural") and what veils it ("veil" with a degree or an example of the table of
concealment).
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.senses import concealment, hide
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.senses import Senses
from affray.engine.rules.senses.plain import PLAIN_SENSES
from affray.events.facts import acts

SENSES: Senses = replace(
    PLAIN_SENSES,
    rolls=rolls("1d20: listen, move-silently, search, spot, stealth", "1d3: guess"),
    questions=questions(
        "duck: no, yes", "guess: at random, <square>", "locate: known, listen, spot, no telling"
    ),
    acts={
        acts.Hide: Honours(hide.hide, "path", refuses="how"),
        acts.Seek: Honours(hide.seek, "target sense"),
    },
    locates=concealment.perceives,
)
