# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What a rule changes
#
# Every house plays its own gin. Here rules are values: name a set, change a field, and measure the difference on the same decks.

# %%
# %matplotlib inline
from IPython.display import Markdown

import ginsim
from ginsim import plots

# %% [markdown]
# ## Rules are values

# %%
rules = ginsim.Rules.parse("classic25")
rules.knock_limit, rules.gin_bonus, rules.undercut_bonus

# %%
print(rules.replace(knock_limit=5, spades_double=True))

# %% [markdown]
# A run round the corner (Q-K-A) is a meld under some rules only:

# %%
{name: ginsim.is_meld("QS KS AS", rules=name) for name in ("classic25", "round_the_corner")}

# %% [markdown]
# ## One rule at a time
#
# Three players (one knocks as soon as it may, one waits, one plays for gin) play the same decks under the base and under each
# variant. So the luck of the deal drops out, and what is left is the rule.

# %%
variants = ["oklahoma", "(knock_limit=5)", "(gin_bonus=50)", "(undercut_bonus=50)", "(layoff=none)", "(wrap=true)"]
players = ["threshold(knock=10)", "threshold(knock=4)", "threshold(knock=0)"]
changes = ginsim.effect("classic25", variants, players, deals=5_000, games=0, seed=2026)
Markdown(changes.verdict())

# %%
plots.differences(changes, ["points", "gin", "undercut", "turns"]).figure

# %% [markdown]
# The same as a table: points scored per hand, turns of both players, and the share of hands that end in gin, each as the
# difference from the base.

# %%
changes.summary()[["points", "turns", "gin"]].round(3)

# %%
table = changes.table()
wrap = table[table.variant.str.contains("wrap")].set_index("measure")
gin, turns = wrap.loc["gin"], wrap.loc["turns"]
Markdown(
    f"Runs round the corner raise the share of hands that end in gin from {gin.base:.1%} to {gin.value:.1%} "
    f"(by {100 * gin.low:.1f} to {100 * gin.high:.1f} percentage points) and make a hand {-turns.difference:.1f} turns shorter."
)

# %% [markdown]
# ## Does the best player change?

# %%
changes.best()[["rules", "best", "points_per_hand", "second", "clear"]].round(2)

# %% [markdown]
# ## Two rules at once
#
# What gin and an undercut pay decides whether to wait. Each cell is a round robin of five thresholds, all on the same decks; it
# shows the best.

# %%
thresholds = [f"threshold(knock={points})" for points in (0, 2, 4, 7, 10)]
bonuses = [0, 10, 20, 30, 40, 50]
plane = ginsim.rule_map(("gin_bonus", bonuses), ("undercut_bonus", bonuses), thresholds, deals=1_000, seed=2026)
ginsim.plot(plane).figure

# %%
Markdown(plane.verdict())
