"""A tournament as a web page."""

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.analysis.accuracy import Accuracy
from arena.model.results import Fault, MatchRecord, PlayedMove, Tally, Termination
from arena.ratings.bradley_terry import Ratings, rate
from arena.reports.html import (
    BATCH,
    LONGEST,
    PLOT,
    ROW,
    TALL,
    TICKS,
    Chart,
    Page,
    chart,
    heat,
    sheet,
    spent,
    write_page,
)
from arena.reports.text import Table
from arena.tournament.standings import standings
from tests.support.records import make_casual_pairing, make_pairing, make_record, make_aborted_record

VOID = {"meta", "link", "br", "input"}
MOVES = (PlayedMove(0, 3, 0.0312, 0.0012, 0.03, 0.0), PlayedMove(1, 6, 1.5, 0.0, 1.5, 0.0104))
HOSTILE = ["<script>alert(1)</script>", "\"'&", "</pre></details>", "--> {{ 7 }}", "\" onload='x'"]


class Tree(HTMLParser):
    """The elements of a page, which must be balanced."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = Element("document")
        self._open = [self.root]
        self.feed(text)
        self.close()
        assert self._open == [self.root], f"{self._open} are not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"{attrs} has one twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag, f"{tag} closes another"

    def handle_data(self, data: str) -> None:
        parent = self._open[-1]
        if len(parent):
            parent[-1].tail = (parent[-1].tail or "") + data
        else:
            parent.text = (parent.text or "") + data


def html(page: Page) -> str:
    out = io.StringIO()
    write_page(out, page)
    return out.getvalue()


def a_table(
    records: Iterable[MatchRecord],
    bots: Iterable[str] = (),
    accuracies: dict[str, Accuracy] | None = None,
) -> Table:
    tally = Tally(record.rated_result for record in records if record.rated_result)
    ratings = rate(tally)
    return Table(standings(tally, ratings, bots), tally, ratings, accuracies or {})


def a_page(*records: MatchRecord, accuracies: dict[str, Accuracy] | None = None) -> Page:
    tables = {"take_stones": a_table(records, accuracies=accuracies)}
    return Page("A cup", [("Seed", "1"), ("Time", "5+0.05")], tables, records)


def words(element: Element) -> str:
    """An element's text, with single spaces between words and between elements."""
    return " ".join(" ".join(element.itertext()).split())


def all_of(page: Page, path: str) -> list[Element]:
    return Tree(html(page)).root.findall(f".//{path}")


def texts(page: Page, path: str) -> list[str]:
    return [words(element) for element in all_of(page, path)]


def rows(page: Page, heading: str) -> list[list[str]]:
    """The table below a heading."""
    (section,) = all_of(page, f"section[h3='{heading}']")
    places = [place for place, child in enumerate(section) if child.text == heading]
    frame = next(child for child in section[places[0] :] if child.tag == "div")
    return [[words(cell) for cell in row] for row in frame.iter("tr")]


WON = make_record(moves=MOVES)
FORFEIT = make_record(make_pairing(2, ("bert", "anna")), 2, Termination.ILLEGAL_MOVE, attempt=2)
PAGE = a_page(WON, FORFEIT)
FULL = replace(
    a_page(WON, FORFEIT, make_aborted_record(), accuracies={"anna": Accuracy(1, 3, 1)}),
    tests=["SPRT elo0=0 elo1=20: undecided"],
    blocks=[("Bracket", "Final\n  1 anna  2 - 0  bert")],
)
EMPTY = Page("Nothing", [], {}, [])


@pytest.mark.parametrize("page", [FULL, EMPTY, a_page()])
def test_tags_balance(page: Page) -> None:
    assert [child.tag for child in Tree(html(page)).root] == ["html"]


def test_it_is_html_in_english() -> None:
    text = html(PAGE)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">\n')
    assert text.endswith("</html>\n")


def test_one_title_and_one_heading() -> None:
    assert (texts(FULL, "head/title"), texts(FULL, "h1")) == (["A cup"], ["A cup"])


def test_every_id_is_there_once_and_every_link_leads_to_one() -> None:
    page = replace(FULL, tables={"one": PAGE.tables["take_stones"], **PAGE.tables})
    found = [element.get("id") for element in all_of(page, "*[@id]")]
    links = {link.get("href", "")[1:] for link in all_of(page, "a")}
    assert len(found) == len({*found}) > 5
    assert links < {*found}


