"""Tests of the HTML report."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from xml.etree.ElementTree import Element

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from msgspec import structs

from arena.analysis.accuracy import Accuracy
from arena.model.results import Fault, MatchRecord, PlayedMove, Tally, Termination
from arena.ratings import rate
from arena.reports.html import (
    GAMES_PER_BATCH,
    Report,
    heat,
    move_list,
    plan_facts,
    write_report,
)
from arena.reports.text import GameStandings
from arena.tournament.standings import standings
from tests.support.cases import loop_over
from tests.support.computing.grids import PLAN as GRID
from tests.support.tournaments.plans import BOOK, PLAN
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)

VOID = {"meta", "link", "br", "input"}
MOVES = (PlayedMove(0, 3, 0.0312, 0.0012, 0.03, 0.0), PlayedMove(1, 6, 1.5, 0.0, 1.5, 0.0104))
HOSTILE = ["<script>alert(1)</script>", "\"'&", "</pre></details>", "--> {{ 7 }}", "\" onload='x'"]


class Tree(HTMLParser):
    """Element tree of a page with balanced tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = Element("document")
        self._open = [self.root]
        self.feed(text)
        self.close()
        assert self._open == [self.root], f"unclosed elements: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"duplicate attribute in {attrs}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag, f"mismatched closing tag {tag}"

    def handle_data(self, data: str) -> None:
        parent = self._open[-1]
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + data
        else:
            parent.text = (parent.text or "") + data


def html(report: Report) -> str:
    out = io.StringIO()
    write_report(out, report)
    return out.getvalue()


def make_standings(
    records: Iterable[MatchRecord],
    bots: Iterable[str] = (),
    accuracies: dict[str, Accuracy] | None = None,
    distinct_games: int | None = None,
) -> GameStandings:
    tally = Tally(record.rated_result for record in records if record.rated_result)
    ratings = rate(tally)
    lines = standings(tally, ratings, bots)
    return GameStandings(lines, tally, ratings, accuracies or {}, distinct_games)


def make_report(*records: MatchRecord, accuracies: dict[str, Accuracy] | None = None) -> Report:
    standings_by_game = {"take_stones": make_standings(records, accuracies=accuracies)}
    return Report("A cup", [("Seed", "1"), ("Time", "5+0.05")], standings_by_game, records)


def words(element: Element) -> str:
    """Return an element's text with single spaces."""
    return " ".join(" ".join(element.itertext()).split())


def all_of(report: Report, path: str) -> list[Element]:
    return Tree(html(report)).root.findall(f".//{path}")


def texts(report: Report, path: str) -> list[str]:
    return [words(element) for element in all_of(report, path)]


def rows(report: Report, heading: str) -> list[list[str]]:
    """Return the cells of the table below a heading."""
    (section,) = all_of(report, f"section[h3='{heading}']")
    places = [place for place, child in enumerate(section) if child.text == heading]
    frame = next(child for child in section[places[0] :] if child.tag == "div")
    return [[words(cell) for cell in row] for row in frame.iter("tr")]


WON = make_record(moves=MOVES)
FORFEIT = make_record(make_pairing(2, ("bert", "anna")), 2, Termination.ILLEGAL_MOVE, attempt=2)
REPORT = make_report(WON, FORFEIT)
FULL_REPORT = replace(
    make_report(WON, FORFEIT, make_aborted_record(), accuracies={"anna": Accuracy(1, 3, 1)}),
    sprt_lines=["SPRT elo0=0 elo1=20: undecided"],
    blocks=[("Bracket", "Final\n  1 anna  2 - 0  bert")],
)
EMPTY_REPORT = Report("Nothing", [], {}, [])


@loop_over("report", [FULL_REPORT, EMPTY_REPORT, make_report()])
def test_tags_balance(report: Report) -> None:
    assert [child.tag for child in Tree(html(report)).root] == ["html"]


