"""Hands that were written down, by people or programs: read from several notations, walked through the rules, written."""
