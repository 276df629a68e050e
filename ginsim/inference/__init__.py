"""The statistics of play: estimates with intervals, tests, ratings, equilibria, odds from the score."""
