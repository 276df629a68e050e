"""The report as a web page that stands alone, looked at by a browser where there is one; its tables in LaTeX."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from matplotlib.image import imread

import ginsim
from ginsim import compare, load_results, tournament
from ginsim.report.folder import save_again, save_pictures, save_result
from ginsim.report.html import html_page, latex_tables
from ginsim.report.texts import markdown_table
from ginsim.study.tournament import Tournament

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--window-size=1000,2000",
]  # fmt: skip


@pytest.fixture(scope="module")
def field() -> Tournament:
    return tournament([f"threshold(knock={knock})" for knock in (0, 5, 10)], "eaai", deals=200, seed=3, games=20)


@pytest.fixture(scope="module")
def folder(field: Tournament, tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("result")
    notes = {"title": "Knock <early> & often", "question": "When?", "experiment": "a = '<script>'"}
    return save_result(field, where, command="ginsim run x.toml", **notes)


class Outline(HTMLParser):
    """What a page consists of, and whether its elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.sources: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "data")]
        if tag not in ("meta", "img", "br", "hr", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "data")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_stands_alone(folder: Path) -> None:
    text = (folder / "report.html").read_text()
    outline = Outline(text)
    assert not outline.open
    assert outline.tags.count("figure") == outline.tags.count("svg") >= 2 and not {"img", "link"} & set(outline.tags)
    assert all(source.startswith(("#", "data:image/png;base64,")) for source in outline.sources)
    assert not re.search(r"url\((?!#)", text) and "<title>Knock &lt;early&gt; &amp; often</title>" in text
    assert "<script>'" not in text  # of the experiment file


def test_the_page_holds_what_the_markdown_does(field: Tournament, folder: Path) -> None:
    text = (folder / "report.html").read_text()
    assert '<p class="answer"><strong>Answer.</strong> ' in text
    for part in ("When?", "<h2>Ranking</h2>", "<h2>Rules</h2>", "<h2>How to reproduce</h2>", "ginsim run x.toml"):
        assert part in text
    rows = (folder / "report.md").read_text().splitlines()
    assert text.count("<table>") == sum(row.startswith(("| :--", "| --")) for row in rows)


def test_a_picture_that_is_not_there_leaves_its_words() -> None:
    page = html_page("# T\n\n![What it shows](x.png)\n", {})
    assert "<p>What it shows</p>" in page and "img" not in page


@pytest.mark.parametrize(
    ("heads", "numbers", "stays"),
    [
        (("rank", "strategy", "share"), (0, 2), 1),
        (("strategy", "share"), (1,), 0),
        (("turn", "share"), (0, 1), 0),
        (("turn",), (0,), 0),
    ],
)
def test_the_names_of_rows_stay(heads: tuple[str, ...], numbers: tuple[int, ...], stays: int) -> None:
    """One cell of each row: the first, or the name beside a number."""
    table = html_page(f"# T\n\n{markdown_table(heads, [[f'{head} {k}' for head in heads] for k in range(3)], numbers)}\n", {})
    found = re.findall(r'<t[hd] class="stays"[^>]*>([^<]*)<', table)
    assert found == [heads[stays], *(f"{heads[stays]} {k}" for k in range(3))]


def test_latex_has_every_table(folder: Path) -> None:
    page, text = (folder / "report.md").read_text(), (folder / "tables.tex").read_text()
    tables = [block for block in page.split("\n\n") if block.startswith("|")]
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == len(tables)
    rows = sum(len(block.splitlines()) - 1 for block in tables)
    assert sum(line.endswith(r"\\") for line in text.splitlines()) == rows
    assert "% Ranking" in text and r"\texttt{gin\_bonus}" in text and not re.search(r"(?<!\\)[_#]", text)
    for row in text.splitlines():
        assert not row.endswith(r"\\") or len(re.findall(r"(?<!\\)&", row)) >= 1


def test_latex_escapes() -> None:
    text = latex_tables("## A\n\n| x |\n| --- |\n| 5 % & $1 {a} ~ ^ −2 × \\\\ |\n")
    assert r"5 \% \& \$1 \{a\} \textasciitilde{} \textasciicircum{} $-$2 $\times$ \textbackslash{} \\" in text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX")
def test_latex_compiles(folder: Path, tmp_path: Path) -> None:
    head = r"\documentclass{article}\usepackage{booktabs}\begin{document}\tiny "
    (tmp_path / "x.tex").write_text(head + (folder / "tables.tex").read_text() + r"\end{document}")
    words = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "x.tex"]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.skipif(BROWSER is None, reason="needs Chromium")
def test_in_a_browser(folder: Path, tmp_path: Path) -> None:
    """It is drawn, and a click on the head of a column sorts its table, up and then down."""
    assert BROWSER
    shot = tmp_path / "shot.png"
    own = [f"--user-data-dir={tmp_path / 'profile'}"]
    page = folder / "report.html"
    subprocess.run([BROWSER, *QUIET, *own, f"--screenshot={shot}", page.as_uri()], check=True, capture_output=True, timeout=120)
    pixels = imread(shot)
    assert pixels.shape[:2] == (2000, 1000) and pixels.std() > 0.05
    script = (
        "<script>const head = document.querySelectorAll('table')[0].querySelectorAll('th')[2]; const read = () => "
        "[...document.querySelectorAll('table')[0].tBodies[0].rows].map(row => row.cells[2].textContent); const seen = [read()]; "
        "head.click(); seen.push(read()); head.click(); seen.push(read()); document.title = JSON.stringify(seen);</script>"
    )
    tried = tmp_path / "tried.html"
    tried.write_text(page.read_text().replace("</body>", f"{script}</body>"))
    done = subprocess.run([BROWSER, *QUIET, *own, "--dump-dom", tried.as_uri()], check=True, capture_output=True, timeout=120)
    title = re.search(r"<title>(.*?)</title>", done.stdout.decode())
    assert title
    first, up, down = json.loads(title[1])
    numbers = [float(text.split(" ")[0]) for text in up]
    assert numbers == sorted(numbers) and down == up[::-1] and sorted(first) == sorted(up) and len(set(first)) == 3


def test_written_again_without_playing(field: Tournament, folder: Path, tmp_path: Path) -> None:
    where = shutil.copytree(folder, tmp_path / "copy")
    before = {path.name: path.read_bytes() for path in where.iterdir()}
    for path in where.iterdir():
        if path.name not in ("manifest.json", "tallies.json"):
            path.unlink()
    save_again(where)
    after = {path.name: path.read_bytes() for path in where.iterdir()}
    assert {name for name in before if before[name] != after[name]} <= {"manifest.json"} and before.keys() == after.keys()
    assert load_results(where) == field
    paths = save_pictures(where, ["pdf"])
    assert paths and all(path.suffix == ".pdf" and path.read_bytes().startswith(b"%PDF") for path in paths)


def test_a_comparison_has_a_page_too(tmp_path: Path) -> None:
    folder = ginsim.save(compare("simple", "random", deals=20, games=0), tmp_path)
    assert not Outline((folder / "report.html").read_text()).open
