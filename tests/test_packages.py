"""Strategies and decisions of installed packages: distributions made up for the test, found through their entry points."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ginsim.commands.listing import show
from ginsim.errors import InputError
from ginsim.games import packages
from ginsim.games.catalog import Strategy
from ginsim.games.gin.players.families import REPERTOIRE
from ginsim.games.gin.rules import Rules
from ginsim.simulation.play import HANDS, Work, play
from ginsim.study.compare import CompareExperiment

MODULE = """
import numpy as np
from ginsim.games.gin.players.decisions import DRAW, KNOCK, after_taking, discard_highest
from ginsim.games.decisions import Decision, Param
from ginsim.games.gin.players.families import Family
from ginsim.games.plugin import decision
from ginsim.games.catalog import Strategy
from ginsim.games.gin import view as V

@decision
def draw_hungry(view, params):
    '''Take the upcard if it leaves less than ``appetite``.'''
    return np.int64(after_taking(view) < params[DRAW])

@decision
def knock(view, params):
    return np.int64(view[V.DEADWOOD] <= params[1])

HUNGRY = Decision("draw", "hungry", draw_hungry, (Param("appetite", 12, 0, 99, "deadwood"),))
GREEDY = Family("greedy", "eats", (("hungry", "never"), ("highest",), ("threshold",)))
CAREFUL = Strategy.of(draw="strict", discard=discard_highest, knock=knock, params={"unused": 0, "knock": 4}, name="careful")
SHY = Strategy.parse("threshold(knock=2)")
ROOMY = Decision("draw", "roomy", draw_hungry, tuple(Param(f"p{n}", 0, 0, 9, "") for n in range(17)))
CLASHING = Decision("draw", "clashing", draw_hungry, (Param("knock", 0, 0, 9, "of another decision"),))

class Plain:
    def __init__(self, knock=10):
        self.knock_at = knock
    def draw(self, view):
        return False
    def discard(self, view):
        free = view.hand & ~view.banned
        return free & -free
    def knock(self, view):
        return view.deadwood <= self.knock_at

class Wrong:
    pass
"""
STRATEGIES = "greedy=GREEDY careful=CAREFUL shy=SHY plain_player=Plain wrong=Wrong gone=GONE simple=SHY"
DRAWS = "draw.hungry=HUNGRY draw.roomy=ROOMY draw.clashing=CLASHING draw.wrong=HUNGRY draw.strict=HUNGRY"
Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a distribution on the path: a module and the entry points that name its objects."""

    def installed(package: str, source: str = MODULE, strategies: str = STRATEGIES, decisions: str = DRAWS) -> Path:
        site = tmp_path / package
        (info := site / f"{package}-1.2.dist-info").mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        lines = []
        for group, entries in [("strategies", strategies), ("decisions", decisions)]:
            lines += [f"[ginsim.{group}]", *(entry.replace("=", f" = {package}_code:") for entry in entries.split())]
        (info / "entry_points.txt").write_text("\n".join(lines))
        (site / f"{package}_code.py").write_text(source)
        monkeypatch.syspath_prepend(site)
        packages.entries.cache_clear()
        return site

    yield installed
    packages.entries.cache_clear()
    for name in [name for name in sys.modules if name.endswith("_code")]:
        del sys.modules[name]


def total(spec: str) -> int:
    """Something that depends on every hand."""
    done = play(Work((Strategy.parse(spec), Strategy.parse("simple")), Rules(), 3, HANDS, 0, 30), keep=True)
    assert done.records is not None
    return hash(done.records.tobytes())


def test_strategies_of_every_sort(install: Install) -> None:
    install("cardfolk")
    assert total("careful") == total("threshold(draw=strict, knock=4)")
    assert total("careful(knock=7)") == total("threshold(draw=strict, knock=7)")
    assert total("shy") == total("threshold(knock=2)")
    assert total("shy(knock=9)") == total("threshold(knock=9)")
    assert total("greedy(draw=never)") == total("threshold(draw=never)")
    assert total("greedy(appetite=0, knock=3)") == total("threshold(draw=never, knock=3)")
    assert Strategy.parse("plain_player(knock=3)").kind == "python"
    for spec in ("careful(knock=7)", "shy(knock=9)", "greedy(appetite=20)", "plain_player(knock=3)"):
        strategy = Strategy.parse(spec)
        assert str(strategy) == spec
        assert strategy == pickle.loads(pickle.dumps(strategy)) == Strategy.parse(spec)


