"""Rendering of positions; tests of the environments call it."""

from xml.etree.ElementTree import fromstring

import pytest

from arena.integrations.rendering import check_render_mode, render, warn_of_no_mode
from core import GAMES
from tests.support.cases import loop_over


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
