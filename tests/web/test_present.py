"""The page on a big screen, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.page.browser import Visit, settle
from tests.support.page.sites import Site, check_layout, guests, site
from tests.support.servers.arena_command import Launch


def test_it_fits_every_screen(stored: Site, visit: Visit) -> None:
    for phone in (False, True):
        page = visit(stored.page + "?present", phone=phone, dark=phone)
        expect(page.locator(".slide:visible tbody tr").first).to_be_visible()
        check_layout(page)


@pytest.mark.parametrize("stones", [7, 100])
def test_a_match_fits_a_phone(db: Path, visit: Visit, launch: Launch, stones: int) -> None:
    arena = site(launch, db, "--stones", stones)
    page = visit(arena.page + "?present=tv", phone=True)
    with guests(arena.play, "ann", "bob") as (ann, _):
        ann.turn()
        slide = page.locator(".live-slide")
        expect(slide.locator(".stone")).to_have_count(stones)
        for part in slide.locator(".board-frame"), slide.locator(".players"):
            expect(part).to_be_visible()
            settle(page)
            box = part.bounding_box()
            assert box
            assert box["width"] > 0
            assert box["y"] + box["height"] <= 844
        view_box = str(slide.locator("svg.chain").get_attribute("viewBox"))
        assert "-" not in view_box
