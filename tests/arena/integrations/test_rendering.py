"""Rendering of positions, and pixels of a PNG of each filter and of pictures that resvg draws."""

import sys
import zlib
from struct import pack
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled

from arena.integrations.rendering import (
    HEIGHT,
    WIDTH,
    check_render_mode,
    decode,
    draw,
    render,
    warn_of_no_mode,
)
from core import GAMES
from core.picture import svg, text_svg
from tests.support.cases import loop_over

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def test_positions_are_rendered(capsys: pytest.CaptureFixture[str]) -> None:
    position = GAMES["isolation"].position(size=3)
    assert render(position, "ansi") == "x - -\n- - -\n- - o"
    assert capsys.readouterr().out == ""
    assert render(position, "human") is None
    assert capsys.readouterr().out == "x - -\n- - -\n- - o\n\n"
    picture = render(GAMES["isolation"].position(size=3), "svg")
    assert isinstance(picture, str)
    assert fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"


@loop_over("mode", ["ansi", "svg", "rgb_array", "human", None])
def test_these_modes_exist(mode: str | None) -> None:
    check_render_mode(mode)


def test_modes_that_do_not_exist() -> None:
    with pytest.raises(TypeError, match=r"^unknown render mode 'rgb' \(choose from ansi, svg, "):
        check_render_mode("rgb")
    with pytest.warns(UserWarning, match="render.. has no effect without a render_mode"):
        warn_of_no_mode()


def chunk(kind: bytes, data: bytes) -> bytes:
    return pack(">I", len(data)) + kind + data + pack(">I", zlib.crc32(kind + data))


def encode(pixels: np.ndarray, filter_number: int) -> bytes:
    """Return a PNG, as the standard says, with one filter for all rows and data in two chunks."""
    height, width, _ = pixels.shape
    padded = np.zeros((height + 1, width + 1, 4), int)
    padded[1:, 1:] = pixels
    left, up, corner = padded[1:, :-1], padded[:-1, 1:], padded[:-1, :-1]
    estimate = left + up - corner
    distances = np.stack([abs(estimate - each) for each in (left, up, corner)])
    nearest = np.choose(distances.argmin(axis=0), [left, up, corner])
    predicted = [0 * left, left, up, (left + up) // 2, nearest][filter_number]
    rows = ((pixels - predicted) % 256).astype(np.uint8).reshape(height, -1)
    data = zlib.compress(b"".join(bytes([filter_number]) + row.tobytes() for row in rows))
    header = pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", data[:20]), (b"IDAT", data[20:]), (b"IEND", b"")]
    return SIGNATURE + b"".join(chunk(*part) for part in parts)


@loop_over("filter_number", range(5))
def test_rows_are_restored(filter_number: int) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (9, 30, 4), np.uint8)
    assert (decode(encode(pixels, filter_number)) == pixels[..., :3]).all()


def test_pictures_are_scaled_into_the_middle() -> None:
    red = svg(60, 26, ['<rect width="60" height="26" fill="#f00"/>'])  # half as high as the frame
    pixels = draw(red)
    assert pixels.shape == (HEIGHT, WIDTH, 3)
    assert pixels.dtype == np.uint8
    is_red = (pixels == [255, 0, 0]).all(axis=2)
    assert is_red[140:380].all()
    assert not is_red[:129].any()
    assert not is_red[391:].any()


@pytest.mark.needs("fonts")
def test_each_picture_has_the_same_size_and_shows_text() -> None:
    for text in ("a", "i"), ("ab\ncd", "abc\ncdefghi"):
        first, second = (draw(text_svg(each)) for each in text)
        assert first.shape == second.shape == (HEIGHT, WIDTH, 3)
        assert (first != second).any()


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(DependencyNotInstalled, match=r"^.?resvg is not installed: pip install res"):
        draw(svg(1, 1, []))
