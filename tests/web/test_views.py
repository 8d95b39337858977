"""Every view in Chromium: what the fast part of the tests sees of the page in a browser."""

import pytest
from playwright.sync_api import expect

from tests.support.page.browser import Visit
from tests.support.page.sites import VIEWS, Site, is_too_wide


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_every_view_is_shown(stored: Site, visit: Visit, phone: bool) -> None:
    page = visit(stored.page, phone=phone)
    for address, shown in VIEWS:
        page.evaluate("address => { location.hash = address }", address)
        expect(page.locator(shown).first).to_be_visible()
        assert not is_too_wide(page), address
