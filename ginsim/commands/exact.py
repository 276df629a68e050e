"""``ginsim exact …``: exact odds as tables, CSV or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ginsim.cards import format_hand
from ginsim.commands import FORMATS, check_format, tell
from ginsim.commands.console import print_tables, table_text
from ginsim.errors import InputError, shown
from ginsim.exact import ExactDeadwood, Fill, Outs, exact_deadwood, fill, outs
from ginsim.exact.columns import Columns
from ginsim.exact.dead import SIZES, dead_by_cards
from ginsim.exact.facts import DRAWS, danger_by_card, hands_by_melds, melds_by_rank
from ginsim.files import write_whole
from ginsim.games.gin.rules import Rules
from ginsim.report.texts import Texts

PICTURES = ("png", "svg", "pdf")
WIDE = 10  # deadwood above what a knock allows is shown in steps of ten


def show_deadwood(
    cards: int | None, rules: str, discard: bool, holding: str, without: str, form: str | None, out: Path | None, quiet: bool
) -> None:
    """Count hands by least deadwood and print how many there are."""
    picture = out.suffix.lower().removeprefix(".") if out else ""
    form = _format(form, None if picture in PICTURES else out)
    with _progress(quiet, Rules.parse(rules).ranks, "ranks counted") as report:
        found = exact_deadwood(cards, rules, discard, holding, without, report)
    if out and picture in PICTURES:
        from ginsim.report.plots import deadwood_odds, figure_bytes

        _write(out, figure_bytes(deadwood_odds(found), picture))
        out = None
    facts = found.summary() | {"melds": found.by_melds().by_label("hands")}
    _deliver(form, out, [_summary(found), _melds(found), _bins(found)], found.by_deadwood().only("hands"), facts)


def show_melds(cards: int | None, rules: str, form: str | None, out: Path | None) -> None:
    """Print in how many melds each card can be, and how many hands hold a set or a run."""
    form = _format(form, out)
    ranks = melds_by_rank(rules)
    short = ranks.only(*(name for name in ranks.columns if not name.startswith("runs_of_") or name == "runs_of_3"))
    tables = [_texts("Melds a card of each rank can be in", short, USABLE, usable=2)]
    facts: dict[str, Any] = {"rules": str(Rules.parse(rules))}
    if form != "csv":
        kinds = hands_by_melds(cards, rules)
        tables.append(_texts("Hands dealt at random", kinds))
        facts["hands"] = kinds.by_label("hands")
    _deliver(form, out, tables, ranks, facts)


def show_fill(
    holding: str, seen: str, known: str, draws: str | None, rules: str, form: str | None, out: Path | None
) -> None:
    """Print the chances that a holding fills."""
    form = _format(form, out)
    found = fill(holding, seen, DRAWS if draws is None else _numbers(draws), rules, known)
    facts = {
        "holding": format_hand(found.holding),
        "outs": format_hand(found.outs),
        "dead": format_hand(found.dead),
        "unseen": found.unseen,
        "opponent_one": float(found.opponent_one),
        "opponent_all": None if found.opponent_all is None else float(found.opponent_all),
    }
    chances = _texts("Chance that one of the cards drawn makes a meld with it", found.by_draws())
    _deliver(form, out, [_outs(found), chances], found.by_draws(), facts)


def show_danger(hand: str, seen: str, known: str, rules: str, form: str | None, out: Path | None) -> None:
    """Print the chance for each card that the opponent can use it."""
    form = _format(form, out)
    found = danger_by_card(hand, seen, rules, known)
    _deliver(form, out, [_texts("Chance that the opponent makes a meld with it", found, PAIRS, chance=2)], found, {})


def show_outs(hand: str, seen: str, known: str, rules: str, form: str | None, out: Path | None) -> None:
    """Print which cards improve a hand, allow a knock or make gin, with the chance of each for the next draw."""
    form = _format(form, out)
    found = outs(hand, seen, rules, known)
    _deliver(form, out, [_next_card(found), _by_left(found)], found.by_card(), found.summary())


def show_dead(cards: int | None, rules: str, form: str | None, out: Path | None) -> None:
    """Print how many hands hold no meld and no two cards that could become one."""
    form = _format(form, out)
    found = dead_by_cards(SIZES if cards is None else [cards], rules)
    read = Rules.parse(rules)
    pairs = DEAD_PAIRS if read.suits >= 3 else DEAD_NEAR
    title = f"Hands with no meld and no two cards that could become one, {read}"
    _deliver(form, out, [_texts(title, found, pairs, one_in=0)], found, {"rules": str(read)})


def show_response(
    strategy: str, player: str | None, rules: str, form: str | None, out: Path | None, quiet: bool
) -> None:
    """Print what the best response to a strategy wins in a small gin, and what a player does."""
    from ginsim.exact.response import best_response, exact_value  # compiles, which no other odds do

    form = _format(form, out)
    with _progress(quiet, 1, "deals gone through") as report:
        best = best_response(strategy, rules, report)
    with _progress(quiet, 1, "deals gone through") as report:
        of = [best] if player is None else [best, exact_value(player, strategy, rules, report)]
    heads = ["best_response", *([of[1].player] if player is not None else [])]
    columns = {head: [found.starting, found.answering, found.points] for head, found in zip(heads, of, strict=True)}
    shown = Columns("points a hand", ["acting first", "acting second", "on average"], columns)
    caption = "best response: knows the strategy but not its cards; no player wins more from it"
    title = f"What is won from {best.strategy}, {best.rules}"
    facts = {"strategy": best.strategy, "rules": best.rules, "positions": best.positions}
    _deliver(form, out, [_signed(title, shown, caption)], shown, facts)


def _signed(title: str, found: Columns, caption: str) -> Texts:
    """Points won or lost, as a table."""
    rows = [(label, *(f"{value + 0.0:+.4f}" for value in row)) for label, *row in found.rows()]
    heads = (found.index, *(name.replace("_", " ") for name in found.columns))
    return Texts(heads, rows, range(1, len(heads)), title=title, caption=caption)


def _numbers(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        raise InputError(f"draws: {shown(text)} is not allowed; give whole numbers separated by commas, such as 1,2,5")
    return [int(word) for word in words]


def _format(form: str | None, out: Path | None) -> str:
    """The format asked for, or the one that the file's name asks for."""
    ending = out.suffix.lower().removeprefix(".") if out else ""
    if ending in (*PICTURES, "jpg", "jpeg", "gif"):
        raise InputError(f"out: {out} is not allowed; give .txt, .csv or .json (exact deadwood: also .png, .svg, .pdf)")
    if form is None:
        return ending if ending in FORMATS else "table"
    check_format(form)
    return form


