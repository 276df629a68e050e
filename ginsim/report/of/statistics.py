"""What hands are like."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ginsim.games.gin.cardcount import CARD_PARTS
from ginsim.inference.measures import half_text
from ginsim.report import plots
from ginsim.report.figures import SHARE, figure
from ginsim.report.page import counts_text, rules_section, told, variants_section
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled, sentence
from ginsim.report.texts import Texts
from ginsim.study.measures import COMPARED, LAID_OFF
from ginsim.study.statistics import LEAST_PAIRS, MOST_TURNS, Statistics, span_text

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["sheet"]

OF = Statistics
"""What is shown here."""

FEW = 0.001
"""Of the hands that are over up to this share, or all but this share, nothing is said."""
MOST_MAPS = 6
"""Cells of which turns and knocks are drawn."""
MOST_TOLD = 4
"""Cells whose turns are shown on a terminal."""
_MORE = ("hands the starter won", "knocks undercut", "laid off", "first upcard taken by starter", "by dealer")


def sheet(s: Statistics) -> Sheet:
    """What hands are like."""
    fans, knocks, choices, cards = _fans(s), _knocks(s), _choices(s), _cards(s)
    return Sheet(
        "statistics",
        [list(s.strategies), list(s.rules)],
        {"deals": s.deals, "seed": s.seed} | ({"opponent": s.opponent} if s.opponent else {}),
        s.rules[0],
        s.strategies,
        "What hands are like",
        lambda: _body(s),
        lambda: {"summary": s.summary(), "lengths": _stacked(s, "lengths")}
        | {name: _stacked(s, name) for name in ("turns", "discards", "knocks") if s.game.turn_tables}
        | {name: _stacked(s, name) for name in ("play_on", "cards") if s.tells(0, name)},
        {
            "endings": partial(plots.endings_mix, s),
            "lengths": partial(plots.hand_lengths, s),
            **({"turns": partial(plots.turn_chances, s)} if fans else {}),
            **{name: partial(plots.deadwood_fan, s, k) for name, k in fans.items()},
            **{name: partial(plots.knock_map, s, k) for name, k in knocks.items()},
            **{name: partial(plots.play_on_map, s, k) for name, k in choices.items()},
            **{name: partial(plots.card_bars, s, k) for name, k in cards.items()},
        },
        lambda: _console(s),
        [s.opponent] if s.opponent else [],
        "\n\n".join(filter(None, (rules_section(s.rules[0]), variants_section(s.rules[0], s.rules[1:])))),
    )


def _stacked(s: Statistics, name: str) -> pd.DataFrame:
    """A table of every cell, one under the other."""
    import pandas as pd

    frames: list[pd.DataFrame] = [
        getattr(s, name)(k).assign(strategy=player, rules=rules) for k, (player, rules) in enumerate(s.cells)
    ]
    return pd.concat(frames, ignore_index=True)


def _named(s: Statistics, name: str, some: Sequence[int]) -> dict[str, int]:
    """Names of pictures, and of which cell they are: the first few."""
    return {f"{name}_{k}" if len(s.hands) > 1 else name: k for k in some[:MOST_MAPS]}


def _told(s: Statistics) -> range:
    """Cells whose turns are known: none where the game does not tell of turns."""
    return range(len(s.hands) if s.game.turn_tables else 0)


def _fans(s: Statistics) -> dict[str, int]:
    """Pictures of deadwood by turn: of cells with turns enough."""
    return _named(s, "deadwood", [k for k in _told(s) if (s.tables[k]["by_turn"][:-1, 0] >= LEAST_PAIRS).any()])


def _knocks(s: Statistics) -> dict[str, int]:
    """Maps of knocks: of cells with knocks enough."""
    return _named(s, "knocks", [k for k in _told(s) if (s.tables[k]["if_knocked"][:-1, 1:, 0] >= LEAST_PAIRS).any()])


def _choices(s: Statistics) -> dict[str, int]:
    """Maps of knocks against going on: of cells with knocks enough."""
    counted = [k for k in _told(s) if s.tells(k, "play_on_spans")]
    return _named(s, "play_on", [k for k in counted if (s.tables[k]["play_on_spans"][..., 0] >= LEAST_PAIRS).any()])


def _cards(s: Statistics) -> dict[str, int]:
    """Pictures of cards: of cells in which they are counted."""
    return _named(s, "cards", [k for k in _told(s) if s.melded_sentence(k)])


def _hands(s: Statistics) -> Texts:
    """How long hands last, what they bring and how they end."""
    rows = []
    for k, label in enumerate(s.labels()):
        shares = (SHARE.text(s.share(k, *endings)) for endings in s.game.endings_shown.values())
        span = f"{s.quantile(k, 'turns', 0.05)} to {s.quantile(k, 'turns', 0.95)}"
        turns = COMPARED["turns_per_hand"].text(s.hands[k].turns_per_hand)
        rows.append((label, turns, span, s.game.measures["points"].value_text(s.points_scored(k)), *shares))
    head = ("", "turns", "nine in ten", "points", *s.game.endings_shown)
    return Texts(head, rows, range(1, len(head)), (0,), "Hands, with 95 % intervals")


def _over(s: Statistics) -> Texts:
    """The share of hands that last no longer than so many turns of each player, where that is not all or none."""
    rows = []
    for each in range(1, MOST_TURNS // 2):
        shares = [s.over_by(k, each) for k in range(len(s.hands))]
        if max(e.value for e in shares) >= FEW and min(e.value for e in shares) <= 1 - FEW:
            rows.append((each, *map(SHARE.text, shares)))
    return Texts(("turns of each", *s.labels()), rows, range(1 + len(s.hands)), title="Hands that are over by then")


def _more(s: Statistics) -> Texts:
    """The starter, and what else the game tells: of gin undercuts, lay-offs and the first upcard."""
    rows: list[tuple[str, ...]] = []
    if not s.game.turn_tables:
        effects, shown = s.game.measures, s.game.shown
        for k, label in enumerate(s.labels()):
            measured = (effects[name].text(s.hands[k].measure(name)) for name in shown)
            rows.append((label, SHARE.text(s.starter_share(k)), *measured))
        return Texts(("", _MORE[0], *(effects[name].label for name in shown)), rows, range(1, 2 + len(shown)), (0,))
    for k, label in enumerate(s.labels()):
        starter, undercut, *upcard = (
            SHARE.text(e) for e in (s.starter_share(k), s.undercut_share(k), *s.first_upcard(k))
        )
        rows.append((label, starter, undercut, LAID_OFF.text(s.laid_off(k)), *upcard))
    return Texts(("", *_MORE), rows, range(1, 1 + len(_MORE)), (0,))


def _half(row: Any, name: str, decimals: int = 1) -> str:
    """A share in per cent, ± half of its interval; less than the last decimal shows where even its upper end is."""
    low, high = (row[f"{name}_low"], row[f"{name}_high"]) if f"{name}_low" in row else (row["low"], row["high"])
    least = 10.0**-decimals
    return f"< {least:g}" if 100 * high < least else half_text(100 * row[name], 50 * (high - low), decimals)


def _turns(s: Statistics, k: int) -> Texts:
    """The strategy's own turns, where there were enough."""
    rows = [
        (row["turn"], SHARE.value_text(row["reached"]), f"{row['q10']} · {row['q50']} · {row['q90']}",
         *(_half(row, name) for name in ("able", "gin", "took")))
        for row in s.enough(s.turns(k)).to_dict("records")
    ]  # fmt: skip
    head = ("turn", "hands", "deadwood 10 · 50 · 90 %", "can knock (%)", "has gin (%)", "took the upcard (%)")
    return Texts(head, rows, range(len(head)), title=f"{s.labels()[k]}: own turns")


