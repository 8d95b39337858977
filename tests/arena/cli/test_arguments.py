"""What the arguments of the arena's command line mean."""

from argparse import Namespace
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

import pytest

from arena.cli import arguments as module
from arena.cli.arguments import (
    Refused,
    anchor,
    check_numbers,
    moment,
    origins,
    setups_of,
    time_control,
)
from arena.cli.parser import parse
from core import GAMES
from core.game import Game, Parameter, Position


def tournament(*words: str) -> Namespace:
    return parse(["tournament", *words])


# Setups


def stones(*words: str) -> list[int]:
    """The numbers of stones that words mean."""
    arguments = tournament("--stones", *words)
    return [setup["stones"] for setup in setups_of(["take_stones"], arguments)["take_stones"]]


def refusal(*words: str) -> str:
    with pytest.raises(Refused) as refused:
        stones(*words)
    return str(refused.value)


def test_setups_are_what_is_usual() -> None:
    assert setups_of(["take_stones", "isolation"], tournament()) == {
        "take_stones": ({"stones": 20}, {"stones": 30}, {"stones": 50}),
        "isolation": ({},),
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("7 9", [7, 9]),
        ("9 7 9", [9, 7, 9]),
        ("20-23", [20, 21, 22, 23]),
        ("7-7", [7]),
        ("20-100/20", [20, 40, 60, 80, 100]),
        ("20-99/40", [20, 60]),
        ("20-21/100", [20]),
        ("5 20-22 7 50-60/10", [5, 20, 21, 22, 7, 50, 60]),
    ],
)
def test_setups_are_what_is_given(words: str, expected: list[int]) -> None:
    assert stones(*words.split()) == expected


NO_NUMBER = "stones must be a whole number or a range such as 20-30, not"
NO_RANGE = "a range goes up from the first to the last"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("x", f"{NO_NUMBER} 'x'"),
        ("7 1.5", f"{NO_NUMBER} '1.5'"),
        ("20-", f"{NO_NUMBER} '20-'"),
        ("20-30/", f"{NO_NUMBER} '20-30/'"),
        ("20-30-40", f"{NO_NUMBER} '20-30-40'"),
        ("30-20", f"stones 30-20: {NO_RANGE}"),
        ("20-30/0", f"stones 20-30/0: {NO_RANGE}"),
        ("7 0", "stones must be at least 1, not 0"),
        ("-3", "stones must be at least 1, not -3"),
        ("7 0-5", "stones must be at least 1, not 0"),
        ("1-1000000000", "1000000000 setups of take_stones are too many, the most are 100000"),
        (
            f"1-{10**30}/10",
            f"{10**29} setups of take_stones are too many, the most are 100000",
        ),
        ("1-50000 1-50001", "100001 setups of take_stones are too many, the most are 100000"),
        (f"7 {10**15}", f"{{'stones': {10**15}}}: too many stones for this machine's memory"),
        (f"{10**15}-{10**16}/{10**15}", "{'stones': 1" + 16 * "0" + "}: too many stones for this"
         " machine's memory"),
    ],
)  # fmt: skip
def test_numbers_that_are_refused(words: str, error: str) -> None:
    assert refusal(*words.split()) == error


@pytest.mark.parametrize("word", [5000 * "9", f"1-{5000 * '9'}"])
def test_a_number_that_is_too_long_to_be_one(word: str) -> None:
    assert refusal(word) == f"{NO_NUMBER} {word!r}"


def test_as_many_setups_as_a_plan_can_hold() -> None:
    assert len(stones(f"1-{module.MOST_SETUPS}")) == module.MOST_SETUPS


@dataclass
class Made:
    """Records the positions that are made."""

    setups: list[dict[str, int]]

    def game(self, **parameters: Parameter) -> Game:
        """A game with these parameters."""
        real = GAMES["take_stones"]

        def position(**setup: int) -> Position:
            self.setups.append(setup)
            return real.position(stones=7)

        return real._replace(parameters=parameters, position=position)


def test_only_the_largest_setup_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made([])
    game = made.game(stones=GAMES["take_stones"].parameters["stones"])
    monkeypatch.setitem(GAMES, "take_stones", game)
    stones("7", "90-99", "30")
    assert made.setups == [{"stones": 99}]


def test_all_combinations_of_two_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Made([])
    rows, columns = Parameter("rows", 1, (3, 4)), Parameter("columns", 1, (5, 6))
    monkeypatch.setitem(GAMES, "board", made.game(rows=rows, columns=columns))
    arguments = tournament("--game", "board", "--columns", "7-8", "6")
    assert [tuple(setup.values()) for setup in setups_of(["board"], arguments)["board"]] == [
        (3, 7), (3, 8), (3, 6), (4, 7), (4, 8), (4, 6),
    ]  # fmt: skip
    assert made.setups == [{"rows": 4, "columns": 8}]


def test_combinations_may_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Parameter("a number", 1, (1,))
    monkeypatch.setitem(GAMES, "board", Made([]).game(rows=usual, columns=usual))
    arguments = tournament("--game", "board", "--columns", "1-1000", "--rows", "1-1000")
    with pytest.raises(Refused, match="1000000 setups of take_stones are too many"):
        setups_of(["board"], arguments)


def test_a_parameter_of_another_game() -> None:
    with pytest.raises(Refused, match="isolation has no stones"):
        setups_of(["isolation"], tournament("--stones", "7"))


