"""What-ifs and verification: seeking, verifying, branching, comparing, explaining.

Each name is imported when it is first used, which lets the command line start at once.
"""

from typing import TYPE_CHECKING

from affray.events.lazy_exports import lazily

if TYPE_CHECKING:
    from affray.replay.campaign.career import Career, career
    from affray.replay.campaign.carry import Between, CannotCarry, Journey, carry
    from affray.replay.campaign.follow import Following, follow_back
    from affray.replay.campaign.origins import Logs
    from affray.replay.chance.balance import Grid, grid
    from affray.replay.chance.difficulty import difficulty
    from affray.replay.difference import Difference, diff
    from affray.replay.explain.why import Why, why
    from affray.replay.language import say
    from affray.replay.log.branches import branches, fork, promote
    from affray.replay.log.playhead import Playhead, state_at
    from affray.replay.merging.conflicts import MergeConflict
    from affray.replay.merging.merge import Merged, merge
    from affray.replay.notation.reading import import_notation
    from affray.replay.notation.writing import export_notation
    from affray.replay.redecide.rule_change import Change
    from affray.replay.redecide.rulings import Ruling
    from affray.replay.referee.judge import Judged, judge_text
    from affray.replay.rows.samples import SampleSet, build_samples
    from affray.replay.rows.walk import rows_of
    from affray.replay.rule_changes.report import Errata
    from affray.replay.rule_changes.survey import errata
    from affray.replay.rulebook.conformance import Conformance, conformance
    from affray.replay.verification.verify import verify
    from affray.replay.whatif.pivots import pivot_branch, pivots
    from affray.replay.whatif.what_if import WhatIf, what_if

_HOME = {
    "Between": "affray.replay.campaign.carry",
    "CannotCarry": "affray.replay.campaign.carry",
    "Career": "affray.replay.campaign.career",
    "Change": "affray.replay.redecide.rule_change",
    "Conformance": "affray.replay.rulebook.conformance",
    "Difference": "affray.replay.difference",
    "Errata": "affray.replay.rule_changes.report",
    "Following": "affray.replay.campaign.follow",
    "Grid": "affray.replay.chance.balance",
    "Journey": "affray.replay.campaign.carry",
    "Judged": "affray.replay.referee.judge",
    "Logs": "affray.replay.campaign.origins",
    "MergeConflict": "affray.replay.merging.conflicts",
    "Merged": "affray.replay.merging.merge",
    "Playhead": "affray.replay.log.playhead",
    "Ruling": "affray.replay.redecide.rulings",
    "SampleSet": "affray.replay.rows.samples",
    "WhatIf": "affray.replay.whatif.what_if",
    "Why": "affray.replay.explain.why",
    "branches": "affray.replay.log.branches",
    "build_samples": "affray.replay.rows.samples",
    "career": "affray.replay.campaign.career",
    "carry": "affray.replay.campaign.carry",
    "conformance": "affray.replay.rulebook.conformance",
    "difficulty": "affray.replay.chance.difficulty",
    "diff": "affray.replay.difference",
    "errata": "affray.replay.rule_changes.survey",
    "export_notation": "affray.replay.notation.writing",
    "follow_back": "affray.replay.campaign.follow",
    "fork": "affray.replay.log.branches",
    "grid": "affray.replay.chance.balance",
    "import_notation": "affray.replay.notation.reading",
    "judge_text": "affray.replay.referee.judge",
    "merge": "affray.replay.merging.merge",
    "pivot_branch": "affray.replay.whatif.pivots",
    "pivots": "affray.replay.whatif.pivots",
    "promote": "affray.replay.log.branches",
    "rows_of": "affray.replay.rows.walk",
    "say": "affray.replay.language",
    "state_at": "affray.replay.log.playhead",
    "verify": "affray.replay.verification.verify",
    "what_if": "affray.replay.whatif.what_if",
    "why": "affray.replay.explain.why",
}


__getattr__ = lazily(__name__, _HOME)

__all__ = [
    "Between",
    "CannotCarry",
    "Career",
    "Change",
    "Conformance",
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
    "conformance",
    "diff",
    "difficulty",
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
    "say",
    "state_at",
    "verify",
    "what_if",
    "why",
]


def __dir__() -> list[str]:
    return __all__
