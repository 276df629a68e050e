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
# # Quick start
#
# Look at a hand, let two players meet, read the answer. Each step is one line, and it is the same on any machine.

# %%
# %matplotlib inline
import tempfile
from pathlib import Path

from IPython.display import Markdown

import ginsim

# %% [markdown]
# ## A hand
#
# Cards are written as rank and suit. *Deadwood* is what the unmatched cards count when the hand is melded as well as can be.

# %%
hand = "8H 8D 8C 5S 6S 7S AD 4C 9H QS"
ginsim.deadwood(hand)

# %%
ginsim.best_melds(hand)

# %% [markdown]
# With an eleventh card the question is what to throw away: the least deadwood, and all the cards that leave it.

# %%
ginsim.best_discard(f"{hand} 9S")

# %% [markdown]
# And a knock, with lay-offs and points:

# %%
print(ginsim.showdown("2S 3S 4S KH KD KC 7D 8D 9D AC", "5S 6S KS QH QD QC 4H 4D 4C 9C"))

# %% [markdown]
# ## Two players
#
# `simple` takes the upcard if that lowers its deadwood and knocks as soon as it may. `threshold(knock=4)` is the same player, but
# it knocks only with 4 points or fewer. Every deal is played twice, with the seats exchanged, so that nobody is dealt the
# better cards. Two such hands are a *duplicate pair*.

# %%
result = ginsim.compare("threshold(knock=4)", "simple", rules="eaai", deals=20_000, seed=7)
Markdown(result.verdict())

# %% [markdown]
# Every figure comes with its 95 % interval: `low` and `high`.

# %%
result.summary().round(3)

# %% [markdown]
# Where do the points come from? How the hands ended, and who won them:

# %%
ginsim.plot(result).figure

# %%
ends = result.endings()
cut = ends[(ends.ending == "undercut") & (ends.winner == result.a)].iloc[0]
Markdown(
    f"**{result.a}** undercuts its opponent in {cut.share:.1%} of the hands ({cut.low:.1%} to {cut.high:.1%}) "
    f"and gets {cut.points:.1f} points each time."
)

# %% [markdown]
# ## Can I trust it?
#
# The same seed gives the same figures, whatever the number of cores:

# %%
again = ginsim.compare("threshold(knock=4)", "simple", rules="eaai", deals=20_000, seed=7, workers=1)
again == result

# %% [markdown]
# Other deals give other figures, but they agree within their intervals:

# %%
other = ginsim.compare("threshold(knock=4)", "simple", rules="eaai", deals=20_000, seed=8)
for played in (result, other):
    print(f"seed {played.seed}: {played.points_per_hand.value:+.2f} points per hand", end=" ")
    print(f"({played.points_per_hand.low:+.2f} to {played.points_per_hand.high:+.2f})")

# %% [markdown]
# ## Keep it
#
# A result folder holds the report as a page, the tables, the pictures, and all that is needed to get the same again.

# %%
with tempfile.TemporaryDirectory() as folder:
    saved = ginsim.save(result, Path(folder) / "my_first_result", title="Wait or knock?")
    print(*sorted(file.name for file in saved.iterdir() if file.suffix in (".html", ".md", ".tex", ".json")))
