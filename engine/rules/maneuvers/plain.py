"""The plain values of the chapter on maneuvers: complete, for a dialect to start from."""

from affray.engine.record.maneuvers import Maneuvers
from affray.engine.record.silent import nothing
from affray.engine.rules.maneuvers.opposed_checks import trip_footing

PLAIN_MANEUVERS = Maneuvers(acts={}, substitutes={}, tripped_footing=trip_footing, before_contest=nothing)