def test_a_strategy_of_ones_own_under_that_name_stays_itself(install: Install) -> None:
    """In another process too."""
    install("cardfolk")
    shipped = Strategy.parse("simple")
    draw, discard, knock = shipped.decisions
    own = pickle.loads(pickle.dumps(Strategy.of(draw=draw, discard=discard, knock=knock, name="careful")))
    assert own.decisions == shipped.decisions != Strategy.parse("careful").decisions


def test_decisions_combine_with_the_shipped(install: Install) -> None:
    install("cardfolk")
    assert total("custom(draw=hungry, appetite=0, knock=4)") == total("custom(draw=never, knock=4)")
    assert total("custom(draw=hungry, pair=1)") != total("custom(pair=1)")
    assert Strategy.of(draw="hungry", discard="highest", knock="threshold").decisions[0].__name__ == "draw_hungry"
    assert ("draw", "hungry") not in REPERTOIRE.decisions


def test_shipped_names_stay(install: Install) -> None:
    """A package cannot take the place of what is shipped, and is not even imported for it."""
    before = total("simple"), total("custom(draw=strict)")
    install("bandits", "raise SystemExit('imported')")
    assert (total("simple"), total("custom(draw=strict)")) == before
    assert "bandits_code" not in sys.modules


def test_experiments_depend_on_the_versions(install: Install) -> None:
    """A run is not gone on with after a package was changed."""
    study = CompareExperiment(a="simple", b="threshold", deals=10)
    before = study.digest()
    site = install("cardfolk")
    assert packages.installed() == ["cardfolk 1.2"]
    first = study.digest()
    metadata = site / "cardfolk-1.2.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("Version: 1.2", "Version: 1.3"))
    assert len({before, first, study.digest()}) == 3


def test_names_brought_twice_are_refused(install: Install) -> None:
    install("cardfolk")
    install("tablefolk")
    with pytest.raises(InputError, match=r"'careful': the packages cardfolk 1\.2 and tablefolk 1\.2 both bring it"):
        Strategy.parse("careful")
    with pytest.raises(InputError, match=r"'draw\.hungry': the packages cardfolk"):
        Strategy.parse("custom(draw=hungry)")


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("carefull", ["no 'carefull'", "did you mean 'careful'?"]),
        ("careful(most=3)", ["careful has no parameter 'most'"]),
        ("greedy(appetite=100)", ["greedy", "appetite=100", "from 0 to 99"]),
        ("wrong", ["strategy wrong", "neither a Strategy nor"]),
        ("gone", ["'gone'", "cardfolk 1.2, cardfolk_code:GONE", "AttributeError"]),
        ("custom(draw=roomy)", ["'draw.roomy'", "more than the 15 cells"]),
        ("custom(draw=clashing)", ["'draw.clashing'", "knock", "another decision's"]),
        ("custom(draw=wrong)", ["'draw.wrong'", "is not the draw decision wrong"]),
        ("custom(appetite=3)", ["no parameter 'appetite'"]),
        ("threshold(draw=hungry)", ["draw=hungry is not one of meld, strict, never"]),
    ],
)
def test_what_cannot_be_used(install: Install, spec: str, parts: list[str]) -> None:
    install("cardfolk")
    with pytest.raises(InputError) as error:
        Strategy.parse(spec)
    for part in parts:
        assert part in str(error.value)


@pytest.mark.parametrize("source", ["raise SystemExit('bye')", "import no_such_module", "def ("])
def test_packages_that_cannot_be_imported(install: Install, source: str) -> None:
    install("brokenfolk", source)
    with pytest.raises(InputError, match=r"'careful' \(package brokenfolk 1\.2, brokenfolk_code:CAREFUL\): \w+"):
        Strategy.parse("careful")


def test_list_names_the_package(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("brokenfolk", "import no_such_module")
    show("strategies")
    show("decisions")
    text = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "careful from brokenfolk 1.2" in text
    assert "simple refused: the name of a shipped one; from brokenfolk 1.2" in text
    assert "draw hungry from brokenfolk 1.2" in text
    assert "draw strict refused: the name of a shipped one; from brokenfolk 1.2" in text
    install("otherfolk")
    show("strategies")
    assert "refused: brought twice;" in " ".join(capsys.readouterr().out.replace("│", " ").split())
