"""The games: what each must provide (``base``), which there are (``catalog``), and what their rules and strategies share."""
