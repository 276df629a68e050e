"""Studies: playing many deals in parallel, what is counted, estimates with intervals, results on disk, experiments."""
