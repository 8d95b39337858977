"""Positions as text, pictures or pixels for videos, as environments render them."""

import zlib
from collections.abc import Iterator
from struct import unpack_from

import numpy as np
from gymnasium.error import DependencyNotInstalled
from gymnasium.logger import warn
from numpy.typing import NDArray

from core.game import Position
from core.picture import GROUND, position_svg

RENDER_MODES = ("ansi", "svg", "rgb_array", "human")
WIDTH, HEIGHT = 600, 520  # of each picture: the frames of a video have one size
SIGNATURE, CHUNK = 8, 12  # bytes before the chunks of a PNG, and of a chunk without its data
NONE, LEFT, ABOVE, MEAN = range(4)  # filters of a row, of what its bytes are the differences to
Pixels = NDArray[np.uint8]


def check_render_mode(mode: str | None) -> None:
    """Raise TypeError unless environments have a render mode.

    After a TypeError some libraries, such as stable-baselines3, try again without a mode.
    """
    if mode not in (None, *RENDER_MODES):
        raise TypeError(f"unknown render mode {mode!r} (choose from {', '.join(RENDER_MODES)})")


def warn_of_no_mode() -> None:
    """Warn that an environment without a render mode renders nothing."""
    warn(f"render() has no effect without a render_mode: choose from {', '.join(RENDER_MODES)}")


def render(position: Position, mode: str) -> str | Pixels | None:
    """Return a position in the form of a render mode.

    Returns:
        Text for `ansi`, an SVG document for `svg`, pixels for `rgb_array`; None for `human`, which
        prints the text.
    """
    if mode == "svg":
        return position_svg(position)
    if mode == "rgb_array":
        return draw(position_svg(position))
    text = str(position)
    if mode == "ansi":
        return text
    print(text, end="\n\n", flush=True)
    return None


class RenderedGame:
    """The part of an environment that shows its position.

    Attributes:
        position: The position; None before the first `reset`.
        render_mode: One of RENDER_MODES; None to render nothing.
    """

    position: Position | None
    render_mode: str | None

    def render(self) -> str | Pixels | None:
        """Return the position as text, SVG or pixels, or print it, as the render mode says.

        Raises:
            RuntimeError: There was no `reset` before.
            DependencyNotInstalled: Pixels need resvg-py, the extra `pictures`.
        """
        position = self._started()
        if self.render_mode is None:
            warn_of_no_mode()
            return None
        return render(position, self.render_mode)

    def _render_for_people(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _started(self) -> Position:
        """Return the position. Raises RuntimeError without a `reset` before."""
        if self.position is None:
            raise RuntimeError("call reset() first")
        return self.position


def draw(picture: str) -> Pixels:
    """Return an SVG document as pixels of the shape (520, 600, 3), scaled into the middle.

    Raises:
        DependencyNotInstalled: resvg-py is missing.
    """
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise DependencyNotInstalled("resvg is not installed: pip install resvg-py") from error
    png = svg_to_bytes(svg_string=picture, width=WIDTH, height=HEIGHT, background=GROUND)
    drawn = decode(png)  # not wider or higher than that
    height, width, _ = drawn.shape
    top, left = (HEIGHT - height) // 2, (WIDTH - width) // 2
    pixels = np.full((HEIGHT, WIDTH, 3), np.frombuffer(bytes.fromhex(GROUND[1:]), np.uint8))
    pixels[top : top + height, left : left + width] = drawn
    return pixels


def decode(png: bytes) -> Pixels:
    """Return the pixels of a PNG picture as resvg writes it, with alpha, which is left out.

    Its bytes are red, green, blue and alpha, each 8 bits, by rows from the top. resvg-py
    gives nothing but PNG, and Pillow takes 20 MB where resvg-py takes 3.
    """
    width, height = unpack_from(">II", png, SIGNATURE + 8)
    rows = zlib.decompress(b"".join(_data(png)))
    pixels = np.zeros((height + 1, width, 4), np.uint8)  # below a row of zeros
    for y, row in enumerate(np.frombuffer(rows, np.uint8).reshape(height, 1 + 4 * width)):
        pixels[y + 1] = _restored(row[0], row[1:].reshape(width, 4), pixels[y])
    return np.ascontiguousarray(pixels[1:, :, :3])


def _data(png: bytes) -> Iterator[bytes]:
    """Yield the parts of the compressed rows."""
    place = SIGNATURE
    while place < len(png):
        length, kind = unpack_from(">I4s", png, place)
        if kind == b"IDAT":
            yield png[place + 8 : place + 8 + length]
        place += CHUNK + length


def _restored(filtered_by: int, row: Pixels, above: Pixels) -> Pixels:
    """Return the pixels of a row of the shape (width, 4)."""
    if filtered_by == NONE:
        return row
    if filtered_by == LEFT:
        return np.cumsum(row, axis=0, dtype=np.uint8)
    if filtered_by == ABOVE:
        return row + above
    values, upper = bytearray(4) + row.tobytes(), bytes(4) + above.tobytes()
    for place in range(4, len(values)):  # each byte depends on the one on the left
        left, up, corner = values[place - 4], upper[place], upper[place - 4]
        guess = (left + up) // 2 if filtered_by == MEAN else _nearest(left, up, corner)
        values[place] = values[place] + guess & 255
    return np.frombuffer(values, np.uint8)[4:].reshape(row.shape)


def _nearest(left: int, up: int, corner: int) -> int:
    """Return the one that is nearest to left + up - corner, the first of equal ones."""
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner
