"""Specifications of bots: names, built-in bots, commands."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.player import PROTOCOL_VERSION, Hello
from arena.runner.bot_spec import (
    check_playable,
    command_words,
    default_name,
    is_builtin,
    parse_bots,
    parse_house_bots,
    program_in,
    supported_games,
)
from core import GAMES
from tests.support.games.toy_games import NIM


def error_for(*bots: str) -> str:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the test looks at all of the text)
        parse_bots(bots)
    return str(raised.value)


@pytest.mark.parametrize(
    ("bots", "expected"),
    [
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
    ],
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


def test_a_program_can_be_a_house_bot() -> None:
    bots = ["ann=program:sh", "random"]
    assert parse_house_bots(bots, ["take_stones"]) == {"ann": "program:sh", "random": "random"}
    assert parse_house_bots(bots, ["isolation"]) == {"random": "random"}


def test_bots_stay_in_order() -> None:
    assert [*parse_bots(["b=random", "a=random", "c=random"])] == ["b", "a", "c"]


def test_the_default_name_of_a_program_is_its_file_name(tmp_path: Path) -> None:
    bot = tmp_path / "my bot.sh"
    bot.touch(0o700)
    assert default_name(f"cmd:'{bot}' --fast") == "my bot.sh"


def test_programs_run_in_the_folder_of_bot_files(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for name in ("mine", "inner/other"):
        (tmp_path / name).touch(0o700)
    bots = ["stdio:./mine", "program:./mine", "program:in=inner depth=2 ./other"]
    assert [*parse_bots(bots, tmp_path)] == ["mine", "mine#2", "other"]
    for bot in (*bots, "cmd:./mine"):
        with pytest.raises(ValueError, match=r" not found$"):
            parse_bots([bot], None if bot in bots else tmp_path)


def test_a_command_may_hold_an_equals_sign() -> None:
    bot = "cmd:env DEPTH=3 cat"
    assert parse_bots([bot, f"ann={bot}"]) == {"env": bot, "ann": bot}


def test_bots_with_the_same_default_name_are_numbered() -> None:
    names = [*parse_bots(["greedy", "random", "greedy", "external:x", "greedy"])]
    assert names == ["greedy", "random", "greedy#2", "x", "greedy#3"]


def test_programs_with_the_same_file_name_are_numbered() -> None:
    found = parse_bots(["cmd:sh a.sh", "stdio:sh b.sh"])
    assert found == {"sh": "cmd:sh a.sh", "sh#2": "stdio:sh b.sh"}


@pytest.mark.parametrize(
    ("bots", "name"),
    [
        ("greedy greedy external:greedy#2", "greedy#2"),
        ("greedy#2=random greedy greedy", "greedy#2"),
        ("ann=random ann=greedy", "ann"),
        ("ann=random ann=random", "ann"),
        ("greedy greedy=random", "greedy"),
        ("random external:random", "random"),
        ("external:ann external:ann", "ann"),
    ],
)
def test_duplicate_names(bots: str, name: str) -> None:
    assert error_for(*bots.split()) == f"two bots are named {name}"


@pytest.mark.parametrize(
    ("bot", "error"),
    [
        ("cmd:", "bot 'cmd:': no command"),
        ("stdio: ", "bot 'stdio: ': no command"),
        ("ann=cmd:", "bot 'cmd:': no command"),
        ("cmd:'", 'bot "cmd:\'": No closing quotation'),
        ("cmd:no-such-bot -x", "bot 'cmd:no-such-bot -x': program 'no-such-bot' not found"),
        (
            "ann=external:bob",
            "bot 'ann=external:bob': an external bot keeps its own name, bob",
        ),
        (
            "ann\n=random",
            "bot 'ann\\n=random': expected printable characters without surrounding spaces",
        ),
    ],
)
def test_invalid_specifications(bot: str, error: str) -> None:
    assert error_for("random", bot).removesuffix(" - at `$`") == error


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


@pytest.mark.parametrize("spec", ["random", "spec:4", "no such bot"])
def test_built_in_bots(spec: str) -> None:
    assert is_builtin(spec)


@pytest.mark.parametrize("spec", ["external:x", "cmd:x", "stdio:x"])
def test_other_bots(spec: str) -> None:
    assert not is_builtin(spec)


def test_words_of_a_command() -> None:
    assert command_words("cmd:env 'A B=1' cat") == ["env", "A B=1", "cat"]


# House bots


def test_house_bots() -> None:
    bots = parse_house_bots(["random", "Greta=greedy", "spec:12", "perfect"], GAMES)
    assert bots == {"random": "random", "Greta": "greedy", "spec:12": "spec:12"} | {
        "perfect": "perfect"
    }


def test_a_house_bot_without_a_game_is_left_out() -> None:
    assert parse_house_bots(["perfect", "random"], ["isolation"]) == {"random": "random"}


@pytest.mark.parametrize("spec", ["cmd:cat", "external:Ann", "spec", "spec:x", "spec:", "randomly"])
def test_only_built_in_bots_can_be_house_bots(spec: str) -> None:
    with pytest.raises(ValueError, match=f"^unknown bot '{spec}' \\(choose from random, "):
        parse_house_bots([spec], GAMES)


@pytest.mark.parametrize(
    ("spec", "games"), [("perfect", ["take_stones"]), ("spec:4", ["take_stones", "isolation"])]
)
def test_supported_games(spec: str, games: list[str]) -> None:
    assert supported_games(spec, ["take_stones", "isolation"]) == games


@pytest.mark.parametrize(
    ("spec", "can_play"),
    [
        ("random", True),
        ("greedy", True),
        ("spec:0", True),
        ("spec:00", True),
        ("spec:10", False),
        ("spec", False),
        ("perfect", False),
    ],
)
def test_games_without_an_evaluation(
    spec: str, can_play: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert supported_games(spec, [NIM.name]) == [NIM.name] * can_play


def test_playable_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    check_playable({"a": "random", "b": "cmd:cat", "c": "external:c"}, NIM.name)
    check_playable({"a": "spec:3"}, "isolation")
    with pytest.raises(ValueError, match=r"^bot deep cannot play misere_nim, which has no ev"):
        check_playable({"a": "random", "deep": "spec:9"}, NIM.name)
    with pytest.raises(ValueError, match=r"^bot b cannot play isolation, which has no solver$"):
        check_playable({"b": "perfect"}, "isolation")
