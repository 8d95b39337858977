"""Links to matches and pictures of them, in a real browser."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Download, Page, expect

from tests.support.page.browser import Visit
from tests.support.page.sites import (
    HOSTILE,
    HUNDRED,
    ISOLATION,
    LONG_NAMES,
    SEVEN,
    SHORT,
    Site,
    check_layout,
)

# Decodes an animated picture as browsers do: the milliseconds and some pixels of frames.
DECODE = """
async ([content, points]) => {
  const READ = { willReadFrequently: true };
  const data = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  await decoder.tracks.ready;
  await decoder.completed;
  const { frameCount, repetitionCount } = decoder.tracks.selectedTrack;
  const frames = [];
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const context = new OffscreenCanvas(480, 488).getContext("2d", READ);
    context.drawImage(image, 0, 0);
    const pixels = points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]);
    frames.push({ duration: image.duration / 1000, pixels });
  }
  return { frames, repeats: repetitionCount === Infinity };
}
"""


def save(page: Page, name: str) -> Download:
    page.locator("details.share:not([open]) summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return download.value


def decoded(page: Page, gif: bytes, *points: tuple[int, int]) -> dict[str, Any]:
    content = base64.b64encode(gif).decode()
    return page.evaluate(DECODE, [content, points])  # type: ignore[no-any-return]


def test_a_link_leads_to_the_match(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}match/{SEVEN}/2")
    expect(page.locator(".stone.taken")).to_have_count(2)
    expect(page).to_have_url(f"{stored.page}#/match/{SEVEN}/2")
    expect(page).to_have_title(re.compile("^ann . bob · Arena$"))
    page.get_by_role("link", name="Results").click()
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    page.go_back()
    expect(page.locator(".stone.taken")).to_have_count(2)


@pytest.mark.parametrize("match", [ISOLATION, HOSTILE, LONG_NAMES])
def test_a_position_is_saved_as_png(stored: Site, visit: Visit, tmp_path: Path, match: int) -> None:
    page = visit(f"{stored.page}#/match/{match}/1")
    download = save(page, "PNG")
    assert download.suggested_filename == f"match-{match}-1.png"
    download.save_as(tmp_path / "position.png")
    png = (tmp_path / "position.png").read_bytes()
    assert (png[1:4], png[16:24].hex()) == (b"PNG", "000004b000000276")


@pytest.mark.parametrize("dark", [False, True])
def test_a_game_is_saved_as_gif(stored: Site, visit: Visit, tmp_path: Path, dark: bool) -> None:
    page = visit(f"{stored.page}#/match/{SEVEN}/2", dark=dark)
    download = save(page, "GIF")
    assert download.suggested_filename == f"match-{SEVEN}.gif"
    download.save_as(tmp_path / "game.gif")
    found = decoded(page, (tmp_path / "game.gif").read_bytes(), (2, 2), (24, 27))
    assert found["repeats"]
    frames = found["frames"]
    assert [frame["duration"] for frame in frames] == [*[700] * len(SHORT), 3000]
    ground, mark = ([26, 33, 40], [87, 184, 217]) if dark else ([255, 254, 251], [15, 114, 153])
    for frame in frames:
        assert [pixel[:3] for pixel in frame["pixels"]] == [ground, mark]


def test_the_buttons_fit_a_phone(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{HUNDRED}", phone=True, dark=True)
    page.get_by_text("Share", exact=True).click()
    group = page.get_by_role("group", name="Save a picture")
    expect(group.get_by_role("button")).to_have_text(["SVG", "PNG", "GIF"])
    check_layout(page)
