"""Matches of people, in a real browser and a real arena."""

import re
import signal
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.model.results import Termination
from arena.storage.reader import DatabaseReader
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, is_too_wide, page_of, serve, site
from tests.support.servers.arena_command import COMMAND, Launch


@pytest.fixture
def arena(db: Path, launch: Launch) -> Site:
    return site(launch, db)


def ask_for(page: Page, opponent: str, stones: int = 7, side: str = "first") -> None:
    """Submit the challenge form."""
    page.get_by_label("Opponent").select_option(opponent)
    page.get_by_label("Number of stones").fill(str(stones))
    page.get_by_label(side, exact=True).check()
    page.get_by_role("button", name="Play").click()


def begin(
    visit: Visit, arena: Site, opponent: str, stones: int = 7, side: str = "first", **how: bool
) -> Page:
    """Start a match against a bot."""
    page = visit(f"{arena.page}#/play", **how)
    ask_for(page, opponent, stones, side)
    expect(page.locator(".controls")).to_be_visible()
    return page


def wait_for_turn(page: Page) -> bool:
    """Wait for our turn or the end of the match; return whether it is our turn."""
    expect(page.locator(".interactive .legal, .ending:not([hidden])").first).to_be_visible()
    return not page.locator(".ending").is_visible()


def play_to_the_end(page: Page) -> None:
    """Click the first legal stone until there is none."""
    while wait_for_turn(page):
        moves = page.locator(".moves li a").count()
        page.locator(".interactive .legal").first.click()
        expect(page.locator(".moves li a").nth(moves)).to_be_visible()


def test_a_whole_match_is_played_against_the_engine(arena: Site, visit: Visit) -> None:
    visit.may_lose_connection = True
    page = begin(visit, arena, "spec:4", stones=20)
    assert not accessibility_violations(page)
    play_to_the_end(page)
    expect(page.locator(".ending")).to_contain_text("cannot move")
    expect(page.locator(".badge", has_text="unrated")).to_be_visible()
    arena.stop()
    with DatabaseReader(arena.db) as records:
        [record] = records.matches(moves=True)
        assert record.result.termination is Termination.NO_LEGAL_MOVE
        assert record.pairing.casual
        assert records.tallies() == {}


def test_opponents_are_described(db: Path, visit: Visit, launch: Launch) -> None:
    offers = ("greedy", "spec:1", "spec:8@nodes=1000", "ann=random")
    page = visit(f"{site(launch, db, '--offer', *offers).page}#/play")
    texts = [
        "greedy: leaves you the fewest replies",
        "spec:1: searches 1 ply deep",
        "spec:8@nodes=1000: searches 8 plies deep, at most 1,000 nodes",
        "ann",
    ]
    for text in texts:
        expect(
            page.get_by_label("Opponent").get_by_role("option", name=text, exact=True)
        ).to_have_count(1)
    ask_for(page, "spec:8@nodes=1000")
    expect(page.locator(".controls")).to_be_visible()


SUBMISSION = Path(__file__).parents[1] / "data" / "submissions" / "python_right" / "take_stones.py"
FAILING = """
import sys
if sys.argv[2] != "0":
    sys.exit("<b>bad</b> luck")
print("Move: 1\\nValue: 0.0\\nNumber of Nodes Visited: 2\\nNumber of Nodes Evaluated: 1")
print("Max Depth Reached: 1\\nAvg Effective Branching Factor: 1.0")
"""


def test_programs_are_opponents(db: Path, tmp_path: Path, visit: Visit, launch: Launch) -> None:
    visit.may_lose_connection = True
    failing = tmp_path / "failing.py"
    failing.write_text(FAILING)
    offers = (f"ann=program:depth=2 python3 {SUBMISSION}", f"bob=program:python3 {failing}")
    arena = site(launch, db, "--sandbox", "off", "--offer", *offers)
    page = begin(visit, arena, "ann", stones=12)
    play_to_the_end(page)
    expect(page.locator(".ending")).to_contain_text("cannot move")
    expect(page.locator(".program-log")).to_be_hidden()
    page = begin(visit, arena, "bob", side="second")
    assert wait_for_turn(page)
    page.locator(".interactive .legal").first.click()
    expect(page.locator(".ending")).to_contain_text(
        "player 1 (bob) failed: python3 at depth 1 ended with status 1"
    )
    page.get_by_text("Output of the program").click()
    expect(page.locator(".program-log pre")).to_have_text("standard error:\n<b>bad</b> luck")