def test_every_header_says_what_for() -> None:
    assert {header.get("scope") for header in all_of(FULL, "th")} == {"col", "row"}


def test_nothing_is_loaded_from_elsewhere() -> None:
    text = html(FULL)
    assert not re.search(r"https?://|url\(|@import|\bsrc=", text)
    assert [link.get("href") for link in all_of(FULL, "link")] == ["data:,"]


def test_the_script_is_short() -> None:
    (script,) = all_of(PAGE, "script")
    assert len((script.text or "").splitlines()) <= 40


def sprt_facts() -> None:
    header = Tree(html(PAGE)).root.find(".//header/dl")
    assert header is not None
    assert [words(child) for child in header] == ["Seed", "1", "Time", "5+0.05"]


def test_no_facts() -> None:
    assert not all_of(EMPTY, "dl")


def test_a_sequential_test() -> None:
    assert texts(FULL, "p[@class='test']") == ["SPRT elo0=0 elo1=20: undecided"]


def test_a_block_keeps_its_lines() -> None:
    block = all_of(FULL, "pre")[0]
    assert (block.text or "").strip() == "Final\n  1 anna  2 - 0  bert"


def test_standings() -> None:
    elo = PAGE.tables["take_stones"].ratings.elo["anna"]
    margin = PAGE.tables["take_stones"].ratings.margin("anna")
    assert rows(PAGE, "Standings") == [
        ["#", "bot", "Elo", "±", "won", "lost", "forfeits"],
        ["1", "anna", f"{elo:+.0f}", f"{margin:.0f}", "2", "0", "."],
        ["2", "bert", f"{-elo:+.0f}", f"{margin:.0f}", "0", "2", "1"],
    ]


def test_standings_with_accuracies() -> None:
    assert [row[6] for row in rows(FULL, "Standings")] == ["accuracy", "75.0 %", "."]


def test_meetings_by_side_with_forfeits() -> None:
    assert rows(PAGE, "Who has what from whom") == [
        ["bot", "1", "2"],
        ["1 anna", ".", "1-0 1-0 !"],
        ["2 bert", "0-1 0-1 !", "."],
    ]


def test_no_mark_without_a_forfeit() -> None:
    assert rows(a_page(WON), "Who has what from whom")[1] == ["1 anna", ".", "1-0 0-0"]


def test_who_is_stronger() -> None:
    chance = PAGE.tables["take_stones"].ratings.superiority("anna", "bert")
    assert rows(PAGE, "Who is stronger") == [
        ["bot", "1", "2"],
        ["1 anna", ".", f"{100 * chance:.1f}"],
        ["2 bert", f"{100 - 100 * chance:.1f}", "."],
    ]


def test_forfeits_by_kind() -> None:
    assert rows(PAGE, "Forfeits") == [
        ["bot", "disconnect", "illegal move", "malformed", "timeout"],
        ["bert", ".", "1", ".", "."],
    ]


def test_no_forfeits() -> None:
    assert "No match was lost by breaking a rule." in texts(a_page(WON), "p")


def test_bots_that_have_not_played_have_no_rating() -> None:
    page = replace(EMPTY, tables={"go": a_table([], ["anna", "bert"])})
    assert "Nobody has a rating yet." in texts(page, "p")
    assert rows(page, "Standings")[1] == ["1", "anna", ".", ".", "0", "0", "."]


def test_the_first_move() -> None:
    assert [line for line in texts(PAGE, "p") if line.startswith("First move: ")]


def test_groups_that_cannot_be_compared() -> None:
    others = make_record(make_pairing(players=("carl", "dora")))
    (note,) = [line for line in texts(a_page(WON, others), "p") if line.startswith("Note")]
    assert note.endswith("no match connects: anna, bert; carl, dora")


# Games


def test_a_game_in_a_line() -> None:
    assert texts(PAGE, "summary") == [
        "1 anna - bert anna wins: no legal move stones 7 2 plies 0.030 - 1.500 s",
        "2 bert - anna anna wins: forfeit, illegal move stones 7 0 plies 0.000 - 0.000 s",
    ]


def test_an_opening_in_a_line() -> None:
    record = make_record(replace(make_pairing(), opening=(3, 6)), moves=())
    assert "stones 7; opening 3 6 2 plies" in texts(a_page(record), "summary")[0]


