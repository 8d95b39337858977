"""The words of a text, with their places."""

from arena.teaching.notation.words import lines_of_words


def test_words_have_places() -> None:
    [first, second] = lines_of_words("A(3,\n  x=-4) # y")
    assert [(word.text, *word.place) for word in first] == [("A", 1, 1), ("(", 1, 2), ("3", 1, 3)]
    found = [(word.text, word.value, word.is_mark, str(word.place)) for word in second]
    assert found == [
        ("x", None, False, "line 2, column 3"),
        ("=", None, True, "line 2, column 4"),
        ("-4", -4.0, False, "line 2, column 5"),
        (")", None, True, "line 2, column 7"),
    ]


def test_numbers_and_players() -> None:
    [words] = lines_of_words("1 +2 -.5 3. 1e3 x 1x inf nan 0x1 \u0663")
    values = [word.value for word in words]
    assert values == [1.0, 2.0, -0.5, 3.0, 1000.0, *[None] * 6]
    [words] = lines_of_words("max MIN maxi")
    assert [word.player for word in words] == [True, False, None]
