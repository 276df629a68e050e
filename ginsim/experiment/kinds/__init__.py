"""The kinds of experiment, one subject a file: what its file may say, and how its result is kept on disk."""
