"""What the commands print; one module a command."""