# Numbers


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--rounds 0", "--rounds must be at least 1, not 0"),
        ("--seeds 0", "--seeds must be at least 1, not 0"),
        ("--pairs -1", "--pairs must be at least 1, not -1"),
        ("--opening-plies -1", "--opening-plies must be at least 0, not -1"),
        ("--concurrency 0", "--concurrency must be at least 1, not 0"),
        ("--grace -0.1", "--grace must be at least 0, not -0.1"),
        ("--grace nan", "--grace must be at least 0, not nan"),
        ("--margin -1", "--margin must be at least 0, not -1.0"),
    ],
)
def test_numbers_that_are_too_small(words: str, error: str) -> None:
    with pytest.raises(Refused) as refused:
        check_numbers(tournament(*words.split()))
    assert str(refused.value) == error


@pytest.mark.parametrize(
    "words",
    ["serve", "tournament --rounds 1 --seeds 1 --pairs 1 --opening-plies 0 --grace 0"],
)
def test_numbers_that_are_large_enough(words: str) -> None:
    check_numbers(parse(words.split()))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--time 10", "10+0"),
        ("--time 1/move", "1/move"),
        ("--time 5+0.1 --margin 0.2", "5+0.1 margin 0.2"),
        ("--time=5+0.1@ --margin 0", "5+0.1 margin 0.3"),
    ],
)
def test_time_controls(words: str, expected: str) -> None:
    given = [word.replace("@", " margin 0.3") for word in words.split()]
    assert str(time_control(tournament(*given))) == expected


BAD_MARGIN = "--margin must be from 0 to 1000000 seconds, not"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--time", "0"], "time '0' must be above 0 and at most 1000000 seconds"),
        (["--margin", "nan"], f"{BAD_MARGIN} nan"),
        (["--margin", "-1"], f"{BAD_MARGIN} -1.0"),
        (["--margin", "1000001"], f"{BAD_MARGIN} 1000001.0"),
        (
            ["--time", "5 margin 1", "--margin", "2"],
            "time '5 margin 1' has a margin already, --margin is another",
        ),
    ],
)
def test_times_that_are_refused(words: list[str], error: str) -> None:
    with pytest.raises(Refused) as refused:
        time_control(tournament(*words))
    assert str(refused.value) == error


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("ann", ("ann", 0.0)),
        ("ann=1500", ("ann", 1500.0)),
        ("ann=-2.5", ("ann", -2.5)),
        ("a=b=1", ("a=b", 1.0)),
    ],
)
def test_anchors(word: str, expected: tuple[str, float]) -> None:
    assert anchor(tournament("--anchor", word)) == expected


def test_no_anchor() -> None:
    assert anchor(tournament()) is None


@pytest.mark.parametrize("elo", ["", "x", "nan", "inf"])
def test_an_anchor_without_a_rating(elo: str) -> None:
    with pytest.raises(Refused) as refused:
        anchor(tournament("--anchor", f"ann={elo}"))
    assert str(refused.value) == f"--anchor 'ann={elo}': {elo!r} is not a rating in Elo"


# Times of day


@pytest.mark.parametrize("text", ["20:00", "00:00", "23:59:59", "07:30"])
def test_a_time_of_day_is_the_next(text: str) -> None:
    at, now = moment(text), datetime.now()
    assert at.time() == time.fromisoformat(text)
    assert now - timedelta(minutes=1) < at <= now + timedelta(days=1)


@pytest.mark.parametrize("text", ["2030-12-31T20:00", "2030-12-31 20:00", "2030-12-31T20:00:00"])
def test_a_time_on_a_date(text: str) -> None:
    assert moment(text) == datetime(2030, 12, 31, 20)


def test_a_time_somewhere_else_is_local() -> None:
    there = datetime(2030, 12, 31, 20, tzinfo=UTC)
    assert moment("2030-12-31T20:00Z").timestamp() == there.timestamp()


def test_no_time() -> None:
    with pytest.raises(Refused, match="argument --at: invalid moment value: 'soon'"):
        tournament("--server", "--at", "soon")


# Who is let in


def test_this_machine_alone_by_default() -> None:
    arguments = parse(["serve"])
    assert (arguments.tokens, arguments.open, arguments.host) == (None, False, "127.0.0.1")
    assert (origins(arguments), arguments.connections) == ([], 1000)


def test_either_with_tokens_or_open() -> None:
    with pytest.raises(Refused, match="argument --open: not allowed with argument --tokens"):
        parse(["serve", "--tokens", "t.json", "--open"])


@pytest.mark.parametrize("connections", ["0", "-1"])
def test_no_room_for_anybody(connections: str) -> None:
    with pytest.raises(Refused, match=f"--connections must be at least 1, not {connections}"):
        check_numbers(tournament("--connections", connections))


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://arena.example", "https://arena.example"),
        ("HTTPS://Arena.Example/", "https://arena.example"),
        ("https://arena.example:443", "https://arena.example"),
        ("http://arena.example:80/", "http://arena.example"),
        ("http://arena.example:443", "http://arena.example:443"),
        ("http://[::1]:8765", "http://[::1]:8765"),
    ],
)
def test_an_origin_is_as_a_browser_sends_it(text: str, origin: str) -> None:
    assert origins(parse(["serve", "--origin", text])) == [origin]


def test_origins_are_given_together_or_one_by_one() -> None:
    arguments = tournament("--origin", "http://a", "http://b", "--origin", "http://c")
    assert origins(arguments) == ["http://a", "http://b", "http://c"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "null",
        "arena.example",
        "ws://arena.example",
        "https://",
        "https://[::1",
        "https://a:x",
        "https://a/play",
        "https://a?b",
        "https://a#b",
        "https://me@a",
        "https://\u212aelvin.example",
        "https://\u00e4.example",
    ],
)
def test_what_is_no_origin(text: str) -> None:
    with pytest.raises(Refused) as refused:
        origins(tournament("--origin", text))
    assert str(refused.value) == f"--origin {text!r} is not like https://HOST or http://HOST:PORT"