def test_the_document_is_html_in_english() -> None:
    text = html(REPORT)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">\n')
    assert text.endswith("</html>\n")
    assert (texts(FULL_REPORT, "head/title"), texts(FULL_REPORT, "h1")) == (["A cup"], ["A cup"])
    (script,) = all_of(REPORT, "script")
    assert len((script.text or "").splitlines()) <= 40


def test_structure_is_valid_and_loads_nothing() -> None:
    report = replace(FULL_REPORT, games={"one": REPORT.games["take_stones"], **REPORT.games})
    found = [element.get("id") for element in all_of(report, "*[@id]")]
    links = {link.get("href", "")[1:] for link in all_of(report, "a")}
    assert len(found) == len({*found}) > 5
    assert links < {*found}
    assert {header.get("scope") for header in all_of(FULL_REPORT, "th")} == {"col", "row"}
    text = html(FULL_REPORT)
    assert not re.search(r"https?://|url\(|@import|\bsrc=", text)
    assert [link.get("href") for link in all_of(FULL_REPORT, "link")] == ["data:,"]


def test_facts_sequential_tests_and_blocks() -> None:
    header = Tree(html(REPORT)).root.find(".//header/dl")
    assert header is not None
    assert [words(child) for child in header] == ["Seed", "1", "Time", "5+0.05"]
    assert not all_of(EMPTY_REPORT, "dl")
    assert texts(FULL_REPORT, "p[@class='test']") == ["SPRT elo0=0 elo1=20: undecided"]
    block = all_of(FULL_REPORT, "pre")[0]
    assert (block.text or "").strip() == "Final\n  1 anna  2 - 0  bert"


def test_facts_of_plans() -> None:
    facts = dict(plan_facts(replace(GRID, grid_plies=(0, 2)), 5))
    assert facts["Matches"] == f"5 of {2 * GRID.matches}"
    assert facts["Openings"] == "0, 2 random plies, another opening for each pair of matches"
    assert facts["Setups"] == "stones 20; stones 7"
    plan = replace(PLAN, setups=(), book=BOOK)
    assert dict(plan_facts(plan)).keys() == {"Bots", "Matches", "Time", "Openings", "Seed"}
    assert dict(plan_facts(plan))["Openings"] == "a book of 3"


def test_standings() -> None:
    elo = REPORT.games["take_stones"].ratings.elo["anna"]
    margin = REPORT.games["take_stones"].ratings.margin("anna")
    assert rows(REPORT, "Standings") == [
        ["#", "bot", "Elo", "±", "won", "lost", "forfeits"],
        ["1", "anna", f"{elo:+.0f}", f"{margin:.0f}", "2", "0", "."],
        ["2", "bert", f"{-elo:+.0f}", f"{margin:.0f}", "0", "2", "1"],
    ]
    assert [row[6] for row in rows(FULL_REPORT, "Standings")] == ["accuracy", "75.0 %", "."]


def test_forfeits_by_kind() -> None:
    assert rows(REPORT, "Forfeits") == [
        ["bot", "disconnect", "illegal move", "malformed", "timeout"],
        ["bert", ".", "1", ".", "."],
    ]
    assert "No forfeits." in texts(make_report(WON), "p")


def test_crosstable() -> None:
    assert rows(REPORT, "Crosstable") == [
        ["bot", "1", "2"],
        ["1 anna", ".", "1-0 1-0 !"],
        ["2 bert", "0-1 0-1 !", "."],
    ]
    assert rows(make_report(WON), "Crosstable")[1] == ["1 anna", ".", "1-0 0-0"]


def test_draws() -> None:
    report = make_report(WON, make_record(winner=None, termination=Termination.GAME_OVER))
    assert [row[4:7] for row in rows(report, "Standings")] == [
        ["won", "drawn", "lost"],
        ["1", "1", "0"],
        ["0", "1", "1"],
    ]
    assert rows(report, "Crosstable")[1] == ["1 anna", ".", "1-1-0 0-0-0"]
    assert "Won-drawn-lost" in html(report)
    assert texts(report, "summary")[1].startswith("1 anna - bert draw: game over stones 7")
    assert [game.get("class") for game in all_of(report, "details")] == ["game", "game"]


