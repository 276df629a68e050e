"""The report as one self-contained web page, and its tables in LaTeX: both made from the Markdown page."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["html_page", "latex_tables"]

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; color: #222; margin: 2rem auto; padding: 0 1rem;
  display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 62rem) minmax(0, 1fr); }
body > * { grid-column: 2; margin-top: 0; margin-bottom: 1rem; }
.scroll, figure { grid-column: 1 / -1; justify-self: center; box-sizing: border-box;
  max-width: 100%; min-width: min(62rem, 100%); }
h1, h2, h3 { line-height: 1.2; } body > h2, body > h3 { margin-top: 1.8rem; }
code, pre { font: 0.9em ui-monospace, monospace; background: #f4f4f4; } code { padding: 0 0.2em; overflow-wrap: anywhere; }
pre { padding: 0.8rem; overflow-x: auto; } pre code { padding: 0; overflow-wrap: normal; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.92em; }
td code { overflow-wrap: normal; } td[style] { white-space: nowrap; }
th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid #ddd; vertical-align: top; }
th { border-bottom: 2px solid #999; vertical-align: bottom; cursor: pointer; user-select: none; }
tbody tr:hover, tbody tr:hover td { background: #f4f8fb; }
th[aria-sort]::after { content: " \\25B2"; } th[aria-sort=descending]::after { content: " \\25BC"; }
.stays { position: sticky; left: 0; z-index: 1; background: #fff; }
.answer { background: #eef5fa; border-left: 4px solid #0072b2; padding: 0.6rem 1rem; }
figure { margin: 0.4rem 0 1.2rem; overflow-x: auto; } figure svg { display: block; max-width: 100%; height: auto; }
figcaption { color: #555; font-size: 0.9em; position: sticky; left: 0; }
@media (max-width: 45rem) {
  body { margin: 1rem 0; padding: 0 0.7rem; } h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; }
  table { font-size: 0.8em; } th, td { padding: 0.25rem 0.4rem; }
  .scroll .stays { max-width: 36vw; white-space: normal; overflow-wrap: break-word; } .stays code { overflow-wrap: break-word; }
  figure svg { max-width: none; }
}
@media print {
  body { display: block; margin: 0; } .scroll { overflow: visible; } figure, tr { break-inside: avoid; }
  .stays { position: static; }
}"""
"""Text keeps to a measure that reads well, tables and pictures may be wider; a phone scrolls both, and rows keep their names."""

SORT = """\
for (const head of document.querySelectorAll("th")) {
  head.tabIndex = 0;
  const sort = () => {
    const rows = [...head.closest("table").tBodies[0].rows], column = head.cellIndex;
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = row => {
      const text = row.cells[column].textContent.trim().replaceAll(",", "").replace("\\u2212", "-");
      const number = parseFloat(text);
      return Number.isNaN(number) ? [1, text] : [0, number];
    };
    const order = (a, b) => a[0] - b[0] || (a[0] ? a[1].localeCompare(b[1]) : a[1] - b[1]);
    rows.sort((a, b) => (up ? 1 : -1) * order(key(a), key(b)));
    head.closest("table").tBodies[0].append(...rows);
  };
  head.addEventListener("click", sort);
  head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
}"""
"""Sorts a table by the column whose head is clicked: by number where a cell begins with one."""


def html_page(page: str, pictures: Mapping[str, str]) -> str:
    """The Markdown ``page`` as HTML that needs no other file.

    Parameters
    ----------
    page : str
        As from ``ginsim.report.page``.
    pictures : mapping of str to str
        SVG text by the name of the PNG file that the page shows.
    """
    heading = next((token for token in _markdown().parse(page) if token.type == "inline"), None)
    title = html.escape("".join(child.content for child in heading.children) if heading else "")
    body = _markdown().render(page)
    body = re.sub(r'<p><img src="([^"]+)" alt="([^"]*)" ?/?></p>', lambda found: _figure(found, pictures), body)
    body = re.sub(r'<img src="[^"]*" alt="([^"]*)"[^>]*>', r"\1", body)
    body = re.sub(r"<table>.*?</table>", _with_names_that_stay, body, flags=re.DOTALL)
    body = body.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
    body = body.replace("<p><strong>Answer.</strong>", '<p class="answer"><strong>Answer.</strong>', 1)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}<script>\n{SORT}\n</script>\n</body>\n</html>\n"
    )


def _markdown() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "autolink", "reference"])


def _with_names_that_stay(found: re.Match[str]) -> str:
    """The table with the column that names its rows marked: the first, or the second after a number such as a rank."""
    flush = [cell.count("right") for cell in re.findall(r"<th(?= |>)[^>]*>", found[0])]
    column = 1 if flush[:2] == [1, 0] else 0

    def marked(row: re.Match[str]) -> str:
        cells = iter(range(len(flush)))
        return re.sub(r"<t[hd](?= |>)", lambda cell: f'{cell[0]} class="stays"' if next(cells, -1) == column else cell[0], row[0])

    return re.sub(r"<tr>.*?</tr>", marked, found[0], flags=re.DOTALL)


def _figure(found: re.Match[str], pictures: Mapping[str, str]) -> str:
    """The picture itself in place of the reference to it."""
    source, caption = found[1], found[2]
    if source not in pictures:
        return f"<p>{caption}</p>"
    svg = pictures[source][pictures[source].index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{caption}"', 1)
    return f"<figure>\n{svg.strip()}\n<figcaption>{caption}</figcaption>\n</figure>"


def latex_tables(page: str) -> str:
    r"""The tables of the Markdown ``page`` for an article: ``tabular``, with booktabs' rules, named after their sections.

    Examples
    --------
    >>> print(latex_tables("# T\n\n## Ranking\n\n| name | share |\n| :--- | ---: |\n| `a_b` | 50 % |\n"))
    % Ranking
    \begin{tabular}{lr}
    \toprule
    name & share \\
    \midrule
    \texttt{a\_b} & 50 \% \\
    \bottomrule
    \end{tabular}
    <BLANKLINE>
    """
    parts: list[str] = []
    section, row, columns = "", list[str](), ""
    tokens = _markdown().parse(page)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            section = tokens[at + 1].content
        elif token.type == "table_open":
            parts.append(f"% {section}")
            columns = ""
        elif token.type == "th_open":
            columns += "r" if "right" in str(token.attrs.get("style")) else "l"
        elif token.type == "tr_open":
            row = []
        elif token.type == "inline" and token.level >= 4 and columns:
            row.append("".join(_latex(child) for child in token.children))
        elif token.type == "tr_close":
            parts.append(f"{' & '.join(row)} \\\\")
        elif token.type == "thead_close":
            parts[-1:] = [f"\\begin{{tabular}}{{{columns}}}", "\\toprule", parts[-1], "\\midrule"]
        elif token.type == "table_close":
            parts += ["\\bottomrule", "\\end{tabular}", ""]
            columns = ""
    return "\n".join(parts)


_ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "×": r"$\times$"}


def _latex(token: Any) -> str:
    """A piece of text of a cell."""
    if token.type == "softbreak":
        return " "
    text = "".join(_ESCAPES.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in token.content)
    return f"\\texttt{{{text}}}" if token.type == "code_inline" else text
