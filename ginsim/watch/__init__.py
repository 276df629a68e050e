"""One hand at a time: seen again turn by turn, and what to do in a position."""