def test_likelihood_of_superiority() -> None:
    chance = REPORT.games["take_stones"].ratings.superiority("anna", "bert")
    assert chance is not None
    assert rows(REPORT, "Likelihood of superiority") == [
        ["bot", "1", "2"],
        ["1 anna", ".", f"{100 * chance:.1f}"],
        ["2 bert", f"{100 - 100 * chance:.1f}", "."],
    ]


def test_without_games_nothing_is_rated() -> None:
    report = replace(EMPTY_REPORT, games={"go": make_standings([], ["anna", "bert"])})
    assert "No bot is rated yet." in texts(report, "p")
    assert rows(report, "Standings")[1] == ["1", "anna", ".", ".", "0", "0", "."]
    assert "No finished games yet." in texts(EMPTY_REPORT, "p")


@loop_over(
    "distinct_games, expected",
    [(None, "2 matches"), (2, "2 matches"), (1, "2 matches, 1 distinct game")],
)
def test_the_number_of_distinct_games(distinct_games: int | None, expected: str) -> None:
    records = [make_record(make_pairing(number)) for number in (1, 2)]
    table = make_standings(records, distinct_games=distinct_games)
    assert expected in texts(Report("A cup", [], {"take_stones": table}, records), "p")


def test_disconnected_groups() -> None:
    report = make_report(WON, make_record(make_pairing(players=("carl", "dora"))))
    (note,) = [line for line in texts(report, "p") if line.startswith("Note")]
    assert note.endswith("not comparable: anna, bert; carl, dora")
    assert texts(report, "td").count("-") == 8  # superiorities


# Games


def test_games_and_first_moves_are_summarised() -> None:
    assert texts(REPORT, "summary") == [
        "1 anna - bert anna wins: no legal move stones 7 2 plies 0.030 - 1.500 s",
        "2 bert - anna anna wins: forfeit, illegal move stones 7 0 plies 0.000 - 0.000 s",
    ]
    assert [line for line in texts(REPORT, "p") if line.startswith("First move: ")]
    games = [game.get("class") for game in all_of(FULL_REPORT, "details")]
    assert games == ["game", "game odd", "game odd"]


@loop_over(
    "record, text",
    (
        make_record(replace(make_pairing(), opening=(3, 6)), moves=()),
        "stones 7; opening 3 6 2 plies",
    ),
    (make_record(replace(make_pairing(), setup={}, opening=(3,))), "no legal move opening 3 1 ply"),
    (make_record(replace(make_pairing(), setup={"columns": 7, "rows": 6})), "columns 7, rows 6"),
    (make_aborted_record(), "1 anna - bert aborted stones 7"),
)
def test_summary_of_other_games(record: MatchRecord, text: str) -> None:
    assert text in texts(make_report(record), "summary")[0]


def test_games_are_numbered_listed_and_in_batches() -> None:
    record = make_record(make_pairing(None), attempt=9)
    assert texts(make_report(record), "span[@class='number']") == ["9"]
    (moves,) = all_of(make_report(WON), "pre")
    assert (moves.text or "").strip("\n") == move_list(WON)
    report = make_report(*[WON] * (2 * GAMES_PER_BATCH + 1))
    batches = all_of(report, "div[@class='batch']")
    assert [len(batch) for batch in batches] == [GAMES_PER_BATCH, GAMES_PER_BATCH, 1]
    assert batches[2].get("style") == "--games:1"


NO_MOVE = replace(FORFEIT, fault=Fault(4, None, 5.1, 0.1, 5.0, 0.0))


