"""Links to matches and pictures of them, in a real browser."""

import base64
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Download, Page, expect

from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import (
    HOSTILE,
    HUNDRED,
    ISOLATION,
    LONG_NAMES,
    SEVEN,
    SHORT,
    Site,
    is_too_wide,
)

# Decodes an animated picture as browsers do: the size, the milliseconds and some pixels of frames.
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
    const { displayWidth: width, displayHeight: height, duration } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d", READ);
    context.drawImage(image, 0, 0);
    const pixels = points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data]);
    frames.push({ size: [width, height], duration: duration / 1000, pixels });
  }
  return { frames, repeats: repetitionCount === Infinity };
}
"""

# Encodes frames with many colours and long runs, and returns the file.
ENCODE = """
async ([width, height, count]) => {
  const { GifEncoder } = await import("/match/gif_encoder.js");
  const frames = Array.from({ length: count }, (_, frame) => {
    const pixels = new Uint8ClampedArray(4 * width * height);
    for (let at = 0; at < width * height; at++) {
      // 216 colours in an order without a pattern, other ones in the last rows of each frame
      const isNew = at >= width * (height - frame);
      const colour = (Math.imul(at + 7 * frame * isNew, 2654435761) >>> 8) % 216;
      const levels = [colour % 6, ((colour / 6) | 0) % 6, (colour / 36) | 0];
      pixels.set([...levels.map(level => 51 * level), 255], 4 * at);
    }
    return pixels;
  });
  const encoder = new GifEncoder(width, height, frames);
  for (const pixels of frames) encoder.add(pixels, 10);
  const points = [[0, 0], [1, 0], [width - 1, height - 1], [width >> 1, height >> 1]];
  const wanted = frames.map(pixels =>
    points.map(([x, y]) => [...pixels.slice(4 * (y * width + x), 4 * (y * width + x) + 4)]),
  );
  let text = "";
  for (const byte of encoder.finish()) text += String.fromCharCode(byte);
  return [btoa(text), points, wanted];
}
"""


def save(page: Page, name: str) -> Download:
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
    page.get_by_role("link", name="Matches").click()
    expect(page.get_by_role("heading", name="Matches")).to_be_visible()
    page.go_back()
    expect(page.locator(".stone.taken")).to_have_count(2)


def test_the_copied_link_leads_to_the_position(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{SEVEN}/4")
    page.get_by_role("button", name="Link").click()
    expect(page.get_by_text("Copied: link.")).to_be_visible()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    expect(page.locator(".stone.taken")).to_have_count(4)


def test_a_position_is_saved_as_svg(stored: Site, visit: Visit, tmp_path: Path) -> None:
    page = visit(f"{stored.page}#/match/{SEVEN}/2")
    download = save(page, "SVG")
    assert download.suggested_filename == f"match-{SEVEN}-2.svg"
    download.save_as(tmp_path / "position.svg")
    root = ElementTree.parse(tmp_path / "position.svg").getroot()
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"ann", "bob", "After move 2 of 6"} <= {*texts}


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
    assert len(frames) == len(SHORT) + 1
    assert {tuple(frame["size"]) for frame in frames} == {(480, 488)}
    assert [frame["duration"] for frame in frames] == [*[700] * len(SHORT), 3000]
    ground, mark = ([26, 33, 40], [87, 184, 217]) if dark else ([255, 254, 251], [15, 114, 153])
    for frame in frames:
        assert [pixel[:3] for pixel in frame["pixels"]] == [ground, mark]
    expect(page.locator(".picture-files [role=status]")).to_be_empty()


def test_a_long_game_has_fewer_frames(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}icon.svg")
    plies = page.evaluate(
        "async () => { const { shownPlies } = await import('/match/film.js');"
        " return [0, 1, 149, 150, 1000].map(shownPlies); }"
    )
    assert [len(shown) for shown in plies] == [1, 2, 150, 76, 144]
    for shown, last in zip(plies, [0, 1, 149, 150, 1000], strict=True):
        assert (shown[0], shown[-1]) == (0, last)
        assert shown == sorted(set(shown))


@pytest.mark.parametrize("size", [(2, 1, 1), (3, 2, 4), (251, 130, 3), (64, 64, 2)])
def test_browsers_decode_what_is_encoded(
    stored: Site, visit: Visit, size: tuple[int, int, int]
) -> None:
    page = visit(f"{stored.page}icon.svg")
    gif, points, wanted = page.evaluate(ENCODE, size)
    found = decoded(page, base64.b64decode(gif), *points)
    assert [frame["pixels"] for frame in found["frames"]] == wanted


def test_a_picture_that_does_not_come(stored: Site, visit: Visit) -> None:
    visit.expect_error("503")
    page = visit(f"{stored.page}#/match/{SEVEN}/2")
    page.route("**/*.svg", lambda route: route.fulfill(status=503))
    for name in ("SVG", "PNG"):
        page.get_by_role("button", name=name, exact=True).click()
        status = page.locator(".picture-files [role=status]")
        expect(status).to_have_text("The arena did not send the picture: try again later.")


def test_the_buttons_fit_a_phone(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{HUNDRED}", phone=True, dark=True)
    group = page.get_by_role("group", name="Save a picture")
    expect(group.get_by_role("button")).to_have_text(["SVG", "PNG", "GIF"])
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_the_buttons_work_by_keyboard(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{SEVEN}")
    page.get_by_role("button", name="SVG", exact=True).focus()
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert re.fullmatch(r"match-\d+-6\.svg", download.value.suggested_filename)
