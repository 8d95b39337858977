"""Mutants of the page's modules: the places of Stryker are in units of UTF-16."""

from pathlib import Path

from tools.mutants.page import Page, PageTests
from tools.mutants.sample import Change, Site

SOURCE = 'const a = 1;\nconst sign = "🂡" + "b";\n'


def test_a_change_is_made_at_its_place_in_one_or_several_lines() -> None:
    site = Site("a.js", (2, 20), (2, 23), ())
    changed = Page(Path()).apply(SOURCE, site, Change("StringLiteral", '""'))
    assert changed == 'const a = 1;\nconst sign = "🂡" + "";\n'
    site = Site("a.js", (1, 10), (2, 17), ())
    changed = Page(Path()).apply(SOURCE, site, Change("ArithmeticOperator", "2"))
    assert changed == 'const a = 2 + "b";\n'


def test_tests_of_the_same_name_run_before_all(tmp_path: Path) -> None:
    for name in ("format.test.js", "lobby/lobby.test.js", "lobby/lobby_news.test.js"):
        (tmp_path / "tests/page" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tests/page" / name).touch()
    lobby = ("tests/page/lobby/lobby.test.js", "tests/page/lobby/lobby_news.test.js")
    every = ("tests/page/format.test.js", *lobby)
    tests = PageTests(tmp_path, 1.0)
    assert tests.stages("arena/web/lobby/lobby.js") == [lobby, every]
    assert tests.stages("arena/web/shortcuts.js") == [every]
