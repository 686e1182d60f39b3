"""Who may see what: events, audiences, players' copies."""
