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
# # A strategy of your own
#
# A strategy is three decisions: take the upcard or not, which card to discard, knock or not. Here is an idea to try: **knock
# with less and less as the hand goes on**, because the opponent's hand gets better too. With `start=10, fall=1` it knocks with 10
# on its first turn, with 9 on its second, and so on.

# %%
# %matplotlib inline
import numpy as np
from IPython.display import Markdown

import ginsim
from ginsim import plots
from ginsim.cards import cards_of
from ginsim.games.gin import view as V
from ginsim.games.gin.players.decisions import after_taking
from ginsim.games.plugin import decision
from ginsim.melds import deadwood

# %% [markdown]
# ## In plain Python
#
# A class with three methods, and any Python you like in them. Each sees the player's *view* and nothing else: own hand, upcard,
# discard pile, the opponent's moves, the score. Cards are bits of one number, so `|` adds cards to a hand.

# %%
class Closing:
    def __init__(self, start=10, fall=1):
        self.start, self.fall = start, fall

    def draw(self, view):  # True takes the upcard
        taken = ginsim.best_discard(view.hand | view.upcard, banned=view.upcard)
        return taken.deadwood < ginsim.deadwood(view.hand)

    def discard(self, view):  # the dearest of the cards that leave the least deadwood
        best = ginsim.best_discard(view.hand, banned=view.banned).cards
        return max(cards_of(best), key=lambda card: (ginsim.deadwood(card), card))

    def knock(self, view):  # asked only when a knock is legal
        return view.deadwood <= max(0, self.start - self.fall * view.turn)


# %%
plain = ginsim.compare(Closing(), "simple", rules="eaai", deals=1_000, games=0, seed=1)
Markdown(plain.verdict())

# %% [markdown]
# ## Jitted
#
# The same player as compiled functions, which is some hundred times faster. `view` is an array now, its slots are named in
# `ginsim.games.gin.view`; parameters come as numbers in the order they are given. What is there already can be used: the discard
# is that of a shipped strategy.

# %%
@decision
def draw(view, params):
    return np.int64(after_taking(view) < deadwood(view[V.HAND], view))


@decision
def knock(view, params):
    start, fall = params[0], params[1]
    return np.int64(view[V.DEADWOOD] <= max(0.0, start - fall * view[V.TURN]))


def closing(start=10, fall=1):
    return ginsim.Strategy.of(draw=draw, discard="highest", knock=knock, params={"start": start, "fall": fall}, name="closing")


# %% [markdown]
# Are the two the same player? If so, they come out exactly equal when they meet on both sides of every deal.

# %%
Markdown(ginsim.compare(Closing(), closing(), rules="eaai", deals=500, games=0, seed=2).verdict())

# %%
result = ginsim.compare(closing(), "simple", rules="eaai", deals=50_000, games=0, seed=1)
Markdown(result.verdict())

# %%
ginsim.plot(result).figure

# %% [markdown]
# ## Tune it
#
# How fast should the limit fall? All candidates play the same decks, and the picture says which of them can be told apart: the
# hollow ones are not clearly worse than the best.

# %%
candidates = [closing(10, fall) for fall in (0, 0.5, 1, 1.5, 2, 3, 5, 10)]
tuned = ginsim.gauntlet(candidates, ["simple", "threshold(knock=4)"], rules="eaai", deals=10_000, seed=3)
plots.cells(tuned).figure

# %%
Markdown(tuned.verdict())

# %% [markdown]
# The best of many candidates looks better than it is: it was lucky, too. So the figure to quote comes from decks that none of
# them has seen, that is, from another seed.

# %%
best = candidates[tuned.order()[0]]
held_out = ginsim.compare(best, "simple", rules="eaai", deals=50_000, games=2_000, seed=4)
Markdown(
    f"{held_out.verdict()} It wins {held_out.games_won.value:.1%} of the games to 100 "
    f"({held_out.games_won.low:.1%} to {held_out.games_won.high:.1%})."
)

# %% [markdown]
# Is anything left of the idea? A limit that falls very fast makes a player who plays for gin and takes an early chance to knock.
# So that is whom it has to beat:

# %%
Markdown(ginsim.compare(best, "gin_only", rules="eaai", deals=50_000, games=0, seed=5).verdict())

# %% [markdown]
# ## From the command line
#
# Put the jitted cell and its imports into a file, `my_strategy.py`, add `mine = closing()`, and it has a name that every
# command and experiment file understands:
#
# ```sh
# ginsim compare "my_strategy.py:mine(fall=2)" simple --rules eaai
# ```
