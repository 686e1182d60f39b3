"""What if, and was it right: seeking, verifying, branching, comparing, explaining.

Each name is imported when it is first used, so that the command line starts at once.
"""

from typing import TYPE_CHECKING

from affray.events.lazy_face import lazily

if TYPE_CHECKING:
    from affray.replay.balance.cells import Grid
    from affray.replay.balance.grid import grid
    from affray.replay.branch import branches, fork, promote
    from affray.replay.campaign.career import Career, career
    from affray.replay.campaign.carry import Journey, carry
    from affray.replay.campaign.follow import Following, follow_back
    from affray.replay.campaign.leaving import Between, CannotCarry
    from affray.replay.campaign.logs import Logs
    from affray.replay.difference import Difference, diff
    from affray.replay.explanation import Why, why
    from affray.replay.merge_branches import Merged, merge
    from affray.replay.merge_conflicts import MergeConflict
    from affray.replay.notation.reading import import_notation
    from affray.replay.notation.writing import export_notation
    from affray.replay.pivoting import pivot_branch, pivots
    from affray.replay.playhead import Playhead, state_at
    from affray.replay.referee.judged import Judged, judge_text
    from affray.replay.rows.walk import rows_of
    from affray.replay.rule_changes.change import Change
    from affray.replay.rule_changes.found import Errata
    from affray.replay.rule_changes.survey import errata
    from affray.replay.ruling import Ruling
    from affray.replay.samples.build import SampleSet, build_samples
    from affray.replay.verification import verify
    from affray.replay.whatif import WhatIf, what_if

_HOME = {
    "Between": "affray.replay.campaign.leaving",
    "CannotCarry": "affray.replay.campaign.leaving",
    "Career": "affray.replay.campaign.career",
    "Change": "affray.replay.rule_changes.change",
    "Difference": "affray.replay.difference",
    "Errata": "affray.replay.rule_changes.found",
    "Following": "affray.replay.campaign.follow",
    "Grid": "affray.replay.balance.cells",
    "Journey": "affray.replay.campaign.carry",
    "Judged": "affray.replay.referee.judged",
    "Logs": "affray.replay.campaign.logs",
    "MergeConflict": "affray.replay.merge_conflicts",
    "Merged": "affray.replay.merge_branches",
    "Playhead": "affray.replay.playhead",
    "Ruling": "affray.replay.ruling",
    "SampleSet": "affray.replay.samples.build",
    "WhatIf": "affray.replay.whatif",
    "Why": "affray.replay.explanation",
    "branches": "affray.replay.branch",
    "build_samples": "affray.replay.samples.build",
    "career": "affray.replay.campaign.career",
    "carry": "affray.replay.campaign.carry",
    "diff": "affray.replay.difference",
    "errata": "affray.replay.rule_changes.survey",
    "export_notation": "affray.replay.notation.writing",
    "follow_back": "affray.replay.campaign.follow",
    "fork": "affray.replay.branch",
    "grid": "affray.replay.balance.grid",
    "import_notation": "affray.replay.notation.reading",
    "judge_text": "affray.replay.referee.judged",
    "merge": "affray.replay.merge_branches",
    "pivot_branch": "affray.replay.pivoting",
    "pivots": "affray.replay.pivoting",
    "promote": "affray.replay.branch",
    "rows_of": "affray.replay.rows.walk",
    "state_at": "affray.replay.playhead",
    "verify": "affray.replay.verification",
    "what_if": "affray.replay.whatif",
    "why": "affray.replay.explanation",
}


__getattr__ = lazily(__name__, _HOME)

__all__ = [
    "Between",
    "CannotCarry",
    "Career",
    "Change",
    "Difference",
    "Errata",
    "Following",
    "Grid",
    "Journey",
    "Judged",
    "Logs",
    "MergeConflict",
    "Merged",
    "Playhead",
    "Ruling",
    "SampleSet",
    "WhatIf",
    "Why",
    "branches",
    "build_samples",
    "career",
    "carry",
    "diff",
    "errata",
    "export_notation",
    "follow_back",
    "fork",
    "grid",
    "import_notation",
    "judge_text",
    "merge",
    "pivot_branch",
    "pivots",
    "promote",
    "rows_of",
    "state_at",
    "verify",
    "what_if",
    "why",
]
