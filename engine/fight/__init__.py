"""One fight as the rules see it: its working context, what it remembers, who is near whom."""
