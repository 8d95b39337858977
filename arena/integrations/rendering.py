"""Positions as text or pictures, as environments render them."""

from gymnasium.logger import warn

from arena.integrations.pixels import Pixels, draw
from core.game import Position
from core.picture import position_svg

RENDER_MODES = ("ansi", "svg", "rgb_array", "human")


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
