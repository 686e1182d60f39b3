"""One fight as the rules see it: its working context and its caches."""
