"""Strategies: what they may see (view), the decisions they are made of, the families, and users' own."""
