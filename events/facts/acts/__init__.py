"""What somebody can declare, as imperatives.

An act is one combatant's intention; `actor` is who acts ("" for the game master). Squares are
(x, y) pairs counted from the upper left; distances are feet. A path lists every square entered,
without the one the mover stands on; for a creature of several squares it names its upper left one.

Each module holds the acts of one subject; everybody else takes them from here.
"""

from affray.events.facts.acts.attacks import *
from affray.events.facts.acts.care import *
from affray.events.facts.acts.encounter import *
from affray.events.facts.acts.gear import *
from affray.events.facts.acts.magic import *
from affray.events.facts.acts.maneuvers import *
from affray.events.facts.acts.movement import *
from affray.events.facts.acts.riding import *
from affray.events.facts.acts.skills import *
from affray.events.facts.acts.turns import *
from affray.events.facts.base import *