def test_a_match_is_played_with_the_keyboard_alone(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play")
    page.get_by_label("Your name").press("Enter")
    expect(page.locator(".controls")).to_be_visible()
    while wait_for_turn(page):
        moves = page.locator(".moves li a").count()
        page.locator("[role=gridcell][tabindex='0']").focus()
        page.keyboard.press("Control+Home")
        if not page.locator(":focus").evaluate("cell => cell.classList.contains('legal')"):
            page.keyboard.press("Control+ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".moves li a").nth(moves)).to_be_visible()


def test_a_name_is_checked_before_it_is_sent(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play")
    field, problem = page.get_by_label("Your name"), page.locator("#name-problem")
    for name, text in (
        ("Ann\u2800", "The name has an invisible character, U+2800."),
        ("x" * 65, "Expected 1 to 64 characters, got 65."),
    ):
        field.fill(name)
        expect(problem).to_contain_text(text)
        expect(field).to_have_attribute("aria-invalid", "true")
    assert not accessibility_violations(page)
    ask_for(page, "greedy")
    expect(field).to_be_focused()
    field.fill("\uff21nne\u0301 \u2764\ufe0f")
    expect(problem).to_have_text("")
    expect(page.get_by_text("You play as Ann\u00e9 \u2764.")).to_be_visible()
    field.fill("Ann\u00e9 \U0001f469\u200d\U0001f4bb")
    expect(page.get_by_text("You play as Ann\u00e9 \U0001f469\U0001f4bb.")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".controls")).to_be_visible()
    expect(page.get_by_text("Ann\u00e9 \U0001f469\U0001f4bb", exact=True).first).to_be_visible()


# Click a cell; return how many animations it has then.
SHAKES = "cell => { cell.click(); return cell.getAnimations().length; }"


def test_illegal_moves_are_explained(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "greedy")
    problem, field = page.locator(".controls .problem"), page.get_by_label("Your move")
    for text, reason in (
        ("2", "The first stone must be odd and below 3.5, which 2 is not."),
        ("8", "There is no stone 8."),
        ("two", "A move is the number of a stone, such as 12, not “two”."),
    ):
        field.fill(text)
        page.keyboard.press("Enter")
        expect(problem).to_have_text(reason)
    field.fill("3")
    page.keyboard.press("Enter")
    expect(page.locator(".moves li a")).to_have_count(2)  # the bot takes 6
    expect(problem).to_have_text("")
    wrong, taken = (page.get_by_role("gridcell", name=f"stone {stone},") for stone in (4, 6))
    wrong.click()
    expect(problem).to_have_text("4 is neither a factor nor a multiple of 6.")
    taken.click()
    expect(problem).to_have_text("6 is already taken.")
    assert wrong.evaluate(SHAKES) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert wrong.evaluate(SHAKES) == 1


def test_a_key_leads_from_one_legal_stone_to_the_next(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "perfect", stones=12)
    page.get_by_role("gridcell", name="stone 2,").focus()
    for key, stone in (("n", 3), ("n", 5), ("n", 1), ("Shift+N", 5), ("Control+ArrowLeft", 3)):
        page.keyboard.press(key)
        expect(page.locator(":focus")).to_have_text(str(stone))
    page.get_by_role("gridcell", name="stone 4,").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".controls .problem")).to_contain_text("4 is not.")


def test_a_move_can_be_taken_back(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "greedy")
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()
    page.get_by_role("gridcell", name="stone 3, free").click()
    expect(page.locator(".moves li a")).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".moves li a")).to_have_count(0)
    page.get_by_role("gridcell", name="stone 1, free").click()
    expect(page.locator(".moves li a").first).to_contain_text("1")


def test_a_hint_is_given(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "random", stones=24)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".stone.hint")).to_have_text("3")
    expect(page.locator(".controls")).to_contain_text("3 wins with perfect play.")


def test_a_match_can_be_resigned_and_played_again(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "random")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".stone.hint")).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.locator(".ending")).to_contain_text("resigned")
    expect(page.locator(".stone.hint")).to_have_count(0)
    expect(page.locator(".controls")).not_to_contain_text("No move wins")
    page.get_by_role("button", name="Play again").click()
    expect(page).to_have_url(re.compile("#/match/2$"))
    expect(page.locator(".player .badge")).to_have_text("you")
    expect(page.locator(".player").nth(1)).to_contain_text("you")


