"""The pages of bots, in a real browser."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from arena.model.info import Info
from arena.model.results import MatchResult, Pairing, Termination
from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import (
    SCRIPT,
    SHORT,
    Site,
    guests,
    is_too_wide,
    site,
    store_match,
)
from tests.support.servers.arena_command import Launch, launcher
from tests.support.tournaments.databases import store_record
from tests.support.tournaments.records import make_record

STONES = "take_stones"
STRANGE = ("a/b?c#d", "100 %", "..", "%2F", "a&b=c", SCRIPT, "\u0627 \u05d1", "'")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena with matches of ann: in two games, on two setups, one lost on time."""
    db = tmp_path_factory.mktemp("archive") / "arena.db"
    with DatabaseWriter(db) as writer:
        infos = {0: Info(depth=5, nodes=1234)}
        store_match(writer, ("ann", "bob"), STONES, {"stones": 7}, SHORT, infos=infos)
        store_match(writer, ("bob", "ann"), STONES, {"stones": 7}, SHORT)
        store_match(writer, ("bob", "ann"), STONES, {"stones": 9}, SHORT)
        store_match(writer, ("eve", "ann"), STONES, {"stones": 20}, [5, 10])
        late = MatchResult(Termination.TIMEOUT, 2, "player 1 (ann) is out of time")
        store_match(writer, ("ann", "eve"), STONES, {"stones": 7}, [3, 6], late)
        store_match(writer, ("ann", "bob"), "isolation", {}, [])
        for name in STRANGE:
            store_match(writer, (name, "bob"), STONES, {"stones": 7}, SHORT)
        casual = Pairing(None, ("guest", "bob"), STONES, {"stones": 7}, casual=True, time="5+0")
        store_record(writer, make_record(casual))
    with launcher() as launch:
        yield site(launch, db)


def address(name: str) -> str:
    return f"#/bot/{quote(name, safe='')}"


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_bot_has_its_rating_and_its_results(archive: Site, visit: Visit, phone: bool) -> None:
    page = visit(archive.page + address("ann"), phone=phone, dark=phone)
    expect(page.get_by_role("heading", level=1)).to_have_text("ann")
    expect(page).to_have_title("ann · Arena")
    stones = page.locator(".bot-game").filter(has=page.get_by_role("heading", name="Take-Stones"))
    numbers = stones.locator(".bot-numbers")
    expect(numbers).to_contain_text("5 matches: 3 won, 2 lost")
    expect(numbers).to_contain_text(re.compile(r"Rank=?\d+ of 11"))
    expect(numbers).to_contain_text("60 % (95 %: 23\u201388 %)")
    expect(numbers).to_contain_text("Forfeits1 timeout")
    expect(stones.get_by_role("img", name=re.compile("Ratings in Elo"))).to_be_visible()
    sides = stones.get_by_role("region", name="Results of ann in Take-Stones by side").locator(
        "tbody tr"
    )
    expect(sides).to_have_count(3)
    drawing = [] if phone else [""]
    for row, share, results in (
        (1, ["2", "0 %", "0\u201366 %"], ["0", "2"]),
        (2, ["3", "100 %", "44\u2013100 %"], ["3", "0"]),
    ):
        cells = [*share, *drawing, *results]
        expect(sides.nth(row).get_by_role("cell")).to_have_text(cells)
    setups = stones.get_by_role("region", name="Results of ann in Take-Stones by setup").locator(
        "tbody th"
    )
    expect(setups).to_have_text(["7 stones", "9 stones", "20 stones"])
    expect(stones.get_by_text("Lost on time: 1 match.")).to_be_visible()
    expect(stones).to_contain_text("depth 5 and 1,234 nodes in the median")
    expect(page.locator(".bot-game")).to_have_count(2)
    expect(page.locator(".skeleton")).to_have_count(0)
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_results_lead_to_their_matches(archive: Site, visit: Visit) -> None:
    page = visit(archive.page + address("ann"))
    opponents = page.get_by_role(
        "region", name="Results of ann in Take-Stones against each opponent"
    )
    row = opponents.get_by_role("row").filter(has_text="eve")
    row.get_by_role("link", name="2", exact=True).click()
    expect(page.locator(".played-games li")).to_have_count(2)
    page.go_back()
    setups = page.get_by_role("region", name="Results of ann in Take-Stones by setup")
    setups.get_by_role("row").filter(has_text="9 stones").get_by_role("link").click()
    expect(page.locator(".played-games li")).to_have_count(1)
    page.go_back()
    page.get_by_role("link", name="1 match", exact=True).first.click()
    expect(page.locator(".played-games li")).to_have_count(1)
    page.go_back()
    opponents.get_by_role("link", name="bob").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("bob")


def test_a_win_given_up_leads_to_its_move(archive: Site, visit: Visit) -> None:
    page = visit(archive.page + address("ann"))
    slips = page.locator(".lost-wins li")
    expect(slips.first).to_contain_text("gave up the win")  # once its matches are analysed
    slip = slips.first.get_by_role("link").first
    match, move = re.findall(r"\d+", slip.inner_text())
    slip.click()
    expect(page).to_have_url(re.compile(f"#/match/{match}/{move}$"))
    expect(page.get_by_role("button", name="blunder")).not_to_have_count(0)


