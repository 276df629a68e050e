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
# # What to knock with, solved
#
# No threshold is the answer: what to knock with depends on the turn and on how many cards are unmatched, and whoever always does
# the same can be exploited. As long as draws and discards do not look at knocking, knocking is a game of its own, and it can be
# solved: two players who knock by the solved chart have nothing to gain by knocking otherwise.

# %%
# %matplotlib inline
from IPython.display import Markdown

import ginsim
from ginsim import plots

# %% [markdown]
# ## Solve it
#
# `threshold` draws and discards in both seats: the upcard only for a meld, the least deadwood kept. The deals that make the chart
# and the deals that judge it are different ones. (The shipped chart `classic25` is made of a million deals.)

# %%
result = ginsim.solve("threshold", rules="classic25", deals=30_000, seed=2026)
Markdown(result.verdict())

# %% [markdown]
# ## The chart
#
# Own turns down, own deadwood across, for each seat and number of unmatched cards. K: knock; a dot: play on; a number: knock in
# so many per cent of cases; a dash: it comes up too rarely to tell.

# %%
ginsim.plot(result).figure

# %% [markdown]
# ## Where it matters
#
# For each cell: the chance to knock, how often the cell comes up per hand, and what knocking gains over going on.

# %%
cells = result.table()
cells["matters"] = cells.per_hand * cells.gain.abs()
cells.nlargest(8, "matters").drop(columns=["told", "decided", "matters"]).round(3)

# %% [markdown]
# ## A card to print

# %%
plots.knock_card(result).figure

# %% [markdown]
# ## What popular advice gives away
#
# To the best reply of a player who knows the advice (dots), and to the chart (squares). A reply that finds nothing to win is
# fitted to chance and loses a little on other deals: nothing is cut off at 0.

# %%
plots.advices(result).figure

# %% [markdown]
# Any other way of knocking can be judged in the same way, for the same draws and discards:

# %%
ways = ["threshold(knock=7)", "threshold(knock_by_turn=[10, 10, 10, 10, 10, 4, 4, 4, 0])"]
Markdown("\n".join(f"- `{way}` gives away {result.exploitability(way).value:z.2f} points a hand." for way in ways))

# %% [markdown]
# ## What to remember
#
# The best rules with at most two numbers: by deadwood, by the number of unmatched cards, by both.

# %%
table = result.advices().set_index("advice").loc[result.remembered]
Markdown("\n".join(f"- **{rule}** It gives away {row.exploitable:z.2f} points a hand." for rule, row in table.iterrows()))

# %% [markdown]
# ## Counting boxes reverses the advice
#
# With a box of 25 for every hand won, ending the hand is worth more:

# %%
boxes = ginsim.solve("threshold", rules="classic25", by="boxes", knows="deadwood", deals=20_000, seed=2026)
both = {"points": result, "points and boxes": boxes}
names = ["knock at once", "never knock before gin"]
Markdown(
    "\n".join(
        f"- Counted by {what}, *{name}* gives away {solved.figure(name).value:.2f} a hand ({solved.figure(name).low:.2f} to "
        f"{solved.figure(name).high:.2f})."
        for what, solved in both.items()
        for name in names
    )
)

# %% [markdown]
# ## Four sets of rules
#
# [results/charts](../results/charts/report.md) shows the charts of four sets of rules side by side, and what popular advice
# gives away under each; `ginsim.charts_page([result, …], "folder")` makes such a report of your own results.

# %% [markdown]
# ## Play against it
#
# A chart is a strategy: `stop=chart` with the name of a shipped chart, or with the file that `result.chart.save("my.json")`
# writes. It plays at the speed of a threshold.

# %%
opponents = ["threshold(knock=10)", "threshold(knock=4)", "threshold(knock=0)"]
played = ginsim.gauntlet(["threshold(stop=chart, chart=classic25)"], opponents, rules="classic25", deals=20_000, seed=2026)
played.opponent_table()[["opponent", "points_per_hand", "points_per_hand_low", "points_per_hand_high", "hands_won"]].round(3)

# %% [markdown]
# It is safe, but it does not exploit: against an opponent whose knocking is known, another chart wins more.

# %%
known = ginsim.solve("threshold", rules="classic25", against="threshold(knock=4)", knows="deadwood", deals=10_000, seed=2026)
safe, best = known.figure("reply safe"), known.figure("reply")
Markdown(
    f"Against *knock with 4 or less* the safe chart (by deadwood) brings {safe.value:.2f} points a hand ({safe.low:.2f} to "
    f"{safe.high:.2f}), the best reply {best.value:.2f} ({best.low:.2f} to {best.high:.2f})."
)