@loop_over(
    "record, place, text",
    (make_record(make_casual_pairing()), 0, "take_stones, time 5+0.05, casual"),
    (WON, 0, "take_stones, time 5+0.05"),
    (WON, 1, "that is why"),
    (
        replace(FORFEIT, fault=Fault(4, 99, 0.1, 0.0052, 0.0948, 0.0)),
        2,
        "ply 4, move 99: elapsed 100.0, credit 5.2, charged 94.8, lag 0.0 ms",
    ),
    (NO_MOVE, 2, "ply 4, no move: elapsed 5100.0, credit 100.0, charged 5000.0, lag 0.0 ms"),
    (NO_MOVE, 3, "0.100 - 0.000 s"),
)
def test_facts_of_a_game(record: MatchRecord, place: int, text: str) -> None:
    assert texts(make_report(record), "details//dd")[place] == text


def test_games_are_streamed() -> None:
    out = io.StringIO()
    written = []

    def matches() -> Iterator[MatchRecord]:
        for _ in range(3 * GAMES_PER_BATCH):
            written.append(out.tell())
            yield WON

    write_report(out, replace(EMPTY_REPORT, matches=matches()))
    assert 0 < written[0] < written[GAMES_PER_BATCH + 1] < written[2 * GAMES_PER_BATCH + 1]


def test_moves_of_a_game() -> None:
    assert move_list(WON) == (
        " ply player   move   elapsed  credit   charged     lag\n"
        "   0      1      3      31.2     1.2      30.0     0.0\n"
        "   1      2      6    1500.0     0.0    1500.0    10.4"
    )


def test_move_list_with_an_opening() -> None:
    record = make_record(
        replace(make_pairing(), opening=(3, 6)), moves=(structs.replace(MOVES[0], ply=2),)
    )
    assert [line.split()[:4] for line in move_list(record).splitlines()[1:]] == [
        ["0", "1", "3", "."],
        ["1", "2", "6", "."],
        ["2", "1", "3", "31.2"],
    ]


# Hostile names


def hostile_report(name: str, other: str) -> Report:
    pairing = replace(make_pairing(players=(name, other)), setup={name: 7}, game=name)
    record = replace(make_record(pairing, termination=Termination.TIMEOUT), time_control=name)
    standings_by_game = {name: make_standings([record, WON], accuracies={name: Accuracy(1, 1, 0)})}
    return Report(name, [(name, name)], standings_by_game, [record], [name], [(name, name)])


@cache
def harmless_elements() -> Counter[str]:
    """Return the numbers of elements of the report on two names without markup."""
    return Counter(element.tag for element in all_of(hostile_report("a", "b"), "*"))


@pytest.mark.unmeasured
@settings(max_examples=10, deadline=None)
@example(*HOSTILE[:2])
@example(*HOSTILE[2:4])
@example(HOSTILE[4], "https://example.org")
@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=64),
    st.just("b"),
)
def test_names_do_not_become_elements(name: str, other: str) -> None:
    assume(name != other)
    elements = all_of(hostile_report(name, other), "*")
    assert Counter(element.tag for element in elements) == harmless_elements()
    headers = [element for element in elements if element.get("class") == "name"]
    assert name in ["".join(bdi.itertext()) for header in headers for bdi in header]


def test_names_do_not_become_attributes() -> None:
    harmless, hostile = (
        {key for element in all_of(hostile_report(name, "b"), "*") for key in [*element.attrib]}
        for name in ("a", HOSTILE[4])
    )
    assert hostile == harmless


# Chart and heat map


def test_the_chart_has_a_title_a_description_and_text_elements() -> None:
    (svg,) = all_of(REPORT, "svg")
    named = {child.get("id"): child.tag for child in svg if child.get("id")}
    assert svg.get("role") == "img"
    assert [named[word] for word in svg.get("aria-labelledby", "").split()] == ["title", "desc"]
    shown = texts(REPORT, "svg/text")
    assert {"0", "anna", "bert"} < {*shown}
    assert len([text for text in shown if "±" in text]) == 2


@loop_over(("chance", "strength"), [(0.0, 50), (0.5, 0), (0.75, 25), (1.0, 50)])
def test_heat(chance: float, strength: int) -> None:
    assert heat(chance) == strength