@pytest.mark.parametrize("name", STRANGE)
def test_any_name_has_a_page(archive: Site, visit: Visit, name: str) -> None:
    page = visit(f"{archive.page}#/tables")
    link = page.locator(".standings a").filter(has_text=name)
    page.locator(".standings").get_by_role("link", name=name, exact=True).click()
    expect(link).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.locator(".bot-numbers")).to_contain_text("1 match: 0 won, 1 lost")
    assert page.locator("main script").count() == 0
    expect(page.locator(".results li")).to_have_count(1)


def test_the_results_by_side_fit_on_a_phone(stored: Site, visit: Visit) -> None:
    table = visit(stored.page + address("ann"), phone=True).locator(".score-frame").first
    expect(table).to_be_visible()
    assert table.evaluate("frame => frame.scrollWidth <= frame.clientWidth")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_an_unknown_name_is_reported(archive: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{archive.page}#/bot/AN", phone=phone, dark=phone)
    note = page.get_by_role("status")
    expect(note.last).to_contain_text("Nobody of this name has finished a match here.")
    assert not is_too_wide(page)
    assert not accessibility_violations(page)
    note.last.get_by_role("link", name="ann").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("ann")
    page.goto(f"{archive.page}#/bot/{'x' * 5000}")
    expect(note.last).to_contain_text("Nobody of this name has finished a match here.")
    expect(note.last.get_by_role("link")).to_have_count(1)
    page.goto(f"{archive.page}#/bot/")
    expect(page.locator("main")).to_contain_text("A bot has a name")


def test_a_player_without_rated_matches_has_its_others(archive: Site, visit: Visit) -> None:
    page = visit(archive.page + address("guest"))
    expect(page.get_by_role("status").last).to_contain_text("no rated match yet")
    expect(page.locator(".results li")).to_contain_text("guest beat bob")


@pytest.mark.parametrize(
    ("view", "link"),
    [
        ("#/tables", ".standings tbody a"),
        ("#/tables", ".cross thead a"),
        ("#/tables", ".cross tbody th a"),
        ("#/games", ".played-games .bot-link"),
        ("", ".results .bot-link"),
        ("", ".aside tbody a"),
        ("#/match/1", ".player a"),
    ],
)
def test_names_lead_to_bots(archive: Site, visit: Visit, view: str, link: str) -> None:
    page = visit(archive.page + view)
    name = page.locator(link).first
    text = name.locator("bdi").text_content()
    assert text
    name.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(text)
    expect(page).to_have_url(re.compile("#/bot/"))


def test_a_followed_bot_is_marked(archive: Site, visit: Visit) -> None:
    page = visit(archive.page + address("eve"))
    button = page.get_by_role("button", name="Follow")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.goto(f"{archive.page}#/tables")
    expect(page.locator(".standings .followed")).to_have_count(1)
    row = page.locator(".standings tbody tr").filter(has=page.locator(".followed"))
    expect(row.locator("bdi")).to_have_text("eve")
    assert not accessibility_violations(page)
    page.reload()
    expect(page.locator(".standings .followed")).to_have_count(1)
    page.goto(archive.page + address("eve"))
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    page.goto(f"{archive.page}#/tables")
    expect(row).to_have_count(0)
    expect(page.locator(".standings tbody tr").first).to_be_visible()


def test_what_else_is_stored_does_not_matter(archive: Site, visit: Visit) -> None:
    page = visit(archive.page + address("eve"))
    button = page.get_by_role("button", name="Follow")
    for stored in ("{", "3", "[1, null]"):
        page.evaluate("text => localStorage.setItem('followed', text)", stored)
        page.reload()
        expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    assert page.evaluate("localStorage.getItem('followed')") == '["eve"]'


def test_matches_of_followed_bots_come_first(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db, "--time", "600+0")
    page = visit(arena.page + address("fay"))
    note = page.get_by_role("status").last
    expect(note).to_contain_text("Nobody of this name")
    page.get_by_role("button", name="Follow").click()
    with guests(arena.play, "ann", "bob") as (ann, _):
        ann.turn()  # their match has begun
        with guests(arena.play, "eve", "fay") as (eve, _):
            eve.turn()
            cards = page.locator(".live-card")
            expect(cards).to_have_count(1)  # on the page of fay
            expect(cards).to_contain_text("fay★")
            expect(page.get_by_role("heading", name="Playing now")).to_be_visible()
            page.goto(arena.page)
            expect(cards).to_have_count(2)
            expect(cards.first).to_contain_text("fay★")
            page.goto(f"{arena.page}?present=tv")
            expect(page.locator(".live-slide .player bdi")).to_have_text(["eve", "fay"])


def test_a_live_match_ends_on_the_page(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db, "--time", "3600/move")  # the next match goes on all the time
    page = visit(arena.page + address("bob"))
    with guests(arena.play, "ann", "bob") as (ann, bob):
        card = page.get_by_role("link", name="ann against bob")
        expect(card).to_be_visible()
        for player, move in zip([ann, bob] * 3, SHORT, strict=True):
            player.take(move)
        expect(page.locator(".bot-numbers")).to_contain_text("1 won, 0 lost")
        expect(page.locator(".results li").first).to_contain_text("bob beat ann")
        visit.may_lose_connection = True
        arena.stop(signal.SIGKILL)
    expect(page.get_by_text("Disconnected")).to_be_visible()
    site(launch, db, "--port", arena.port)
    expect(page.get_by_text("Disconnected")).to_be_hidden()
    expect(page.locator(".bot-numbers")).to_contain_text("1 won, 0 lost")