def test_a_reload_continues_the_match(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "greedy")
    page.get_by_role("gridcell", name="stone 3, free").click()
    expect(page.locator(".moves li a")).to_have_count(2)
    page.reload()
    assert wait_for_turn(page)
    page.locator(".interactive .legal").first.click()
    expect(page.locator(".moves li a").nth(2)).to_be_visible()


def test_a_person_can_play_second(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "perfect", side="second")
    assert wait_for_turn(page)
    expect(page.locator(".player").nth(1)).to_contain_text("you")


def test_isolation_is_played_against_a_bot(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play", phone=True)
    page.get_by_label("Game").select_option("Isolation")
    page.get_by_label("Size of the board").fill("6")
    page.get_by_label("Opponent").select_option("spec:1")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("grid", name="6 by 6 squares").get_by_role("row")).to_have_count(6)
    for _ in range(3):
        expect(page.locator(".interactive .square.legal").first).to_be_visible()
        moves = page.locator(".moves li a").count()
        page.locator(".interactive .square.legal").first.click()
        expect(page.locator(".moves li a").nth(moves + 1)).to_be_visible()
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def two_people(arena: Site, visit: Visit, stones: int = 7, **how: bool) -> tuple[Page, Page]:
    """Start a match of Ann, who invites a friend by a link, and Bob."""
    host = visit(f"{arena.page}#/play", **how)
    host.get_by_label("Your name").fill("Ann")
    ask_for(host, "a friend: by a link that you share", stones)
    friend = visit(host.get_by_label("Link to the match").input_value(), **how)
    friend.get_by_label("Your name").fill("Bob")
    friend.get_by_role("button", name="Accept").click()
    for page in (host, friend):
        expect(page.locator(".controls")).to_be_visible()
    return host, friend


def test_two_people_play_by_sharing_a_link(arena: Site, visit: Visit) -> None:
    host, friend = two_people(arena, visit, 200, phone=True)
    friend.get_by_role("switch", name="Only the latest and the legal stones").check()
    for page, stone in ((host, 3), (friend, 6), (host, 2)):
        expect(page.locator(".interactive")).to_have_count(1)
        page.locator(".stone.legal:visible").get_by_text(str(stone), exact=True).click()
        expect(host.locator(".moves li a .name").last).to_have_text(str(stone))
    host.get_by_role("button", name="Take back").click()
    accept = friend.get_by_role("button", name="Accept")
    friend.get_by_role("switch", name="Only the latest and the legal stones").uncheck()
    friend.evaluate("scrollTo(0, 0)")
    expect(accept).to_be_in_viewport(ratio=1)
    assert not accessibility_violations(friend)
    accept.click()
    expect(friend.locator(".moves li a")).to_have_count(2)
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("button", name="Really resign?").click()
    expect(host.locator(".ending")).to_contain_text("Ann wins")


# An arena in which a disconnected player has hours, and a claim is possible at once or after one of
# them: a slow machine does not reach their end.
PATIENT = """
import sys
from arena.__main__ import main
from arena.match import referee
from arena.server import match_runner
referee.CLAIM_SHARE = {claim_share}
match_runner.CASUAL_GRACE = 7200.0
sys.exit(main())
"""


def patient_arena(db: Path, launch: Launch, claim_share: float) -> Site:
    command = [sys.executable, "-c", PATIENT.format(claim_share=claim_share)]
    return serve(launch, command, db, "--stones", "7")


def test_a_friend_leaves(db: Path, visit: Visit, launch: Launch) -> None:
    host, friend = two_people(patient_arena(db, launch, 0.0), visit)
    friend.context.close()
    expect(host.locator(".request", has_text="Bob left, you win in ")).to_be_visible()
    expect(host.get_by_role("button", name="Claim the win")).to_be_visible()
    host.get_by_role("button", name="Call the match off").click()
    ending = "No winner: called off: player 2 (Bob) was disconnected"
    expect(host.locator(".ending")).to_contain_text(ending)
    expect(host.get_by_text("Bob left")).to_be_hidden()


def test_a_friend_returns(db: Path, visit: Visit, launch: Launch) -> None:
    host, friend = two_people(patient_arena(db, launch, 0.5), visit)
    friend.goto("about:blank")
    left = host.locator(".request", has_text=re.compile(r"Bob left, waiting \d+:\d\d"))
    expect(left).to_be_visible()
    expect(host.get_by_role("button", name="Claim the win")).to_be_hidden()
    assert not accessibility_violations(host)
    friend.goto(host.url)
    expect(host.locator(".request", has_text="Bob left")).to_be_hidden()
    host.get_by_role("gridcell", name="stone 3, free, legal").click()
    friend.get_by_role("gridcell", name="stone 6, free, legal").click()
    expect(host.locator(".moves li a")).to_have_count(2)


