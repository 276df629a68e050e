"""Two-player gin: one hand, its showdown, and the scoring of games and matches."""
