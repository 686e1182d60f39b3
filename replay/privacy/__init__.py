"""Visibility of events: audiences and players' copies."""