def test_an_opening_of_a_game_without_parameters() -> None:
    record = make_record(replace(make_pairing(), setup={}, opening=(3,)))
    assert "no legal move opening 3 1 plies" in texts(a_page(record), "summary")[0]


def test_two_parameters_in_a_line() -> None:
    record = make_record(replace(make_pairing(), setup={"columns": 7, "rows": 6}))
    assert "columns 7, rows 6" in texts(a_page(record), "summary")[0]


def test_outside_a_tournament_an_attempt_has_its_own_number() -> None:
    record = make_record(make_pairing(None), attempt=9)
    assert texts(a_page(record), "span[@class='number']") == ["9"]


def test_an_aborted_game_has_no_winner() -> None:
    assert texts(a_page(make_aborted_record()), "summary")[0].startswith("1 anna - bert aborted stones 7")


def test_forfeits_and_aborted_games_are_the_odd_ones() -> None:
    games = [game.get("class") for game in all_of(FULL, "details")]
    assert games == ["game", "game odd", "game odd"]


def test_a_casual_game_is_called_so() -> None:
    facts = texts(a_page(make_record(make_casual_pairing())), "details//dd")
    assert facts[0] == "take_stones, time 5+0.05, casual"


def test_why_a_game_ended() -> None:
    assert texts(a_page(WON), "details//dd") == ["take_stones, time 5+0.05", "that is why"]


def test_an_illegal_move() -> None:
    record = replace(FORFEIT, fault=Fault(4, 99, 0.1, 0.0052, 0.0948, 0.0))
    assert texts(a_page(record), "details//dd")[2] == (
        "ply 4, move 99: elapsed 100.0, credit 5.2, charged 94.8, lag 0.0 ms"
    )


def test_no_move_in_time() -> None:
    record = replace(FORFEIT, fault=Fault(4, None, 5.1, 0.1, 5.0, 0.0))
    assert texts(a_page(record), "details//dd")[2].startswith("ply 4, no move: elapsed 5100.0")


def test_the_moves_are_listed_without_a_script() -> None:
    (moves,) = all_of(a_page(WON), "pre")
    assert (moves.text or "").strip("\n") == sheet(WON)


def test_no_games() -> None:
    assert "No game has ended yet." in texts(EMPTY, "p")


def test_many_games_are_in_batches() -> None:
    page = a_page(*[WON] * (2 * BATCH + 1))
    batches = all_of(page, "div[@class='batch']")
    assert [len(batch) for batch in batches] == [BATCH, BATCH, 1]
    assert batches[2].get("style") == "--games:1"


def test_games_are_written_as_they_are_read() -> None:
    out = io.StringIO()
    written = []

    def games() -> Iterator[MatchRecord]:
        for _ in range(3 * BATCH):
            written.append(out.tell())
            yield WON

    write_page(out, replace(EMPTY, games=games()))
    assert 0 < written[0] < written[BATCH + 1] < written[2 * BATCH + 1]


def test_spent() -> None:
    assert spent(replace(WON, moves=(*MOVES, replace(MOVES[0], ply=2)))) == (0.06, 1.5)


def test_the_last_turn_was_spent_too() -> None:
    assert spent(replace(WON, fault=Fault(2, None, 5.1, 0.1, 5.0, 0.0))) == (5.03, 1.5)


def test_sheet() -> None:
    assert sheet(WON) == (
        " ply player   move   elapsed  credit   charged     lag\n"
        "   0      1      3      31.2     1.2      30.0     0.0\n"
        "   1      2      6    1500.0     0.0    1500.0    10.4"
    )


def test_sheet_with_an_opening() -> None:
    record = make_record(replace(make_pairing(), opening=(3, 6)), moves=(replace(MOVES[0], ply=2),))
    assert [line.split()[:4] for line in sheet(record).splitlines()[1:]] == [
        ["0", "1", "3", "."],
        ["1", "2", "6", "."],
        ["2", "1", "3", "31.2"],
    ]


# Names that would do harm


def hostile_page(name: str, other: str) -> Page:
    pairing = replace(make_pairing(players=(name, other)), setup={name: 7}, game=name)
    record = replace(make_record(pairing, termination=Termination.TIMEOUT), time_control=name)
    tables = {name: a_table([record, WON], accuracies={name: Accuracy(1, 1, 0)})}
    return Page(name, [(name, name)], tables, [record], [name], [(name, name)])


