"""The questions that ginsim answers, each a function and the class of its result: who is better, what a rule changes."""
