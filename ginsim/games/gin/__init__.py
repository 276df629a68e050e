"""Two-player gin and its matches."""
