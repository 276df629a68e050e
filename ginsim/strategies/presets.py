"""Strategies with tuned parameters, each with where its numbers come from.

A preset is a family of its own: its parameters can be changed as those of any other, ``champion(gain=3)``. To add one,
put the spec that ``ginsim tune`` printed here.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A named strategy: its spec, what it is in a sentence, and how it was found."""

    name: str
    meaning: str
    spec: str
    provenance: str


PRESETS = (
    Preset(
        "champion",
        "looks ahead, tuned for winning games to 100 against simple under eaai",
        "lookahead(gain=4.037, deadwood=-0.6412, deadwood_turn=3.318, next=1.211, loose=17.44, loose_turn=-5.315, low=5.18, "
        "low_turn=1.778, reach=7.587, danger=8.679, danger_turn=25.96, danger_value=0.1249, kept_dear=0.2958, "
        "opp_holds=0.2113, dear_draw=0.163, dear_pair=2.193, finish=9.946, knock_from=[9.015, 4.55, 4.297, 15.08])",
        "ginsim tune lookahead --against simple --rules eaai --minutes 14 --deals 5000 --seed 0",
    ),
    Preset(
        "allround",
        "looks ahead, tuned for winning games under eaai against players who knock soon, late and only with gin",
        "lookahead(window_from=[9.346, 9.521, 17.04, 17.86, 38.3, 101.0], window_to=[11.09, 16.39, 6.367, 5.968, "
        "-1.0, -0.1784], gain=0.1341, deadwood=-0.8871, deadwood_turn=0.04068, next=0.8829, loose=27.77, "
        "loose_turn=0.7691, low=-0.1394, low_turn=5.054, reach=1.066, danger=15.63, danger_turn=9.711, "
        "danger_value=0.09632, kept_dear=0.2725, opp_holds=0.8083, dear_draw=-0.01422, dear_pair=1.458, finish=5.69)",
        "ginsim tune 'lookahead(window_from=[5, 6, 8, 10, 101, 101], window_to=[10, 10, 10, 10, 10, 2])' --against simple "
        "--against gin_only --against early_then_gin --rules eaai --minutes 14 --deals 2500 --seed 0",
    ),
    Preset(
        "champion20",
        "looks ahead, tuned for winning games to 100 against simple under classic20",
        "lookahead(window_from=[0.0, 0.0, 0.8373, 0.3863, 0.0, 0.0], window_to=[-1.0, 12.12, 14.8, 21.47, 17.42, "
        "12.61], gain=3.213, deadwood=-0.3342, deadwood_turn=3.868, next=0.8342, loose=12.48, loose_turn=-4.769, "
        "low=1.921, low_turn=3.378, reach=13.15, danger=6.027, danger_turn=12.66, danger_value=0.1446, "
        "kept_dear=0.1248, opp_holds=1.456, dear_draw=0.3819, dear_pair=3.401, finish=16.19)",
        "ginsim tune 'lookahead(window_from=[0, 0, 0, 0, 0, 0], window_to=[10, 10, 10, 10, 10, 10])' --against simple "
        "--rules classic20 --minutes 11 --deals 4000 --seed 0",
    ),
)
