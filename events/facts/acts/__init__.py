"""Acts: the declarations that combatants and the game master can make.

An act is one combatant's intention; `actor` is its id ("" for the game master). Squares are
(x, y) pairs counted from the upper left; distances are feet. A path lists every square entered,
without the starting square; for a creature of several squares it lists the upper left ones.
A field that is left out has its default. `Table.declare` decides whether an act is possible.

>>> from affray.engine import acts, packaged, set_up
>>> from affray.events import MemoryStore
>>> table = set_up(packaged("demo_srd35"), MemoryStore())
>>> begun = table.declare(acts.Begin())
>>> steps = acts.Move(actor=table.state.active, path=((6, 5), (5, 4)))
>>> steps.how
'normal'
>>> table.declare(steps).refused is None, table.state.combatants["sorcerer"].at
(True, (5, 4))
"""

from affray.events.facts.acts.attacks import *
from affray.events.facts.acts.movement import *
from affray.events.facts.acts.turns import *
from affray.events.facts.base import *
