"""The logs on which a change of the rules is tested."""
