"""Exact odds, by counting: deadwood of all hands, melds a card can be in, chances that a holding fills, outs, dead hands.

>>> from ginsim.exact import fill
>>> fill("4H 4S 5H", draws=[1, 5]).table().chance.round(4).tolist()
[0.0816, 0.3593]
"""

from __future__ import annotations

from ginsim.exact.dead import dead_hands
from ginsim.exact.deadwood import ExactDeadwood, exact_deadwood
from ginsim.exact.facts import Fill, card_melds, danger, fill, kinds_of_melds
from ginsim.exact.nextcard import Outs, outs

__all__ = [
    "ExactDeadwood", "Fill", "Outs", "card_melds", "danger", "dead_hands", "exact_deadwood", "fill", "kinds_of_melds", "outs",
]  # fmt: skip