def _risk(s: Statistics, k: int) -> Texts:
    """The chances of an undercut, a row for each turn and a column for each deadwood; few knocks are left out."""
    table = s.enough(s.knocks(k)).query("deadwood > 0")
    found = {(row["turn"], row["deadwood"]): _half(row, "undercut", 0) for row in table.to_dict("records")}
    deadwoods, turns = (sorted(set(table[name])) for name in ("deadwood", "turn"))
    rows = [(turn, *(found.get((turn, deadwood), "") for deadwood in deadwoods)) for turn in turns]
    title = f"{s.labels()[k]}: chance (%) that a knock is undercut, by own turn and deadwood, ± half of the 95 % interval"
    return Texts(("turn", *(f"deadwood {deadwood}" for deadwood in deadwoods)), rows, range(1 + len(deadwoods)), title=title)


def _choice(s: Statistics, k: int) -> Texts:
    """What a knock gains over going on, a row for each span of turns and a column for each deadwood."""
    table = s.play_on_spans(k)
    found: dict[tuple[int, int], str] = {
        (row["span"], row["deadwood"]): f"{row['gain']:+.1f} ± {(row['gain_high'] - row['gain_low']) / 2:.1f}".replace("-", "−")
        for row in table.to_dict("records")
    }
    deadwoods, spans = (sorted(set(table[name])) for name in ("deadwood", "span"))
    rows = [(span_text(span), *(found.get((span, left), "") for left in deadwoods)) for span in spans]
    title = f"{s.labels()[k]}: points that a knock gains over going on, by own turn and deadwood, ± half of the 95 % interval"
    return Texts(("turns", *(f"deadwood {left}" for left in deadwoods)), rows, range(1, 1 + len(deadwoods)), title=title)


