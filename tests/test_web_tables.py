"""The standings in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from arena.store import Store
from tests.arena_command import COMMAND, UNMEASURED, started, url
from tests.browser import Visit, accessibility_faults
from tests.web import SCRIPT, SHORT, fill, is_too_wide, keep, site


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_table_shows_ratings_and_meetings(db: Path, visit: Visit, phone: bool) -> None:
    fill(db)
    with site(db) as here:
        page = visit(f"{here.page}#/tables", phone=phone, dark=phone)
        stones = page.locator("main section").filter(has_text="Take-Stones")
        expect(stones.locator(".standings tbody tr")).to_have_count(5)
        expect(stones).to_contain_text("accuracies are from 5 of them")
        expect(stones).to_contain_text("First move: ")
        expect(page.locator("main section").filter(has_text="Isolation")).to_contain_text("1 match")
        expect(stones.locator(".standings")).to_contain_text(SCRIPT)
        assert page.locator("main script").count() == 0
        assert not is_too_wide(page)
        assert not accessibility_faults(page)


def test_a_table_without_matches_says_so(db: Path, visit: Visit) -> None:
    with site(db) as here:
        page = visit(f"{here.page}#/tables")
        expect(page.locator("main")).to_contain_text("No match that counts has ended yet.")


def test_many_bots_have_a_table(db: Path, visit: Visit) -> None:
    bots = [f"bot {number}" for number in range(40)]
    with Store(db) as store:
        for one, two in zip(bots, [*bots[1:], bots[0]], strict=True):
            keep(store, (one, two), "take_stones", {"stones": 7}, SHORT)
    with site(db) as here:
        page = visit(f"{here.page}#/tables")
        expect(page.locator(".standings tbody tr")).to_have_count(40)
        assert not is_too_wide(page)
        assert not accessibility_faults(page)


def test_what_the_format_has_to_show_is_shown(db: Path, visit: Visit) -> None:
    command = [*COMMAND, "tournament", "--bots", "random", "external:guest", "--format", "knockout"]
    with started(*command, "--stones", "7", "--db", db, "--plain", env=UNMEASURED) as process:
        page = visit(f"{url(process).replace('ws:', 'http:').replace('play', '')}#/tables")
        expect(page.get_by_role("heading", name="Bracket")).to_be_visible()
        expect(page.locator("pre")).to_contain_text("guest")
