"""Players that are others under other rules: learned, ordinary and strong."""

from __future__ import annotations

import pytest

import ginsim
from ginsim.commands import listing
from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.gin.learned.weights import shipped
from ginsim.games.gin.players import chartfiles
from ginsim.games.gin.players.fitting import chart_under, weights_under
from ginsim.games.gin.rules import PRESETS, Rules

PLAYED = ("classic20(big_gin_bonus=31)", "oklahoma")


@pytest.mark.parametrize("preset", PRESETS)
def test_there_are_players_for_every_preset(preset: str) -> None:
    rules = Rules.parse(preset)
    assert weights_under(rules) in shipped()
    assert rules.knock_limit == 0 or chart_under(rules) in chartfiles.shipped()
    for name in ("learned", "strong", "strong_rollout", "ordinary"):
        plays = Strategy.parse(name).under(rules)
        assert plays.under(rules) == plays, "who stands for a name stands for itself"
        assert plays.kind == Strategy.parse(name).kind, "kernels are compiled for the name"


@pytest.mark.parametrize("rules", PLAYED)
@pytest.mark.parametrize("name", ["learned", "strong", "ordinary"])
def test_a_name_plays_as_who_it_stands_for(name: str, rules: str) -> None:
    plays = str(Strategy.parse(name).under(Rules.parse(rules)))
    found = [ginsim.compare(player, "simple", rules=rules, deals=40, games=10, seed=3) for player in (name, plays)]
    assert found[0].hands_tally == found[1].hands_tally
    assert found[0].games_tally == found[1].games_tally


def test_under_every_variant_another_player_plays() -> None:
    """Nobody keeps the weights or the chart of the base rules."""
    sums = []
    for name in ("ordinary", "threshold(stop=chart, chart=classic25)"):
        found = ginsim.effect("classic25", ["(knock_limit=5)"], [name], deals=200, games=0, seed=1)
        sums.append([found.level(k, "gin") for k in (0, 1)])
    assert sums[0][0] == sums[1][0]
    assert sums[0][1] != sums[1][1]


def test_weights_that_are_given_stay() -> None:
    rules = Rules.parse("oklahoma")
    for spec in ("learned(weights=eaai)", "learned(draw=lookahead, discard=lookahead, stop=early)", "champion"):
        assert str(Strategy.parse(spec).under(rules)) == spec
    assert str(Strategy.parse("learned(stop=early)").under(rules)) == "learned(stop=early, weights=oklahoma)"
    assert str(Strategy.parse("strong_rollout(rollouts=4)").under(rules)) == "strong_rollout(rollouts=4, weights=oklahoma)"
    assert str(Strategy.parse("strong_rollout(weights=eaai)").under(rules)) == "strong_rollout(weights=eaai)"


def test_who_stands_for_a_name_cannot_be_changed() -> None:
    with pytest.raises(InputError, match=r"strategy strong has no parameter 'weights'; it has none"):
        Strategy.parse("strong(weights=eaai)")
    with pytest.raises(InputError, match=r"strategy ordinary has no parameter 'chart'; it has none"):
        Strategy.parse("ordinary(chart=eaai)")


def test_the_list_tells_who_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    listing.show("ordinary")
    told = capsys.readouterr().out
    assert "under oklahoma" in told
    assert "threshold(stop=chart, chart=oklahoma)" in told


def test_a_page_tells_who_played(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from ginsim.report.folder import save_result

    save_result(ginsim.compare("ordinary", "simple", rules="oklahoma", deals=20, games=0), tmp_path / "x")
    page = (tmp_path / "x" / "report.md").read_text(encoding="utf-8")
    assert "Under oklahoma it is `threshold(stop=chart, chart=oklahoma)`" in page
