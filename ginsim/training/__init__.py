"""Training learned players: hands that branch, the fit of the nets, and the way from one player to the next."""
