"""Specifications of bots: names, built-in bots, commands."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.runner.bot_spec import (
    check_in_process,
    check_playable,
    command_words,
    default_name,
    is_builtin,
    is_cut_by_clock,
    is_deterministic,
    is_drawn_by_seed,
    parse_bots,
    parse_house_bots,
    program_in,
    supported_games,
)
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM


def error_for(*bots: str) -> str:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the test looks at all of the text)
        parse_bots(bots)
    return str(raised.value)


@loop_over(
    "bots, expected",
    ("random greedy", {"random": "random", "greedy": "greedy"}),
    ("ann=random bob=spec:4", {"ann": "random", "bob": "spec:4"}),
    ("spec:4 external:ann", {"spec:4": "spec:4", "ann": "external:ann"}),
    ("cmd:cat stdio:sh", {"cat": "cmd:cat", "sh": "stdio:sh"}),
    ("ann=cmd:cat bob=stdio:sh", {"ann": "cmd:cat", "bob": "stdio:sh"}),
    ("program:sh ann=program:cat", {"sh": "program:sh", "ann": "program:cat"}),
    ("external:a=b random", {"a=b": "external:a=b", "random": "random"}),
    ("python:my.bot:Ann", {"Ann": "python:my.bot:Ann"}),
    ("bob=python:my.bot:Ann", {"bob": "python:my.bot:Ann"}),
    ("ann=external:ann random", {"ann": "external:ann", "random": "random"}),
    (
        "spec:4@nodes=9 ann=spec:4@nodes=9",
        {"spec:4@nodes=9": "spec:4@nodes=9", "ann": "spec:4@nodes=9"},
    ),
    (
        "strong strong:6 strong@nodes=9 ann=strong@nodes=9",
        {
            "strong": "strong",
            "strong:6": "strong:6",
            "strong@nodes=9": "strong@nodes=9",
            "ann": "strong@nodes=9",
        },
    ),
)
def test_names_and_specifications(bots: str, expected: dict[str, str]) -> None:
    assert parse_bots(bots.split()) == expected


@pytest.mark.parametrize(
    "bot", ["program:sh -c x", "program:depth=12 sh -c x", "program:in=a depth=2 sh -c x"]
)
def test_the_options_of_a_program_are_not_its_name(bot: str) -> None:
    assert parse_bots([bot, f"ann={bot}"]) == {"sh": bot, "ann": bot}
    assert command_words(bot) == ["sh", "-c", "x"]
    assert not is_builtin(bot)


def test_a_program_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "of ann"
    folder.mkdir()
    spec = program_in(folder, ["./mine", "a b"])
    with pytest.raises(ValueError, match=r"program '\./mine' not found$"):
        command_words(spec)
    (folder / "mine").touch(0o755)
    assert command_words(spec) == ["./mine", "a b"]
    assert parse_bots([f"ann={spec}"]) == {"ann": spec}
    assert command_words(program_in(tmp_path, ["./mine"], "of ann")) == ["./mine"]


def test_a_program_can_be_a_house_bot() -> None:
    bots = ["ann=program:sh", "random"]
    assert parse_house_bots(bots, ["take_stones"]) == {"ann": "program:sh", "random": "random"}
    with pytest.raises(ValueError, match=r"^bot ann cannot play isolation, which has no format"):
        parse_house_bots(bots, ["isolation"])


def test_default_names(tmp_path: Path) -> None:
    names = [*parse_bots(["greedy", "random", "greedy", "external:x", "greedy"])]
    assert names == ["greedy", "random", "greedy#2", "x", "greedy#3"]
    found = parse_bots(["cmd:sh a.sh", "stdio:sh b.sh"])
    assert found == {"sh": "cmd:sh a.sh", "sh#2": "stdio:sh b.sh"}
    path = tmp_path / "my bot.sh"
    path.touch(0o700)
    assert default_name(f"cmd:'{path}' --fast") == "my bot.sh"
    bot = "cmd:env DEPTH=3 cat"
    assert parse_bots([bot, f"ann={bot}"]) == {"env": bot, "ann": bot}


def test_programs_run_in_the_folder_of_bot_files(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for name in ("mine", "inner/other"):
        (tmp_path / name).touch(0o700)
    bots = ["stdio:./mine", "program:./mine", "program:in=inner depth=2 ./other"]
    assert [*parse_bots(bots, tmp_path)] == ["mine", "mine#2", "other"]
    for bot in (*bots, "cmd:./mine"):
        with pytest.raises(ValueError, match=r" not found$"):
            parse_bots([bot], None if bot in bots else tmp_path)


@loop_over(
    "bots, name",
    ("greedy greedy external:greedy#2", "greedy#2"),
    ("greedy#2=random greedy greedy", "greedy#2"),
    ("ann=random ann=greedy", "ann"),
    ("ann=random ann=random", "ann"),
    ("greedy greedy=random", "greedy"),
    ("random external:random", "random"),
    ("external:ann external:ann", "ann"),
)
def test_duplicate_names(bots: str, name: str) -> None:
    assert error_for(*bots.split()) == f"two bots are named {name}"


@loop_over(
    "bot, error",
    ("cmd:", "bot 'cmd:': no command"),
    ("stdio: ", "bot 'stdio: ': no command"),
    ("ann=cmd:", "bot 'cmd:': no command"),
    ("cmd:'", 'bot "cmd:\'": No closing quotation'),
    ("cmd:no-such-bot -x", "bot 'cmd:no-such-bot -x': program 'no-such-bot' not found"),
    ("ann=external:bob", "bot 'ann=external:bob': an external bot keeps its own name, bob"),
    (
        "ann\n=random",
        "bot 'ann\\n=random': expected printable characters without surrounding spaces",
    ),
)
def test_invalid_specifications(bot: str, error: str) -> None:
    assert error_for("random", bot).removesuffix(" - at `$`") == error


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
    (
        "openspiel:uct",
        "bot 'openspiel:uct': expected openspiel:mcts:SIMULATIONS such as openspiel:mcts:1000,"
        " at most 999999",
    ),
    ("./mybot", "unknown bot './mybot' (did you mean 'stdio:./mybot'?)"),
    (
        "chess",
        "unknown bot 'chess' (choose from random, greedy, spec:DEPTH[@nodes=N],"
        " strong[:DEPTH][@nodes=N], perfect, openspiel:mcts:SIMULATIONS, python:MODULE:CLASS,"
        " stdio:COMMAND, program:COMMAND, cmd:COMMAND, external:NAME)",
    ),
    ("spec:-1", "bot 'spec:-1': expected a depth in plies, got '-1'"),
    ("spec:x", "bot 'spec:x': expected a depth in plies, got 'x'"),
    ("spec:", "bot 'spec:': expected a depth in plies, got ''"),
    ("strong4", "unknown bot 'strong4' (did you mean 'strong[:DEPTH][@nodes=N]'?)"),
    ("strong@nodes=0", "unknown bot 'strong@nodes=0' (did you mean 'strong[:DEPTH][@nodes=N]'?)"),
    ("strong:x", "bot 'strong:x': expected a depth in plies, got 'x'"),
    ("perfect:3", "bot 'perfect:3': a depth applies to spec and strong only"),
    ("python:mybot", "bot 'python:mybot': expected python:MODULE:CLASS such as python:mybot:MyBot"),
)
def test_unknown_bots(spec: str, error: str) -> None:
    assert error_for("random", f"ann={spec}" if spec[0].isalpha() else spec) == error


def test_the_depth_of_spec_is_needed_in_process() -> None:
    assert parse_bots(["spec"]) == {"spec": "spec"}
    with pytest.raises(ValueError, match=r"^bot spec: expected spec:DEPTH.@nodes=N., got 'spec'$"):
        check_in_process({"random": "random", "spec": "spec"})


def test_a_program_that_is_not_executable(tmp_path: Path) -> None:
    (tmp_path / "mybot").touch(0o600)
    with pytest.raises(ValueError, match=r"^bot .*: program '\./mybot' is not executable$"):
        parse_bots(["stdio:./mybot"], tmp_path)


@pytest.mark.parametrize(
    "bot", ["", "=random", "external:", " a=random", 65 * "x", "\udcff=random"]
)
def test_invalid_names(bot: str) -> None:
    assert error_for("random", bot).startswith(f"bot {bot!r}: ")


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=10) | st.sampled_from(["a", "b"])))
def test_any_bots_are_valid_or_refused_with_one_line(bots: list[str]) -> None:
    try:
        found = parse_bots(bots)
    except ValueError as error:
        reason = str(error)
        assert reason.isprintable()
    else:
        assert [*found.values()] == [bot.partition("=")[2] or bot for bot in bots]
        for name in found:
            decode_from_bot(encode(Hello(PROTOCOL_VERSION, name, [])))


@loop_over(
    "spec, expected",
    *((spec, True) for spec in ("random", "spec:4", "no such bot")),
    *((spec, False) for spec in ("external:x", "cmd:x", "stdio:x")),
)
def test_built_in_bots(spec: str, expected: bool) -> None:
    assert is_builtin(spec) == expected
    assert command_words("cmd:env 'A B=1' cat") == ["env", "A B=1", "cat"]


# House bots


@pytest.mark.parametrize("spec", ["strong", "strong:4", "strong@nodes=9", "strong:4@nodes=9"])
def test_strong_needs_a_strong_search(spec: str) -> None:
    assert supported_games(spec, ["take_stones", "isolation"]) == ["isolation"]
    with pytest.raises(ValueError, match=r"^bot ann cannot play take_stones, which has no strong "):
        check_playable({"ann": spec}, "take_stones")


def test_house_bots() -> None:
    bots = parse_house_bots(["random", "Greta=greedy", "spec:4@nodes=100", "perfect"], GAMES)
    names = {name: name for name in ("random", "spec:4@nodes=100", "perfect")}
    assert bots == names | {"Greta": "greedy"}
    assert [*parse_house_bots(["openspiel:mcts:50"], ["isolation"])] == ["openspiel:mcts:50"]
    assert [*parse_house_bots(["perfect"], ["isolation", "take_stones"])] == ["perfect"]
    with pytest.raises(ValueError, match=r"^bot perfect cannot play isolation, which has no solv"):
        parse_house_bots(["perfect", "random"], ["isolation"])
    with pytest.raises(ValueError, match=r"^bot 'spec:4@nodes=x': expected a depth in plies, got"):
        parse_house_bots(["spec:4@nodes=x"], ["take_stones"])


@pytest.mark.parametrize("spec", ["cmd:cat", "external:Ann", "spec", "python:my:Bot"])
def test_only_built_in_bots_can_be_house_bots(spec: str) -> None:
    with pytest.raises(ValueError, match=f"^unknown bot '{spec}' \\(choose from random, "):
        parse_house_bots([spec], GAMES)


@loop_over(
    "spec, expected",
    ("perfect", ["take_stones"]),
    ("spec:4", ["take_stones", "isolation"]),
    ("random", ["take_stones", "isolation", NIM.name]),
    ("greedy", ["take_stones", "isolation", NIM.name]),
    ("spec:0", ["take_stones", "isolation", NIM.name]),
    ("spec:00", ["take_stones", "isolation", NIM.name]),
    ("spec:0@nodes=9", ["take_stones", "isolation", NIM.name]),
    ("spec:4@nodes=9", ["take_stones", "isolation"]),
    ("spec:10", ["take_stones", "isolation"]),
    ("spec", ["take_stones", "isolation"]),
)
def test_supported_games(spec: str, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert supported_games(spec, ["take_stones", "isolation", NIM.name]) == expected


def test_playable_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    check_playable({"a": "random", "b": "cmd:cat", "c": "external:c"}, NIM.name)
    check_playable({"a": "spec:3"}, "isolation")
    with pytest.raises(ValueError, match=r"^bot deep cannot play misere_nim, which has no ev"):
        check_playable({"a": "random", "deep": "spec:9"}, NIM.name)
    with pytest.raises(ValueError, match=r"^bot b cannot play isolation, which has no solver$"):
        check_playable({"b": "perfect"}, "isolation")


@loop_over(
    "spec, deterministic, cut, drawn",
    ("random", False, False, True),
    ("greedy", True, False, False),
    ("perfect", True, False, False),
    ("openspiel:mcts:50", False, True, True),
    ("spec:12", True, True, False),
    ("spec:12@nodes=1000", True, False, False),
    ("spec:12@nodes=0", False, True, False),
    ("external:spec:12", False, False, False),
)
def test_deterministic_bots(spec: str, deterministic: bool, cut: bool, drawn: bool) -> None:
    found = is_deterministic(spec), is_cut_by_clock(spec), is_drawn_by_seed(spec)
    assert found == (deterministic, cut, drawn)
