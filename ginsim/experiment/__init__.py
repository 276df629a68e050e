"""Experiment files and result folders: what a file may say, carrying it out, keeping it, putting parts together."""