def _cards_table(s: Statistics, k: int) -> Texts:
    """What becomes of the cards of each rank."""
    table = s.cards(k)
    rows = [
        (row["rank"], *(half_text(row[part], (row[f"{part}_high"] - row[f"{part}_low"]) / 2, 3) for part in CARD_PARTS))
        for row in table[table["suit"] == ""].to_dict("records")
    ]
    head = ("rank", "dealt", "kept to the end", "thrown", "taken by the opponent", "melded by the winner", "laid off")
    title = f"{s.labels()[k]}: cards per hand, of both players together, ± half of the 95 % interval"
    return Texts(head, rows, range(1, len(head)), (0,), title)


def _discards(s: Statistics) -> Texts:
    rows = [
        (label, row["discard"], f"{row['discards']:,}", SHARE.text(figure(row["taken"], row["low"], row["high"])))
        for k, label in list(zip(_told(s), s.labels(), strict=False))[:MOST_MAPS]
        for row in s.discards(k).to_dict("records")
    ]
    return Texts(("", "discard", "discards", "taken"), rows, (2, 3), (0,))


def _console(s: Statistics) -> list[Texts]:
    choices, cards = _choices(s).values(), _cards(s).values()
    tables = [_hands(s), _over(s)]
    for k in _told(s)[:MOST_TOLD]:
        tables += [_turns(s, k), _risk(s, k)]
        tables += [_choice(s, k)] if k in choices else []
        tables += [_cards_table(s, k)] if k in cards else []
    return [table for table in tables if table.rows]


def _body(s: Statistics) -> str:
    labels = s.labels()

    def each(part: str, table: Any, pictures: dict[str, int]) -> str:
        return "\n\n".join(
            filled(f"statistics_{part}", label=labels[k], table=table(s, k).markdown(), picture=name)
            for name, k in pictures.items()
        )

    return filled(
        "statistics",
        **told(s),
        lengths=_hands(s).markdown(),
        more=_more(s).markdown(),
        knocks_made=f" {sentence('knocks_made')}" if s.game.turn_tables else "",
        most_turns=MOST_TURNS - 1,
        over=_over(s).markdown(),
        turns=each("turns", _turns, _fans(s)),
        knocks=each("knocks", _risk, _knocks(s)),
        least_pairs=LEAST_PAIRS,
        choices=each("play_on", _choice, _choices(s)),
        choices_told=_sentences(s.play_on_sentence(k) for k in _choices(s).values()),
        cards=each("cards", _cards_table, _cards(s)),
        cards_told=_sentences(s.melded_sentence(k) for k in _cards(s).values()),
        discards=_discards(s).markdown(),
        played=_played(s),
        method=sentence(f"statistics_method_{'alone' if s.alone else 'paired'}"),
    )


def _sentences(told: Iterable[str]) -> str:
    """Paragraphs of an answer."""
    return "\n\n".join(told)


def _played(s: Statistics) -> str:
    """Who played whom, and how often."""
    if s.alone:
        return f"Each strategy on all seats of its tables under each of the rules: {s.deals:,} deals, each played twice"
    against = f"`{s.opponent}`" if s.opponent else "itself"
    return f"Each strategy against {against} under each of the rules: {counts_text(s.deals)}"