@settings(max_examples=10, deadline=None)
@example(*HOSTILE[:2])
@example(*HOSTILE[2:4])
@example(HOSTILE[4], "https://example.org")
@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=64),
    st.just("b"),
)
def test_a_name_is_never_more_than_a_name(name: str, other: str) -> None:
    tame = Counter(element.tag for element in all_of(hostile_page("a", "b"), "*"))
    elements = all_of(hostile_page(name, other), "*")
    assert Counter(element.tag for element in elements) == tame
    headers = [element for element in elements if element.get("class") == "name"]
    assert name in ["".join(bdi.itertext()) for header in headers for bdi in header]


def test_names_do_not_become_attributes() -> None:
    tame = {key for element in all_of(hostile_page("a", "b"), "*") for key in element.keys()}  # noqa: SIM118
    wild = {key for element in all_of(hostile_page(HOSTILE[4], "b"), "*") for key in element.keys()}  # noqa: SIM118
    assert wild == tame


# The drawing


def some_ratings(**elo: float) -> Ratings:
    """Ratings with a margin of 98 Elo each."""
    return Ratings(tuple(elo), elo, 0.0, np.diag([2500.0] * (len(elo) + 1)))


def drawn(**elo: float) -> Chart:
    return chart(some_ratings(**elo), [*elo])


def test_the_drawing_has_a_title_and_a_description() -> None:
    (svg,) = all_of(PAGE, "svg")
    named = {child.get("id"): child.tag for child in svg if child.get("id")}
    assert svg.get("role") == "img"
    assert [named[word] for word in svg.get("aria-labelledby", "").split()] == ["title", "desc"]


def test_the_drawing_has_its_texts_as_text() -> None:
    shown = texts(PAGE, "svg/text")
    assert {"0", "anna", "bert"} < {*shown}
    assert len([text for text in shown if "±" in text]) == 2


def test_ticks_are_round() -> None:
    assert [text for _, text in drawn(anna=400, bert=-400).ticks] == [
        *("-600", "-400", "-200", "0", "+200", "+400", "+600"),
    ]


def test_zero_is_not_drawn_where_it_is_far_away() -> None:
    assert [text for _, text in drawn(anna=2000).ticks] == [
        *("+1900", "+1950", "+2000", "+2050", "+2100"),
    ]


def test_a_drawing_of_one_point() -> None:
    ratings = replace(some_ratings(anna=0), covariance=np.zeros((2, 2)))
    assert [text for _, text in chart(ratings, ["anna"]).ticks] == ["0", "+1"]


def test_bars() -> None:
    one, two = drawn(anna=50, bert=-50).bars
    assert (one.label, one.value, one.y, two.y) == ("anna", "+50 ± 98", 0.5 * ROW, 1.5 * ROW)
    assert one.low < two.high
    assert one.elo - one.low == pytest.approx(one.high - one.elo, abs=0.2)


@given(st.lists(st.floats(-4000, 4000), min_size=1, max_size=30))
def test_everything_is_within_the_axis(elo: list[float]) -> None:
    drawing = drawn(**{f"bot{place}": rating for place, rating in enumerate(elo)})
    ticks = [x for x, _ in drawing.ticks]
    assert (ticks[0], ticks[-1]) == (drawing.left, drawing.left + PLOT)
    assert 2 <= len(ticks) <= TICKS + 1
    for bar in drawing.bars:
        assert drawing.left <= bar.low <= bar.elo <= bar.high <= drawing.right


def test_a_tall_drawing_has_its_axis_twice() -> None:
    few, many = (drawn(**{f"b{place}": 0.0 for place in range(bots)}) for bots in (TALL - 1, TALL))
    assert (len(few.axes), len(many.axes)) == (1, 2)
    assert many.bars[0].y == 1.5 * ROW


def test_a_long_name_is_cut() -> None:
    (bar,) = drawn(**{"x" * (LONGEST + 1): 0}).bars
    assert bar.label == "x" * (LONGEST - 1) + "…"


def test_wide_letters_take_more_room() -> None:
    assert drawn(棋棋=0).left == drawn(anna=0).left


@pytest.mark.parametrize(("chance", "strength"), [(0.0, 50), (0.5, 0), (0.75, 25), (1.0, 50)])
def test_heat(chance: float, strength: int) -> None:
    assert heat(chance) == strength
