"""The grammar of bots."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.specification import FORMS, MAX_NODES, BotSpec, Kind, program_in
from tests.support.cases import loop_over


@loop_over(
    "text, kind, depth, nodes, simulations",
    ("random", Kind.RANDOM, None, None, None),
    ("spec", Kind.SPEC, None, None, None),
    ("spec@nodes=9", Kind.SPEC, None, 9, None),
    ("spec:00", Kind.SPEC, 0, None, None),
    ("spec:12@nodes=1000", Kind.SPEC, 12, 1000, None),
    (f"spec:12@nodes={MAX_NODES}", Kind.SPEC, 12, MAX_NODES, None),
    ("strong", Kind.STRONG, None, None, None),
    ("strong:6@nodes=9", Kind.STRONG, 6, 9, None),
    ("openspiel:mcts:1", Kind.OPENSPIEL, None, None, 1),
    ("openspiel:mcts:999999", Kind.OPENSPIEL, None, None, 999_999),
)
def test_limits(
    text: str, kind: Kind, depth: int | None, nodes: int | None, simulations: int | None
) -> None:
    bot = BotSpec.parse(text)
    assert (bot.kind, bot.depth, bot.nodes, bot.simulations) == (kind, depth, nodes, simulations)
    assert (str(bot), bot.default_name) == (text, text)
    assert bot.is_strategy


@loop_over(
    "text, command, folder, depth",
    ("cmd:env 'A B=1' cat", ("env", "A B=1", "cat"), None, None),
    ("stdio:in=a sh", ("in=a", "sh"), None, None),
    ("program:sh -c x", ("sh", "-c", "x"), None, None),
    ("program:depth=12 sh -c x", ("sh", "-c", "x"), None, 12),
    ("program:in='a b' depth=2 sh", ("sh",), "a b", 2),
    ("program:depth=12345 sh", ("depth=12345", "sh"), None, None),
    ("program:cd=a sh", ("cd=a", "sh"), None, None),
    ("program:in=a cd=b depth=3 sh", ("sh",), "a", 3),
)
def test_commands(
    text: str, command: tuple[str, ...], folder: str | None, depth: int | None
) -> None:
    bot = BotSpec.parse(text)
    assert (bot.command, bot.folder, bot.depth) == (command, folder, depth)
    assert not bot.is_strategy


@loop_over(
    "text, name",
    ("cmd:'/some where/my bot.sh' --fast", "my bot.sh"),
    ("program:depth=3 ./mine x", "mine"),
    ("python:my.bot:Ann", "Ann"),
    ("external:a=b", "a=b"),
)
def test_names(text: str, name: str) -> None:
    assert BotSpec.parse(text).default_name == name


@loop_over(
    "spec, error",
    ("gredy", "unknown bot 'gredy' (did you mean 'greedy'?)"),
    ("Random", "unknown bot 'Random' (did you mean 'random'?)"),
    ("spec4", "unknown bot 'spec4' (did you mean 'spec:DEPTH[@nodes=N]'?)"),
    ("stdoi:cat", "unknown bot 'stdoi:cat' (did you mean 'stdio:COMMAND'?)"),
    ("python", "unknown bot 'python' (did you mean 'python:MODULE:CLASS'?)"),
    ("openspiel", "unknown bot 'openspiel' (did you mean 'openspiel:mcts:SIMULATIONS'?)"),
    (
        "openspiel:mcts:0",
        "bot 'openspiel:mcts:0': expected openspiel:mcts:SIMULATIONS such as"
        " openspiel:mcts:1000, at most 999999",
    ),
    ("./mybot", "unknown bot './mybot' (did you mean 'stdio:./mybot'?)"),
    ("spec:-1", "bot 'spec:-1': expected a depth from 0 to 999999999 plies, got '-1'"),
    ("strong:x", "bot 'strong:x': expected a depth from 0 to 999999999 plies, got 'x'"),
    ("spec:", "bot 'spec:': expected a depth from 0 to 999999999 plies, got ''"),
    (
        "strong@nodes=0",
        "bot 'strong@nodes=0': expected nodes from 1 to 999999999999999, got '0'",
    ),
    ("spec:3@nodes=", "bot 'spec:3@nodes=': expected nodes from 1 to 999999999999999, got ''"),
    (
        "spec:3@nodes=1000000000000000",
        "bot 'spec:3@nodes=1000000000000000': expected nodes from 1 to 999999999999999,"
        " got '1000000000000000'",
    ),
    (
        "spec:3@seconds=1",
        "bot 'spec:3@seconds=1': expected a depth from 0 to 999999999 plies, got '3@seconds=1'",
    ),
    ("spec@seconds=1", "bot 'spec@seconds=1': expected spec:DEPTH[@nodes=N]"),
    (
        "spec:1234567890",
        "bot 'spec:1234567890': expected a depth from 0 to 999999999 plies, got '1234567890'",
    ),
    ("greedy@nodes=3", "bot 'greedy@nodes=3': limits apply to spec and strong only"),
    ("random:", "bot 'random:': limits apply to spec and strong only"),
    ("cmd@nodes=3:cat", "unknown bot 'cmd@nodes=3:cat' (did you mean 'cmd:COMMAND'?)"),
    *(
        (spec, f"bot {spec!r}: expected python:MODULE:CLASS such as python:mybot:MyBot")
        for spec in ("python:mybot", "python:my-bot:MyBot", "python:a:b:C", "python:a..b:C")
    ),
    (
        "",
        "unknown bot '' (choose from random, greedy, spec:DEPTH[@nodes=N],"
        " strong[:DEPTH][@nodes=N], perfect, openspiel:mcts:SIMULATIONS, python:MODULE:CLASS,"
        " stdio:COMMAND, program:COMMAND, cmd:COMMAND, external:NAME)",
    ),
    (
        "openspiel:mcts:1000000",
        "bot 'openspiel:mcts:1000000': expected openspiel:mcts:SIMULATIONS"
        " such as openspiel:mcts:1000, at most 999999",
    ),
    ("stdio:'x", 'bot "stdio:\'x": No closing quotation'),
    *(
        (spec, f"bot {spec!r}: no command")
        for spec in ("cmd:", "stdio: ", "program:depth=3", "program:in=/", "stdio:''")
    ),
)
def test_invalid_specifications(spec: str, error: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the test looks at all of the text)
        BotSpec.parse(spec)
    assert str(raised.value) == error


@given(st.sampled_from(["", *FORMS]), st.sampled_from([":", "@nodes=", ""]), st.text(max_size=9))
def test_any_text_is_kept_or_refused_with_one_line(kind: str, sign: str, rest: str) -> None:
    text = f"{kind}{sign}{rest}"
    try:
        assert str(BotSpec.parse(text)) == text
    except ValueError as error:
        reason = str(error)
        assert reason.isprintable()


def test_a_program_in_a_folder(tmp_path: Path) -> None:
    bot = program_in(tmp_path / "of ann", ["./mine", "a b"])
    assert bot == BotSpec.parse(bot.text)
    assert bot.command == ("./mine", "a b")
    with pytest.raises(ValueError, match=r"^bot .*: folder '/.*/of ann' not found$"):
        bot.check_program()
    (tmp_path / "of ann").mkdir()
    with pytest.raises(ValueError, match=r"^bot .*: program '\./mine' not found$"):
        bot.check_program()
    (tmp_path / "of ann" / "mine").touch(0o600)
    with pytest.raises(ValueError, match=r"^bot .*: program '\./mine' is not executable$"):
        bot.check_program()
    (tmp_path / "of ann" / "mine").chmod(0o700)
    bot.check_program()
    inside = program_in(tmp_path, ["./mine"], "of ann")
    assert (inside.folder, inside.inner) == (f"{tmp_path}", "of ann")
    inside.check_program()
    for inner in ("absent", ".."):
        with pytest.raises(ValueError, match=rf"^bot .*: folder '{inner}' not found in /"):
            program_in(tmp_path, ["./mine"], inner).check_program()


def test_a_program_is_looked_for_in_the_folder_that_it_runs_in(tmp_path: Path) -> None:
    (tmp_path / "mine").touch(0o700)
    BotSpec.parse("cmd:./mine").check_program(tmp_path)
    for text in ("cmd:./mine", "cmd:no-such-program", "stdio:/"):
        with pytest.raises(ValueError, match=r"^bot .*: program .* not found$"):
            BotSpec.parse(text).check_program()
    with pytest.raises(ValueError, match=r"^bot 'program:in= sh': folder '' not found$"):
        BotSpec.parse("program:in= sh").check_program(tmp_path)


@loop_over(
    "spec, deterministic, cut, drawn",
    ("random", False, False, True),
    ("greedy", True, False, False),
    ("perfect", True, False, False),
    ("openspiel:mcts:50", False, True, True),
    ("spec:12", True, True, False),
    ("spec:12@nodes=1000", True, False, False),
    ("external:spec:12", False, False, False),
)
def test_deterministic_bots(spec: str, deterministic: bool, cut: bool, drawn: bool) -> None:
    bot = BotSpec.parse(spec)
    found = bot.is_deterministic, bot.is_cut_by_clock, bot.is_drawn_by_seed
    assert found == (deterministic, cut, drawn)
