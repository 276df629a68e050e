"""A slow, obvious, plain-Python twin of the engine: every fast thing is compared with it."""
