"""Other ways to use the page: a screen reader, fingers, and little motion."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.page.browser import Visit, settle
from tests.support.page.sites import HUNDRED, Site, site
from tests.support.servers.arena_command import Launch

# Everything that a screen reader announces by itself, in its order.
LISTEN = """() => {
  window.announced = [];
  const spoken = node => {
    const copy = node.cloneNode(true);
    for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return copy.textContent.trim();
  };
  new MutationObserver(changes => {
    for (const { target } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      const region = element?.closest("[role=status], [role=alert], [aria-live]");
      if (!region) continue;
      const text = spoken(region);
      if (text && text !== announced.at(-1)) announced.push(text);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def take(page: Page, name: str) -> None:
    """Take the stone with a name for screen readers."""
    page.get_by_role("gridcell", name=name, exact=True).click()


def begin(page: Page) -> None:
    """Begin a match on seven stones, in which the bot answers 3, 2 and 1 with 6, 4 and 5."""
    page.get_by_label("Opponent").select_option("greedy")
    page.get_by_label("Number of stones").fill("7")
    page.get_by_label("first", exact=True).check()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".interactive .legal").first).to_be_visible()


def test_a_screen_reader_tells_a_whole_game(db: Path, visit: Visit, launch: Launch) -> None:
    page = visit(f"{site(launch, db).page}#/play")
    page.evaluate(LISTEN)
    begin(page)
    board = page.get_by_role("region", name="Board")
    line = board.get_by_role("status")
    first = "Your move: an odd stone below 3.5"
    expect(line).to_have_text(first)
    expect(page.locator(".match > [aria-live]")).to_have_text(first)
    expect(board.get_by_role("grid")).to_match_aria_snapshot("""
      - grid "7 stones, row by row":
        - row:
          - 'gridcell "stone 1, free, legal: odd and below 3.5"'
          - gridcell "stone 2, free"
          - 'gridcell "stone 3, free, legal: odd and below 3.5"'
          - gridcell "stone 4, free"
          - gridcell "stone 5, free"
          - gridcell "stone 6, free"
          - gridcell "stone 7, free"
    """)
    take(page, "stone 3, free, legal: odd and below 3.5")
    expect(line).to_have_text("Your move: a factor or a multiple of 6")
    take(page, "stone 2, free, legal: factor of 6")
    take(page, "stone 1, free, legal: factor of 4")
    expect(line).to_have_text("You lost: no factor or multiple of 5 is left")
    expect(board.get_by_role("grid")).to_match_aria_snapshot("""
      - grid "7 stones, row by row":
        - row:
          - gridcell "stone 1, taken by player 1 as move 5"
          - gridcell "stone 2, taken by player 1 as move 3"
          - gridcell "stone 3, taken by player 1 as move 1"
          - gridcell "stone 4, taken by player 2 as move 4"
          - gridcell "stone 5, taken by player 2 as move 6, the last"
          - gridcell "stone 6, taken by player 2 as move 2"
          - gridcell "stone 7, free"
    """)
    moves = page.get_by_role("navigation", name="Moves")
    expect(moves.get_by_role("link")).to_have_count(6)
    expect(page.get_by_text("move 6 of 6: greedy, 5")).to_have_count(1)
    announced = page.evaluate("announced")
    # The last move may arrive before the result, and leave no reply.
    lines = [text for text in announced if text.startswith("You") and not text.endswith("of 5")]
    assert lines == [
        first,
        "Your move: a factor or a multiple of 6",
        "Your move: a factor or a multiple of 4",
        "You lost: no factor or multiple of 5 is left",
    ]
    assert announced[-1] == "move 6 of 6: greedy, 5"


def test_a_finger_scrolls_over_the_board_and_takes_no_stone(
    db: Path, visit: Visit, launch: Launch
) -> None:
    page = visit(f"{site(launch, db).page}#/play", phone=True)
    begin(page)
    legal = page.get_by_role("gridcell", name="stone 3, free, legal")
    settle(page)
    box = legal.bounding_box()
    assert box
    start = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    client = page.context.new_cdp_session(page)
    gesture = {**start, "yDistance": -200, "gestureSourceType": "touch"}
    client.send("Input.synthesizeScrollGesture", gesture)
    expect(page.locator(".moves li a")).to_have_count(0)
    legal.tap()
    expect(page.locator(".moves li a")).to_have_count(2)


def test_the_slider_of_a_replay_is_dragged(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{HUNDRED}/0")
    slider = page.get_by_role("slider", name="Move")
    settle(page)
    box = slider.bounding_box()
    assert box
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, y, steps=4)
    page.mouse.up()
    expect(slider).to_have_value(re.compile(r"^1[0-6]$"))


@pytest.mark.parametrize("address", ["", "?present", "#/tables", f"#/match/{HUNDRED}", "#/rules"])
def test_little_motion_is_respected(stored: Site, visit: Visit, address: str) -> None:
    page = visit(stored.page + address)
    expect(page.locator("h1, h2").first).to_be_visible()
    assert page.evaluate("document.getAnimations().length") == 0
    moving = "element => parseFloat(getComputedStyle(element).transitionDuration) > 0"
    assert not page.evaluate(f"[...document.querySelectorAll('*')].some({moving})")
