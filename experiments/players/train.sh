#!/bin/sh
# The weights that ginsim ships for learned players: about two hours of two cores. Each command goes on from where it was stopped.
# The outcome belongs into ginsim/games/gin/learned/shipped/, under the name of the folder.
set -e
out=${1:-runs/players}

# One opponent, EAAI rules: who only has to beat the Simple player.
ginsim train eaai --out "$out/eaai_simple" --rows 3200000 --iterations 3 --minutes 600 --seed 1

# Many opponents; once one of them has been seen to knock late, the weights above take over for the rest of the game.
ginsim train eaai --out "$out/eaai" --start allround --rows 3600000 --iterations 4 --games 1000 --minutes 600 --seed 1 \
  --against simple --against gin_only --against early_then_gin --against allround --against champion --against itself \
  --then "$out/eaai_simple/weights.npz"

# Bonuses of 20 and 10, against Simple alone.
ginsim train classic20 --out "$out/classic20_simple" --start champion20 --rows 2400000 --iterations 2 --minutes 600 --seed 1

# Other rules: many opponents, from the player for EAAI rules.
many() {
  name=$1 rules=$2
  shift 2
  ginsim train "$rules" --out "$out/$name" --start "learned(weights='$out/eaai/weights.npz')" \
    --rows 1600000 --iterations 2 --games 500 --minutes 600 --seed 1 --against simple --against allround --against itself "$@"
}
many classic20 classic20 --against gin_only --against early_then_gin --against champion20
many oklahoma oklahoma --against gin_only --against early_then_gin --against champion_oklahoma
many knock15 "classic25(knock_limit=15)" --against gin_only --against early_then_gin --against champion
many round_the_corner round_the_corner --against gin_only --against early_then_gin --against champion
many knock5 "classic25(knock_limit=5)" --against gin_only --against early_then_gin --against champion
