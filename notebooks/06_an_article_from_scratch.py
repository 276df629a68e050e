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
# # An article from scratch
#
# From a question to a paragraph that one can print: how many hands are needed, what they say, whether that holds up, a picture,
# and the table in Markdown and LaTeX. No figure is typed in by hand.
#
# **The question.** *It is my fifth turn and I can knock with 7. How likely am I to be undercut?*

# %%
# %matplotlib inline
import math
import tempfile
from pathlib import Path

from IPython.display import Markdown

import ginsim
from ginsim import plots
from ginsim.report.figures import SHARE, figure
from ginsim.report.html import latex_tables
from ginsim.report.texts import markdown_table

RULES, TURN, POINTS = "classic25", 5, 7

# %% [markdown]
# ## 1. How many hands?
#
# A short trial first. Half the width of an interval shrinks with the square root of the number of hands, so the trial says how
# many are needed for a figure that is good to half a percentage point.

# %%
def undercut(found, deadwood=POINTS, turn=TURN):
    """Knocks of one kind: how many, and the share undercut with its 95 % interval."""
    return found.knocks(0).set_index(["turn", "deadwood"]).loc[(turn, deadwood)]


trial = ginsim.statistics(["simple"], [RULES], deals=20_000, seed=1)
half = (undercut(trial).high - undercut(trial).low) / 2
needed = trial.deals * (half / 0.005) ** 2
deals = 50_000 * math.ceil(needed / 50_000)
Markdown(f"The trial is good to {100 * half:.1f} percentage points, so {needed:,.0f} deals are needed; {deals:,} it is.")

# %% [markdown]
# ## 2. Play
#
# Both players are `simple`: they lower their deadwood where they can and knock as soon as they may. The seed is another one
# than the trial's, so that the trial has no part in the answer.

# %%
found = ginsim.statistics(["simple"], [RULES], deals=deals, seed=2026)
answer = undercut(found)
Markdown(
    f"**{answer.undercut:.1%}** of {answer.knocks:,.0f} such knocks are undercut "
    f"(95 % interval {answer.low:.1%} to {answer.high:.1%})."
)

# %% [markdown]
# ## 3. Does it hold up?
#
# On other deals, on other turns, and against opponents who play in another way. The knocker is `simple` each time.

# %%
played = {"simple": found, "simple, other deals": ginsim.statistics(["simple"], [RULES], deals=deals, seed=2027)}
for opponent in ("threshold(knock=4)", "gin_only"):
    played[opponent] = ginsim.statistics(["simple"], [RULES], opponent=opponent, deals=deals, seed=2026)
turns = (3, TURN, 8)
rows = [
    (name, *(SHARE.text(figure(own.undercut, own.low, own.high)) for own in (undercut(hands, turn=turn) for turn in turns)))
    for name, hands in played.items()
]
table = markdown_table(("opponent", *(f"turn {turn}" for turn in turns)), rows, numbers=range(1, 1 + len(turns)))
Markdown(table)

# %%
checked, patient = (undercut(played[name]) for name in ("simple, other deals", "gin_only"))
Markdown(
    f"Other deals give {checked.undercut:.1%}: the intervals {'overlap' if checked.low < answer.high else 'do not overlap'}. But "
    f"the opponent matters: one who plays for gin undercuts {patient.undercut / answer.undercut:.0f} times as often. The answer "
    "has to name the opponent."
)

# %% [markdown]
# ## 4. The picture
#
# Every turn and deadwood at once, against `simple` and against one who plays for gin. Cells with such knocks in fewer than 30
# of the deals are white.

# %%
plots.knock_map(found).figure

# %%
plots.knock_map(played["gin_only"]).figure

# %% [markdown]
# ## 5. The table
#
# As Markdown, and as LaTeX with booktabs' rules:

# %%
print(table)

# %%
print(latex_tables(f"## Knocks with {POINTS} points that are undercut, by the knocker's turn\n\n{table}\n"))

# %% [markdown]
# ## 6. The paragraph

# %%
Markdown(
    f"> A knock with {POINTS} on turn {TURN} is safe against an opponent who knocks as soon as possible: only "
    f"{100 * answer.undercut:.1f} % of such knocks are undercut (95 % interval {100 * answer.low:.1f} to "
    f"{100 * answer.high:.1f} %, from {answer.knocks:,.0f} knocks in {found.hand_count:,} hands), for had that opponent held so "
    f"little, the hand would be over. An opponent who is waiting for gin is another matter: there it is "
    f"{100 * patient.undercut:.0f} % ({100 * patient.low:.1f} to {100 * patient.high:.1f} %)."
)

# %% [markdown]
# ## 7. The small print
#
# What a reader needs to check it:

# %%
Markdown(
    f"*Rules: {RULES}. {found.deals:,} deals for each opponent, each played twice with the seats exchanged; "
    f"seeds {found.seed} and {played['simple, other deals'].seed}; ginsim {ginsim.__version__}. "
    "Intervals: Wilson's, with the standard error over the deals in which there was such a knock.*"
)

# %% [markdown]
# The same as a folder with the report, all tables and pictures, to be put beside the article:

# %%
with tempfile.TemporaryDirectory() as folder:
    question = f"How likely is a knock with {POINTS} on turn {TURN} to be undercut?"
    saved = ginsim.save(found, Path(folder) / "knock_with_seven", question=question)
    print(*sorted(file.name for file in saved.iterdir() if file.suffix in (".html", ".md", ".tex", ".json")))
