"""What is shown of each kind of result: a file a kind, whose words are in the template of the same name."""
