"""Python bots: users' classes, and what can be wrong with them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.client import ClockReading
from bots.python_bot import MAX_REASON, BotFailed, PythonBot, load
from bots.specification import BotSpec
from core.take_stones import Board
from tests.support.cases import loop_over

CLOCK = ClockReading(remaining=1.0, opponent=1.0, increment=0.0)

CHOOSE = """
    def choose(self, position, clock):
        return position.legal_moves()[self.index]
"""


@pytest.fixture(autouse=True)
def _own_modules() -> Iterator[None]:
    """Forget the modules and the folders of a test."""
    modules, path = {*sys.modules}, [*sys.path]
    yield
    sys.path[:] = path
    for name in {*sys.modules} - modules:
        del sys.modules[name]


def write(folder: Path, code: str, name: str = "mybot.py") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(code)


def chosen(folder: Path, code: str, seed: int = 1) -> int | None:
    """Return the move of the class Bot in Take-Stones with 20 stones, where 1, 3, 5 ... 9 start."""
    write(folder, code)
    return load(BotSpec.parse("python:mybot:Bot"), seed, folder)(Board(20), CLOCK)


def problem(folder: Path, spec: str = "python:mybot:Bot") -> str:
    with pytest.raises(ValueError, match=r"\A[^\n]*\Z") as caught:
        load(BotSpec.parse(spec), 1, folder)
    return str(caught.value)


@pytest.mark.parametrize(
    ("constructor", "move"),
    [
        ("def __init__(self): self.index = 0", 1),
        ("def __init__(self, seed): self.index = seed", 5),
        ("def __init__(self, *, seed=0): self.index = seed", 5),
        ("def __init__(self, seed, /): self.index = seed", 5),
        ("def __init__(self, index=1, seed=0, /): self.index = index", 3),
        ("def __init__(self, index=1, seed=0): self.index = seed + index", 7),
        ("def __init__(self, *seed): self.index = len(seed)", 1),
        ("def __init__(self, **seed): self.index = len(seed)", 1),
        ("index = 1", 3),
    ],
)
def test_a_parameter_seed_receives_the_seed(tmp_path: Path, constructor: str, move: int) -> None:
    assert chosen(tmp_path, f"class Bot:\n    {constructor}\n{CHOOSE}", seed=2) == move


def test_class_whose_signature_is_unknown_gets_no_seed(tmp_path: Path) -> None:
    code = "class Bot(type):\n    index = 1\n    def choose(self, position, clock): return 7"
    assert "type.__new__() takes" in problem_of(tmp_path, code)


def problem_of(folder: Path, code: str) -> str:
    write(folder, code)
    return problem(folder)


def test_working_directory_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, f"class Bot:\n    index = 1\n{CHOOSE}")
    assert load(BotSpec.parse("python:mybot:Bot"), 1)(Board(20), CLOCK) == 3


def test_folder_comes_before_installed_packages(tmp_path: Path) -> None:
    installed, folder = tmp_path / "installed", tmp_path / "folder"
    write(installed, f"class Bot:\n    index = 0\n{CHOOSE}")
    write(folder, f"class Bot:\n    index = 1\n{CHOOSE}")
    sys.path[:0] = [str(installed), str(folder)]
    assert load(BotSpec.parse("python:mybot:Bot"), 1, folder)(Board(20), CLOCK) == 3


def test_installed_package(tmp_path: Path) -> None:
    write(tmp_path / "installed" / "mypackage", f"class Bot:\n    index = 1\n{CHOOSE}")
    sys.path.append(str(tmp_path / "installed"))
    assert load(BotSpec.parse("python:mypackage.mybot:Bot"), 1, tmp_path)(Board(20), CLOCK) == 3


def test_module_with_the_name_of_an_unused_package_is_loaded(tmp_path: Path) -> None:
    write(tmp_path, f"class Bot:\n    index = 1\n{CHOOSE}", "json_schema_bot.py")
    write(tmp_path, "from json_schema_bot import Bot")
    assert load(BotSpec.parse("python:mybot:Bot"), 1, tmp_path)(Board(20), CLOCK) == 3


@loop_over("module", ["bots", "core", "random", "antigravity", "pytest"])
def test_module_with_the_name_of_another_is_refused(tmp_path: Path, module: str) -> None:
    write(tmp_path, f"class Bot:\n    index = 1\n{CHOOSE}", f"{module}.py")
    expected = f"'{module}' in {tmp_path} has the name of a module of Python or the arena"
    assert expected in problem(tmp_path, f"python:{module}:Bot")


def test_second_bot_of_a_module(tmp_path: Path) -> None:
    write(tmp_path, f"class Bot:\n    index = 1\n{CHOOSE}")
    bots = [load(BotSpec.parse("python:mybot:Bot"), 1, tmp_path) for _ in range(2)]
    assert [bot(Board(20), CLOCK) for bot in bots] == [3, 3]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("python:mybot.py:Bot", "no module 'mybot.py' in {folder} or the installed packages"),
        ("python:nobot:Bot", "no module 'nobot' in {folder} or the installed packages"),
        ("python:mybot.sub:Bot", "no module 'mybot.sub'"),
        ("python:mybot:Boot", "no class 'Boot' in mybot (classes: Bot)"),
        ("python:mybot:text", "no class 'text' in mybot (classes: Bot)"),
        ("python:mybot:Plain", "class Plain has no method choose(position, clock)"),
    ],
)
def test_specification_that_names_no_bot(tmp_path: Path, spec: str, message: str) -> None:
    code = f"text = ''\nclass Plain: choose = 1\nclass Bot:\n    index = 1\n{CHOOSE}"
    write(tmp_path, code)
    assert message.format(folder=tmp_path) in problem(tmp_path, spec)


def test_explanations_name_the_module_and_are_short(tmp_path: Path) -> None:
    write(tmp_path, "")
    assert problem(tmp_path, "python:mybot.py:Bot").endswith("(mybot is the module)")
    assert len(fails("raise ValueError(100_000 * 'x')")) < MAX_REASON + 100


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("", "no class 'Bot' in mybot (classes: none with a method choose)"),
        ("1/0", "cannot import mybot: ZeroDivisionError: division by zero (mybot.py, line 1)"),
        ("import absent_module", "cannot import mybot: ModuleNotFoundError: No module named"),
        ("raise ModuleNotFoundError", "cannot import mybot: ModuleNotFoundError (mybot.py, line 1"),
        ("raise SystemExit(0)", "cannot import mybot: SystemExit: 0 (mybot.py, line 1)"),
        ("class Bot", "cannot import mybot: SyntaxError: "),
        (
            "class Bot:\n  choose = print\n  def __init__(self): raise SystemExit('a\\nb\\x1b')",
            "Bot() raised SystemExit: a b? (mybot.py, line 3)",
        ),
        (
            "class Bot:\n  choose = print\n  def __init__(self, depth): pass",
            "Bot() raised TypeError: Bot.__init__() missing 1 required positional",
        ),
    ],
)
def test_code_that_fails_before_a_game(tmp_path: Path, code: str, message: str) -> None:
    assert message in problem_of(tmp_path, code)


def fails(returned: str) -> str:
    """Return the failure of a bot whose method has this body."""
    scope: dict[str, type] = {}
    exec(f"class Bot:\n  def choose(self, position, clock):\n    {returned}", scope)
    with pytest.raises(BotFailed) as caught:
        PythonBot("Bot", scope["Bot"]())(Board(20), CLOCK)
    return str(caught.value)


@loop_over(
    "body, message",
    ("return 1 // 0", "Bot.choose raised ZeroDivisionError: "),
    ("raise SystemExit", "Bot.choose raised SystemExit (<string>, line 3)"),
    ("raise KeyboardInterrupt", "Bot.choose raised KeyboardInterrupt (<string>, line 3)"),
    ("raise type('X', (Exception,), {'__str__': None})", "Bot.choose raised X: without a"),
)
def test_exception_of_choose_is_named(body: str, message: str) -> None:
    assert fails(body).startswith(message)


def test_objects_with_other_methods_and_numbers() -> None:
    bot = type("Bot", (), {"choose": lambda self: 1})  # noqa: ARG005
    with pytest.raises(BotFailed, match=r"raised TypeError: .*takes 1 positional") as caught:
        PythonBot("Bot", bot())(Board(20), CLOCK)
    assert "python_bot.py" not in str(caught.value)
    number = type("Number", (), {"__index__": lambda _: 3})
    bot = type("Bot", (), {"choose": lambda *_: number()})
    assert PythonBot("Bot", bot())(Board(20), CLOCK) == 3


@loop_over("returned", [None, True, "3", 2.5])
def test_anything_else_is_left_to_the_referee(returned: object) -> None:
    bot = type("Bot", (), {"choose": lambda *_: returned})
    assert PythonBot("Bot", bot())(Board(20), CLOCK) is returned
