"""Players whose decisions are learned: what they look at, the nets that weigh it, and the hands they are trained on."""
