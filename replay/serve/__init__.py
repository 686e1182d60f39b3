"""Serve a fight to browsers and programs: a link for each guest, and one filter for what each may see."""
