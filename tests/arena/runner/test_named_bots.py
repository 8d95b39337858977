"""Bots as organisers name them, and whether they can play."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.runner.named_bots import (
    check_in_process,
    check_playable,
    parse_bots,
    parse_house_bots,
    supported_games,
)
from bots.specification import BotSpec, read_bots
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
    ("program:sh ann=program:cat", {"sh": "program:sh", "ann": "program:cat"}),
    ("external:a=b random", {"a=b": "external:a=b", "random": "random"}),
    ("bob=python:my.bot:Ann", {"bob": "python:my.bot:Ann"}),
    ("ann=external:ann random", {"ann": "external:ann", "random": "random"}),
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
    assert parse_bots(bots.split()) == read_bots(expected)


def test_a_program_can_be_a_house_bot() -> None:
    bots = ["ann=program:sh", "random"]
    found = {"ann": "program:sh", "random": "random"}
    assert parse_house_bots(bots, ["take_stones"]) == read_bots(found)
    with pytest.raises(ValueError, match=r"^bot ann cannot play isolation, which has no format"):
        parse_house_bots(bots, ["isolation"])


def test_default_names() -> None:
    names = [*parse_bots(["greedy", "random", "greedy", "external:x", "greedy"])]
    assert names == ["greedy", "random", "greedy#2", "x", "greedy#3"]
    found = parse_bots(["cmd:sh a.sh", "stdio:sh b.sh"])
    assert found == read_bots({"sh": "cmd:sh a.sh", "sh#2": "stdio:sh b.sh"})
    bot = "cmd:env DEPTH=3 cat"
    assert parse_bots([bot, f"ann={bot}"]) == read_bots({"env": bot, "ann": bot})


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
    ("greedy greedy=random", "greedy"),
    ("random external:random", "random"),
    ("external:ann external:ann", "ann"),
)
def test_duplicate_names(bots: str, name: str) -> None:
    assert error_for(*bots.split()) == f"two bots are named {name}"


@loop_over(
    "bot, error",
    ("cmd:", "bot 'cmd:': no command"),
    ("ann=cmd:", "bot 'cmd:': no command"),
    ("cmd:no-such-bot -x", "bot 'cmd:no-such-bot -x': program 'no-such-bot' not found"),
    ("ann=external:bob", "bot 'ann=external:bob': an external bot keeps its own name, bob"),
    (
        "ann\n=random",
        "bot 'ann\\n=random': name 'ann\\n': expected printable characters without surrounding"
        " spaces",
    ),
    ("=random", "bot '=random': name '': expected 1 to 64 characters, got 0"),
)
def test_invalid_specifications(bot: str, error: str) -> None:
    assert error_for("random", bot) == error


def test_the_depth_of_spec_is_needed_in_process() -> None:
    assert parse_bots(["spec"]) == read_bots({"spec": "spec"})
    with pytest.raises(ValueError, match=r"^bot spec: expected spec:DEPTH.@nodes=N., got 'spec'$"):
        check_in_process(read_bots({"random": "random", "spec": "spec"}))


def test_a_program_that_is_not_executable(tmp_path: Path) -> None:
    (tmp_path / "mybot").touch(0o600)
    with pytest.raises(ValueError, match=r"^bot .*: program '\./mybot' is not executable$"):
        parse_bots(["stdio:./mybot"], tmp_path)


@loop_over("bot", ["=random", "external:", " a=random", f"{65 * 'x'}=random", "\udcff=random"])
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
        assert [*map(str, found.values())] == [bot.partition("=")[2] or bot for bot in bots]
        for name in found:
            decode_from_bot(encode(Hello(PROTOCOL_VERSION, name, [])))


# House bots


@loop_over("spec", ["strong", "strong:4", "strong@nodes=9", "strong:4@nodes=9"])
def test_strong_needs_a_strong_search(spec: str) -> None:
    assert supported_games(BotSpec.parse(spec), ["take_stones", "isolation"]) == ["isolation"]
    with pytest.raises(ValueError, match=r"^bot ann cannot play take_stones, which has no strong "):
        check_playable(read_bots({"ann": spec}), "take_stones")


def test_house_bots() -> None:
    bots = parse_house_bots(["random", "Greta=greedy", "spec:4@nodes=100", "perfect"], GAMES)
    names = {name: name for name in ("random", "spec:4@nodes=100", "perfect")}
    assert bots == read_bots(names | {"Greta": "greedy"})
    assert [*parse_house_bots(["openspiel:mcts:50"], ["isolation"])] == ["openspiel:mcts:50"]
    assert [*parse_house_bots(["perfect"], ["isolation", "take_stones"])] == ["perfect"]
    with pytest.raises(ValueError, match=r"^bot perfect cannot play isolation, which has no solv"):
        parse_house_bots(["perfect", "random"], ["isolation"])
    with pytest.raises(ValueError, match=r"^bot 'spec:4@nodes=x': expected nodes from 1 to 9+"):
        parse_house_bots(["spec:4@nodes=x"], ["take_stones"])


@loop_over("spec", ["cmd:cat", "external:Ann", "spec", "python:my:Bot"])
def test_only_built_in_bots_can_be_house_bots(spec: str) -> None:
    with pytest.raises(ValueError, match=f"^bot '{spec}' cannot be a house bot \\(choose from r"):
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
    assert supported_games(BotSpec.parse(spec), ["take_stones", "isolation", NIM.name]) == expected


def test_playable_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    check_playable(read_bots({"a": "random", "b": "cmd:cat", "c": "external:c"}), NIM.name)
    check_playable(read_bots({"a": "spec:3"}), "isolation")
    with pytest.raises(ValueError, match=r"^bot deep cannot play misere_nim, which has no ev"):
        check_playable(read_bots({"a": "random", "deep": "spec:9"}), NIM.name)
    with pytest.raises(ValueError, match=r"^bot b cannot play isolation, which has no solver$"):
        check_playable(read_bots({"b": "perfect"}), "isolation")


def test_a_range_stands_for_a_bot_of_each_depth() -> None:
    assert [*parse_bots(["spec:2-6/2", "random"])] == ["spec:2", "spec:4", "spec:6", "random"]
    assert [*parse_bots(["strong:1-2@nodes=9"])] == ["strong:1@nodes=9", "strong:2@nodes=9"]
    assert len(parse_bots(["spec:1-100"])) == 100


@loop_over(
    "bot, error",
    ("spec:3-1", "a range needs FIRST <= LAST and STEP >= 1"),
    ("spec:1-3/0", "a range needs FIRST <= LAST and STEP >= 1"),
    ("spec:0-100", "too many depths: 101 (at most 100)"),
    ("deep=spec:1-3", "expected a depth from 0 to 999999999 plies, got '1-3'"),
)
def test_invalid_ranges(bot: str, error: str) -> None:
    assert error_for("random", bot) == f"bot {bot.removeprefix('deep=')!r}: {error}"
