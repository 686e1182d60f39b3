"""The table at which a fight is played: what drives a declaration, who answers, scenarios, automatic play."""