def test_a_friend_looks_at_another_view(arena: Site, visit: Visit) -> None:
    host, friend = two_people(arena, visit)
    host.get_by_role("gridcell", name="stone 3, free, legal").click()
    expect(friend).to_have_title("Your move: Ann \u2013 Bob · Arena")
    friend.get_by_role("link", name="Analysis").click()
    link = friend.get_by_role("link", name="Your move")
    expect(link).to_be_visible()
    assert not accessibility_violations(friend)
    expect(host.get_by_text("Waiting for your opponent: the clock decides in ")).to_be_visible()
    link.click()
    expect(link).to_be_hidden()
    friend.get_by_role("gridcell", name="stone 6, free, legal").click()
    expect(host.locator(".moves li a")).to_have_count(2)
    friend.get_by_role("link", name="Rules").click()
    expect(friend.get_by_role("link", name="Back to your match")).to_be_visible()


def test_a_challenge_says_what_it_offers_until_it_is_taken(arena: Site, visit: Visit) -> None:
    host = visit(f"{arena.page}#/play")
    host.get_by_label("Your name").fill("Ann")
    host.get_by_label("Clock").select_option("3 minutes + 2 s a move")
    ask_for(host, "a friend: by a link that you share", stones=20)
    shared = host.get_by_label("Link to the match")
    expect(shared).to_be_focused()
    link = shared.input_value()
    friend, third = (visit(link, phone=True) for _ in range(2))
    for page in (friend, third):
        for text in ("Ann challenges you", "Take-Stones", "20", "second", "3 minutes + 2 s a move"):
            expect(page.locator(".play-form").get_by_text(text, exact=False).first).to_be_visible()
    assert not accessibility_violations(friend)
    friend.get_by_role("button", name="Accept").click()
    expect(friend.locator(".controls")).to_be_visible()
    expect(friend.locator(".match-head")).to_contain_text("20 stones · 3 minutes + 2 s a move")
    third.get_by_role("button", name="Accept").click()
    for page in (third, visit(link)):
        expect(page.get_by_role("alert")).to_contain_text("no longer open")
        expect(page.get_by_role("button", name="Accept")).to_have_count(0)
    assert not accessibility_violations(third)


def test_a_name_in_use_is_rejected(arena: Site, visit: Visit) -> None:
    for place in range(2):
        page = visit(f"{arena.page}#/play")
        page.get_by_label("Your name").fill("Ann")
        page.get_by_role("button", name="Play").click()
        if place:
            expect(page.get_by_role("alert").last).to_contain_text("choose another")
        else:
            expect(page.locator(".controls")).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_form_is_accessible(arena: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{arena.page}#/play", phone=phone, dark=phone)
    expect(page.get_by_label("Opponent")).to_be_visible()
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_a_match_with_a_clock_can_be_lost_on_time(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play")
    page.evaluate(
        "import('/play/player_connection.js').then(({ player }) =>"
        " player.challenge('Ann', ['take_stones'],"
        " { game: 'take_stones', setup: { stones: 7 }, you: 1, opponent: 'random', time: '0.5' }))"
    )
    expect(page.locator(".ending")).to_contain_text("Ann) has used up its time")


def test_a_match_ends_with_the_arena(arena: Site, visit: Visit, launch: Launch) -> None:
    visit.may_lose_connection = True
    page = begin(visit, arena, "random")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".stone.hint")).to_be_visible()
    arena.stop(signal.SIGKILL)
    expect(page.locator("#status")).to_contain_text("Disconnected")
    db = arena.db.with_name("other.db")  # which the match is not in
    page_of(launch(*COMMAND, "serve", "--db", db, "--port", arena.port, "--stones", "7"))
    ending = "The arena restarted; this match was not finished."
    expect(page.locator(".ending")).to_have_text(ending)
    expect(page.locator(".ending")).to_have_class(re.compile("undecided"))
    expect(page.locator(".match-head .badge").first).to_have_text("not finished")
    for name in ("Hint", "Take back", "Resign"):
        expect(page.get_by_role("button", name=name)).to_be_hidden()
    expect(page.locator(".interactive, .stone.hint")).to_have_count(0)
    assert not accessibility_violations(page)
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".match-head .badge").first).to_have_text("live")
    expect(page.locator(".player").nth(1)).to_contain_text("you")
