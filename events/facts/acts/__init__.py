"""What somebody can declare, as imperatives.

An act is one combatant's intention; `actor` is who acts ("" for the game master). Squares are
(x, y) pairs counted from the upper left; distances are feet. A path lists every square entered,
without the one the mover stands on; for a creature of several squares it names its upper left one.
What an act lacks has its default; whether it can be done says the table, `Table.declare`.

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
