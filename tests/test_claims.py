"""Claims: verdicts from intervals, the figures they read, the shipped files, and the command with its page."""

from __future__ import annotations

import itertools
import shutil
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from ginsim import InputError, compare, statistics, sweep
from ginsim.cli import app
from ginsim.exact import exact_deadwood, fill
from ginsim.experiment.reading import checked_settings, load_experiment
from ginsim.inference.estimates import Estimate
from ginsim.report.claims_page import ClaimStudy, claims_page, claims_table, decision_text, figure_text
from ginsim.study.base import played
from ginsim.study.claims import EXACT, Case, Claim, Decision, decide

FOLDER = Path(__file__).parents[1] / "experiments" / "claims"
SHIPPED = sorted(FOLDER.glob("*.toml"))


def between(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, low, high, (high - low) / 4)


def a_case(figure: str = "points_per_hand", at_least: float | None = 0.0, **more: object) -> Case:
    return Case(when="w", figure=figure, at_least=at_least, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bounds", "interval", "verdict"),
    [
        ({"at_least": 0.0}, (0.1, 0.2), "true"),
        ({"at_least": 0.0}, (-0.1, 0.2), "undecided"),
        ({"at_least": 0.0}, (-0.2, -0.1), "false"),
        ({"at_least": 0.0}, (0.0, 0.0), "true"),
        ({"at_most": 0.1}, (0.0, 0.05), "true"),
        ({"at_most": 0.1}, (0.11, 0.2), "false"),
        ({"at_least": 10.0, "at_most": 20.0}, (12.0, 12.1), "true"),
        ({"at_least": 10.0, "at_most": 20.0}, (19.0, 21.0), "undecided"),
        ({"at_least": 10.0, "at_most": 20.0}, (21.0, 22.0), "false"),
        ({"at_least": 0.0}, (float("-inf"), float("inf")), "undecided"),
    ],
)
def test_a_case_is_decided_by_the_whole_interval(bounds: dict[str, float], interval: tuple[float, float], verdict: str) -> None:
    assert Case(when="w", figure="f", **bounds).verdict(between(*interval)) == verdict  # type: ignore[arg-type]


def test_a_claim_is_what_its_cases_agree_on() -> None:
    figures = {"true": between(1, 2), "false": between(-2, -1), "undecided": between(-1, 1)}
    for kinds in itertools.product(figures, repeat=3):
        claim = Claim(text="t", meaning="m", cases=[a_case()] * 3)
        decision = Decision(claim, tuple(figures[kind] for kind in kinds))
        assert decision.verdicts == list(kinds)
        if "true" in kinds and "false" in kinds:
            assert decision.verdict == "it depends"
        else:
            assert decision.verdict == (kinds[0] if len(set(kinds)) == 1 else "undecided")
        assert str(decision) == f"{decision.verdict}: " + "; ".join(f"{kind} w" for kind in kinds)


def test_figures_are_those_of_the_result() -> None:
    both = sweep("threshold", {"knock": [10, 4]}, ["simple", "gin_only"], rules="eaai", deals=300, games=0)
    cases = [
        a_case("difference", of=["knock=4", "knock=10"]),
        a_case("difference", of=["knock=4", "knock=10"], against="gin_only"),
    ]
    found = decide(Claim(text="t", meaning="m", cases=cases), both)
    assert found.figures == (both.difference(1, 0), both.difference(1, 0, opponent=1))
    alone = sweep("threshold", {"knock": [10, 4]}, ["simple"], rules="eaai", deals=300, games=0)
    assert both.difference(1, 0, opponent=0) == alone.difference(1, 0)
    means = [both.difference(1, 0, opponent=j) for j in range(2)]
    assert both.difference(1, 0).value == pytest.approx(sum(e.value for e in means) / 2)
    assert both.difference(1, 0).se ** 2 == pytest.approx(sum(e.se**2 for e in means) / 4)

    pair = compare("simple", "gin_only", deals=100, games=0)
    assert decide(Claim(text="t", meaning="m", cases=[a_case()]), pair).figures == (pair.points_per_hand,)
    hands = statistics(["simple"], ["eaai", "(tie=push)"], deals=100)
    case = a_case("mean_turns", of=["eaai(tie=push)"])
    assert decide(Claim(text="t", meaning="m", cases=[case]), hands).figures == (hands.mean_turns(1),)


