"""Playing many hands: the pieces of work, how they are spread over workers, what is counted, and the journal of a run."""
