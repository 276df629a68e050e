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
        "opp_holds=0.2113, dear_draw=0.163, dear_pair=2.193, reads=0, finish=9.946, knock_from=[9.015, 4.55, 4.297, 15.08])",
        "ginsim tune lookahead --against simple --rules eaai --minutes 14 --deals 5000 --seed 0",
    ),
    Preset(
        "champion_rollout",
        "champion, but plays each of several nearly equal choices to the end of the hand, 336 times",
        "rollout(gain=4.037, deadwood=-0.6412, deadwood_turn=3.318, next=1.211, loose=17.44, loose_turn=-5.315, low=5.18, "
        "low_turn=1.778, reach=7.587, danger=8.679, danger_turn=25.96, danger_value=0.1249, kept_dear=0.2958, "
        "opp_holds=0.2113, dear_draw=0.163, dear_pair=2.193, reads=0, finish=9.946, "
        "window_from=[9.015, 4.55, 4.297, 15.08, 101], rollouts=336)",
        "the weights of champion; how far to trust rollouts (share, ahead) chosen among seven settings, each played on 2,500 "
        "deals against simple under eaai",
    ),
    Preset(
        "allround",
        "looks ahead, tuned for winning games under eaai against players who knock early, late and only with gin",
        "lookahead(window_from=[14.63, 9.589, 13.11, 18.12, 35.37, 99.96], window_to=[10.55, 10.64, 7.237, 5.311, -0.7144, "
        "-0.04852], gain=0.3138, deadwood=-0.7054, deadwood_turn=0.3911, next=0.7204, loose=27.64, loose_turn=0.9399, "
        "low=-0.02707, low_turn=7.816, reach=1.729, danger=16.68, danger_turn=7.865, danger_value=0.09085, kept_dear=0.1756, "
        "opp_holds=0.8267, dear_draw=-0.02281, dear_pair=0.9567, finish=6.289, reads=0.3884)",
        "ginsim tune lookahead(…) --against simple --against gin_only --against early_then_gin --rules eaai in three runs of "
        "14, 14 and 5 minutes, each from the outcome of the one before: simple counted once, twice (--step 0.35), three times "
        "(--step 0.2)",
    ),
    Preset(
        "champion20",
        "looks ahead, tuned for winning games to 100 against simple under classic20",
        "lookahead(gain=3.126, deadwood=-0.4856, deadwood_turn=3.263, next=1.019, loose=10.04, loose_turn=-10.2, low=0.09, "
        "low_turn=4.52, reach=25.48, danger=7.077, danger_turn=12.55, danger_value=0.1497, kept_dear=0.2822, opp_holds=2.168, "
        "dear_draw=0.3309, dear_pair=1.847, finish=31.33, window_from=[0.0, 0.8441, 0.804, 0.6746, 0.09156, 0.0], "
        "window_to=[-1.0, 11.75, 17.97, 31.65, 14.76, 12.56], reads=0.2)",
        "ginsim tune 'lookahead(window_from=[0, 0, 0, 0, 0, 0], window_to=[10, 10, 10, 10, 10, 10])' --against simple --rules "
        "classic20 --deals 4000 --seed 0 for 18 minutes, then reads=0.2",
    ),
    Preset(
        "champion20_rollout",
        "champion20, but plays each of several nearly equal choices to the end of the hand, 256 times",
        "rollout(gain=3.126, deadwood=-0.4856, deadwood_turn=3.263, next=1.019, loose=10.04, loose_turn=-10.2, low=0.09, "
        "low_turn=4.52, reach=25.48, danger=7.077, danger_turn=12.55, danger_value=0.1497, kept_dear=0.2822, opp_holds=2.168, "
        "dear_draw=0.3309, dear_pair=1.847, finish=31.33, window_from=[0.0, 0.8441, 0.804, 0.6746, 0.09156, 0.0], "
        "window_to=[-1.0, 11.75, 17.97, 31.65, 14.76, 12.56], reads=0.2, rollouts=256, ahead=1)",
        "the weights of champion20; how far rollouts look ahead chosen among four settings, each played on 10,000 deals against "
        "simple and against champion20 under classic20",
    ),
    Preset(
        "champion_oklahoma",
        "looks ahead, tuned for winning games to 100 against simple under oklahoma",
        "lookahead(gain=2.572, deadwood=-0.9762, deadwood_turn=2.38, next=0.8408, loose=22.64, loose_turn=-3.183, low=5.679, "
        "low_turn=1.277, reach=11.68, danger=7.454, danger_turn=31.07, danger_value=0.1105, kept_dear=0.2608, "
        "opp_holds=0.329, dear_draw=-0.004441, dear_pair=1.238, finish=11.06, window_from=[0.1921, 4.646, 3.674, 5.914, "
        "21.12, 20.44], window_to=[7.707, 12.2, 16.37, 8.153, 2.866, 2.205], reads=0.1194)",
        "ginsim tune 'lookahead(…)' --against simple --rules oklahoma --minutes 5 --deals 4000 --step 0.4 --seed 0, from the "
        "weights of champion with window_from=[0, 4, 4, 6, 20, 30], window_to=[10, 10, 10, 10, 5, 3], reads=0.1",
    ),
)