@pytest.mark.parametrize(
    ("case", "complaint"),
    [
        (a_case("nothing"), "Comparison has no figure 'nothing'; there are more_melds, "),
        (a_case("verdict"), "Comparison has no figure 'verdict'; there are "),
        (a_case("bootstrap", of=["wrong"]), "claim: w: "),
        (a_case("bootstrap", of=[1, 2, 3, 4]), "is not available"),
        (a_case(against="simple"), "against 'simple' was not played"),
    ],
)
def test_what_cannot_be_read_is_told(case: Case, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        decide(Claim(text="t", meaning="m", cases=[case]), compare("simple", "gin_only", deals=20, games=0))


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"at_least": None}, "give at_least or at_most"),
        ({"at_least": 2.0, "at_most": 1.0}, "at_least: 2.0 is above at_most, 1.0"),
        ({"unit": "pints"}, "unit: 'pints' is not known; did you mean 'points'"),
        ({"figure": "_hidden"}, "figure: '_hidden' is not allowed"),
        ({"more": 1}, "there is no key 'claim.cases.0.more'"),
    ],
)
def test_a_wrong_case_is_told(wrong: dict[str, object], complaint: str) -> None:
    case = {"when": "w", "figure": "points_per_hand", "at_least": 0.0} | wrong
    claim = {"text": "t", "meaning": "m", "cases": [{key: value for key, value in case.items() if value is not None}]}
    with pytest.raises(InputError) as told:
        checked_settings({"kind": "compare", "a": "simple", "b": "gin_only", "claim": claim})
    assert complaint in str(told.value)


def test_other_measures_stand_beside() -> None:
    """A case of points has the games beside, one of games the points; where no games were played there is nothing."""
    found = sweep("threshold", {"knock": [10, 0]}, ["simple"], rules="eaai", deals=100, games=30)
    of = ["knock=10", "knock=0"]
    cases = [a_case("difference", of=of), a_case("difference", of=of, by="games_won", unit="gap")]
    cases.append(a_case("less_deadwood", of=["7S", "KS"]))
    decision = decide(Claim(text="t", meaning="m", cases=cases), found)
    points, games, margin = (found.difference(0, 1, measure=m) for m in ("points_per_hand", "games_won", "margin_per_game"))
    assert decision.figures[:2] == (points, games)
    assert decision.beside == (
        {"games_won": games, "margin_per_game": margin}, {"margin_per_game": margin, "points_per_hand": points}, {},
    )  # fmt: skip
    page = decision_text(decision)
    assert "| games won (percentage points) | margin per game | points per hand |" in page and "of the games won" in page
    table = claims_table([ClaimStudy("s", decision, "eaai", 1, 7)])
    assert table["points_per_hand"].tolist()[1] == points.value and table["by"].tolist() == ["", "games_won", ""]
    alone = sweep("threshold", {"knock": [10, 0]}, ["simple"], rules="eaai", deals=100, games=0)
    assert decide(Claim(text="t", meaning="m", cases=cases[:1]), alone).beside == ({},)


def test_a_verdict_that_is_the_opposite_by_another_measure_is_told() -> None:
    claim = Claim(text="t", meaning="m", cases=[a_case(), a_case(), a_case(at_least=0.05), a_case()])
    beside = [between(-2, -1), between(-1, 1), between(-2, -1), between(1, 2)]
    decision = Decision(claim, (between(1, 2),) * 4, tuple({"games_won": figure} for figure in beside))
    assert decision.otherwise == {"games_won": ["w"]}  # not where it is undecided, the bound is another or the verdict the same
    assert "By games won the verdict is the opposite: w." in decision_text(decision)
    assert "opposite" not in decision_text(Decision(claim, decision.figures))


def test_a_claim_that_depends_on_who_plays() -> None:
    """Told for conditions that are true for some players and false for others, and for no others."""
    players = [("w", "A"), ("w", "B"), ("w", "C"), ("w", "D"), ("x", "A"), ("x", "B"), ("y", "")]
    cases = [Case(when=when, who=who, figure="f", at_least=0.0) for when, who in players]
    yes, no, open_ = between(1, 2), between(-2, -1), between(-1, 1)
    decision = Decision(Claim(text="t", meaning="m", cases=cases), (yes, no, open_, yes, yes, open_, no))
    assert decision.by_players == {"w": {"true": ["A", "D"], "false": ["B"], "undecided": ["C"]}}
    page = decision_text(decision)
    assert "**It depends on who plays.**\n\n- w: *true* A and D; *false* B; *undecided* C\n\n" in page
    assert "| when | who plays | figure" in page and "| x | B |" in page
    assert "| **it depends**, on who plays |" in claims_page([ClaimStudy("s", decision, "eaai", 1, 7)], "c")
    assert claims_table([ClaimStudy("s", decision, "eaai", 1, 7)])["who"].tolist() == [who for _, who in players]
    assert str(decision).startswith("it depends: true w, A; false w, B; ")
    alike = Decision(decision.claim, (yes,) * 7)
    assert alike.by_players == {} and "It depends" not in decision_text(alike)