def _deliver(form: str, out: Path | None, tables: list[Texts], found: Columns, facts: dict[str, Any]) -> None:
    """Print the tables, or what was found as CSV, or with the facts as JSON; into a file if there is one."""
    if form == "table":
        if out is None:
            print_tables(tables)
            return
        text = "".join(f"{table_text(table)}\n" for table in tables)
    elif form == "csv":
        text = found.csv()
    else:
        text = json.dumps(facts | {"table": found.records()}, indent=1, ensure_ascii=False) + "\n"
    if out is not None:
        _write(out, text)
    else:
        tell(text, nl=False)


def _write(out: Path, data: str | bytes) -> None:
    write_whole(out, data)
    tell(f"written: {out}", err=True)


@contextmanager
def _progress(quiet: bool, total: int, what: str) -> Iterator[Callable[[float], None] | None]:
    """A bar on a terminal, over what is counted; None where nobody is looking."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def _summary(found: ExactDeadwood) -> Texts:
    after = " after the best discard" if found.discard else ""
    rows = [(f"gin: no deadwood{after}", found.gin)]
    if not found.discard and found.cards == found.rules.hand_size + 1:
        rows = [("all cards melded (big gin)", found.gin)]
    limit, enough = found.rules.knock_limit, "enough to knock"
    if found.knockable is None:  # the upcard sets the limit: the highest there is
        limit = min(found.rules.ranks, 10)
        enough += f" if the upcard is worth {limit}"
    if limit:
        rows.append((f"deadwood of {limit} or less{after}: {enough}", found.at_most(limit)))
    rows.append((f"no meld{after}", found.meldless))
    texts = [
        (name, f"{hands:,}", _chance(hands / found.hands, 6), f"{found.hands / hands:,.0f}" if hands else "never")
        for name, hands in rows
    ]
    title = f"All {found.hands:,} hands of {found.cards} cards{_given(found)}, {found.rules}"
    caption = f"mean deadwood{after}: {float(found.mean):.6f}"
    return Texts(("", "hands", "chance", "one in"), texts, (1, 2, 3), title=title, caption=caption)


def _chance(value: float, decimals: int = 4) -> str:
    """An exact chance, written as all shares are (``ginsim.inference.measures`` would load more than the odds need)."""
    return f"{100 * value:.{decimals}f} %"


def _given(found: ExactDeadwood) -> str:
    parts = [f" {word} {format_hand(cards)}" for word, cards in (("with", found.holding), ("without", found.without)) if cards]
    return "".join(parts)


def _melds(found: ExactDeadwood) -> Texts:
    return _texts("By number of melds (the fewest that leave the least deadwood)", found.by_melds(), MEAN, deadwood=3)


def _bins(found: ExactDeadwood) -> Texts:
    """Each deadwood that allows a knock, then steps of ten; deadwood that no hand has at the top is left out."""
    columns = found.by_deadwood()
    hands, chance, at_most = columns.columns.values()
    edge = min(10 if found.knockable is None else found.rules.knock_limit, len(columns) - 1)
    starts = [*range(edge + 1), *range(edge + 1, len(columns), WIDE)]
    rows = []
    for start, stop in zip(starts, [*starts[1:], len(columns)], strict=True):
        label = str(start) if stop == start + 1 else f"{start}–{stop - 1}"
        rows.append((label, f"{sum(hands[start:stop]):,}", _chance(sum(chance[start:stop])), _chance(at_most[stop - 1])))
    return Texts(("deadwood", "hands", "chance", "this or less"), rows, range(4), title="By least deadwood")


def _outs(found: Fill) -> Texts:
    outs = format_hand(found.outs, symbols=True) or "none"
    rows = [("cards that make a meld", f"{outs} ({found.outs.bit_count()} of {found.unseen} unseen)")]
    if found.dead:
        rows.append(("gone", format_hand(found.dead, symbols=True)))
    if found.known:
        rows.append(("known in the opponent's hand", format_hand(found.known, symbols=True)))
    if found.opponent_all is not None:
        rows.append(("chance that the opponent holds one or more", _chance(float(found.opponent_one))))
        rows.append(("chance that the opponent holds all that are left", _chance(float(found.opponent_all))))
    return Texts(("", ""), rows, title=f"What fills {format_hand(found.holding, symbols=True)}")


def _next_card(found: Outs) -> Texts:
    """What the next card can bring, the chance of each, and the cards."""
    enough = "enough to knock" + (f" if the upcard is worth {found.limit}" if found.rules.oklahoma else "")
    asked = [("less deadwood than now", found.improve), (f"{found.limit} or less: {enough}", found.knock), ("gin", found.gin)]
    if found.rules.big_gin_bonus is not None:
        asked.append(("big gin", found.big_gin))
    rows = [(name, str(cards.bit_count()), _chance(float(found.chance(cards)), 2), _named(found, cards)) for name, cards in asked]
    title = f"The next card for {format_hand(found.hand, symbols=True)}, deadwood {found.deadwood}"
    caption = f"chance: of the {len(found.left)} unseen cards, each is equally likely to be drawn"
    return Texts(("the best discard leaves", "cards", "chance", "which"), rows, (1, 2), title=title, caption=caption)


def _by_left(found: Outs) -> Texts:
    """Cards by the deadwood that they leave."""
    kinds = sorted({left for left, _ in found.left.values()})
    rows = []
    for left in kinds:
        cards = found.at_most(left) & ~found.at_most(left - 1)
        at_most = _chance(float(found.chance(found.at_most(left))), 2)
        rows.append((left, cards.bit_count(), _chance(float(found.chance(cards)), 2), at_most, _named(found, cards)))
    heads = ("deadwood", "cards", "chance", "this or less", "which")
    return Texts(heads, rows, range(4), title="By deadwood after the best discard")


def _named(found: Outs, cards: int) -> str:
    return format_hand(cards, symbols=True) if cards.bit_count() < len(found.left) else "every card"


SHARES = ("chance", "usable")
USABLE = "usable: chance that an opponent with a random hand of the other cards makes a meld with a card of the rank"
MEAN = "deadwood: the mean of these hands"
DEAD_NEAR = "could become one: two cards of a suit, next to each other or with one rank between them"
DEAD_PAIRS = f"{DEAD_NEAR}; two cards of one rank"
PAIRS = "pairs: pairs of cards that make a meld with it and that the opponent may hold"


def _texts(title: str, found: Columns, caption: str = "", **decimals: int) -> Texts:
    """What was found as a table; chances in per cent, with four decimals unless it is said."""

    def cell(name: str, value: Any) -> str:
        if value is None or value != value:  # a mean of no hands is not there: nan
            return "–"
        if name in SHARES:
            return _chance(value, decimals.get(name, 4))
        return f"{value:,.{decimals[name]}f}" if name in decimals else f"{value:,}"

    rows = [(label, *(cell(name, value) for name, value in zip(found.columns, row, strict=True))) for label, *row in found.rows()]
    heads = (found.index, *(name.replace("_", " ") for name in found.columns))
    return Texts(heads, rows, range(1, len(heads)), title=title, caption=caption)
