"""What one who flees, from a turning or from what it fears, may still declare (srd35.turn.flee)."""

from affray.events.facts import acts

#: The movements of flight; they have to lead away.
FLEEING = (acts.Move, acts.Withdraw, acts.Run)
#: What nobody's will decides.
UNWILLED = (acts.Enter, acts.Begin, acts.Close, acts.Hazard, acts.Rule, acts.Resume, acts.Speak)