def test_a_claim_changes_no_figure() -> None:
    experiment = load_experiment(FOLDER / "gin_or_undercut.toml", deals=7)
    bare = experiment.model_copy(update={"claim": None})
    assert experiment.claim and experiment.digest() == bare.digest()


def test_exact_figures() -> None:
    assert [EXACT["more_melds"](*of).value for of in (("7",), ("7", 3), ("A",))] == [1, 0, -32]
    assert EXACT["more_usable"]("7", "8").value == 0 < EXACT["more_usable"]("7", "K").value
    gap = exact_deadwood(holding="KS").mean - exact_deadwood(holding="7S").mean
    assert isinstance(gap, Fraction) and EXACT["less_deadwood"]("7S", "KS") == Estimate(float(gap), float(gap), float(gap), 0.0)
    two, one = fill("5H 6H").chance(3), fill("5H 7H").chance(3)
    assert EXACT["fills_more"]("5H 6H", "5H 7H", 3).value == float(two - one)
    assert EXACT["fills_most"]("4H 4S 5H", 3).value == 0 and EXACT["fills_most"]("5H 6H", 1).value == 0
    assert EXACT["fills_most"]("5H 7H", 1).value == pytest.approx(-1 / 50)
    assert EXACT["more_sets"](3).value == pytest.approx((52 - 44) / 22100)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_claims_can_be_decided(path: Path) -> None:
    experiment = load_experiment(path, deals=8)
    assert experiment.claim is not None and experiment.title and experiment.question
    decision = decide(experiment.claim, experiment.result(played(experiment)))
    assert decision.verdict in ("true", "false", "undecided", "it depends")


def test_there_is_a_file_for_each_claim() -> None:
    assert len(SHIPPED) == 17


def test_the_page() -> None:
    claim = Claim(text="Wait.", meaning="M.", cases=[a_case(), a_case("f", unit="share", at_most=0.5, at_least=0.1)])
    studies = [ClaimStudy("wait", Decision(claim, (between(1, 2), between(0.6, 0.7))), "eaai", 1000, 7)]
    page = claims_page(studies, "ginsim claims")
    assert "| [Wait.](#wait) | **it depends** | 1 true, 1 false |" in page
    assert "| w | +1.500 points per hand (+1.000 to +2.000) | 0 or more | true |" in page
    assert "| w | 65.0 % (60.0 to 70.0) | 10 to 50 | false |" in page and "[The study](wait/report.md): 1,000 hands" in page
    table = claims_table(studies)
    assert table["case_verdict"].tolist() == ["true", "false"] and table["verdict"].unique().tolist() == ["it depends"]
    assert figure_text(a_case(unit="gap"), between(0.2, 0.2)) == "+20.0 percentage points (exact)"


def test_the_command(tmp_path: Path) -> None:
    folder, out = tmp_path / "claims", tmp_path / "out"
    folder.mkdir()
    shutil.copy(FOLDER / "gin_or_undercut.toml", folder)
    told = CliRunner().invoke(app, ["claims", str(folder), "--out", str(out), "--deals", "40", "-q"])
    assert told.exit_code == 0 and "The opponent is likelier to gin" in told.output
    page = (out / "README.md").read_text()
    assert (out / "gin_or_undercut" / "report.md").is_file() and "gin_or_undercut/report.md" in page
    table = pd.read_csv(out / "claims.csv")
    assert len(table) == 6 and set(table["case_verdict"]) <= {"true", "false", "undecided"}
    written = (out / "gin_or_undercut" / "manifest.json").stat().st_mtime_ns
    again = CliRunner().invoke(app, ["claims", str(folder), "--out", str(out), "--deals", "40", "-q"])
    assert again.exit_code == 0 and (out / "gin_or_undercut" / "manifest.json").stat().st_mtime_ns == written
    assert (out / "README.md").read_text() == page

    words = [str(folder / "gin_or_undercut.toml"), "--deals", "40", "--out", str(tmp_path / "x"), "-q"]
    told = CliRunner().invoke(app, ["run", *words])
    assert told.exit_code == 0 and "The opponent is likelier to gin than to undercut. " in told.output.splitlines()[-1]

    (folder / "b.toml").write_text('kind = "statistics"\nstrategies = ["simple"]\n')
    told = CliRunner().invoke(app, ["claims", str(folder), "--out", str(out)])
    assert told.exit_code == 2 and "the table [claim] is missing" in told.output
    told = CliRunner().invoke(app, ["claims", str(tmp_path / "nowhere"), "--out", str(out)])
    assert told.exit_code == 2 and "there is no claim (*.toml)" in told.output
