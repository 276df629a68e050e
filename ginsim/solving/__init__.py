"""When to knock, solved on recorded courses: cells of what is known, regrets, best replies, charts. Knows no study."""
