"""Recorded hands judged: what each decision cost, and how much was luck."""
