"""What a program has written about its crash."""

from arena.grading.program_output import describe_crash
from tests.support.cases import loop_over

SCANNER = """Exception in thread "main" java.util.NoSuchElementException
\tat java.base/java.util.Scanner.throwFor(Scanner.java:937)
\tat java.base/java.util.Scanner.nextInt(Scanner.java:2258)
\tat TakeStones.read(TakeStones.java:12)
\tat TakeStones.main(TakeStones.java:5)
"""
CAUSED = """Exception in thread "main" java.lang.ExceptionInInitializerError
\tat a.b.Game.<init>(Game.java:3)
\tat a.b.TakeStones.main(TakeStones.java:7)
Caused by: java.lang.NumberFormatException: For input string: "x"
\tat java.base/java.lang.Integer.parseInt(Integer.java:652)
\tat a.b.Game$Rules.<clinit>(Game.java:9)
\t... 1 more
"""
NO_OWN_CAUSE = """java.lang.RuntimeException: outer
\tat Game.play(Game.java:4)
Caused by: java.lang.IllegalStateException
\tat java.base/java.lang.Thread.run(Thread.java:833)
\t... 2 more
"""
PYTHON = """Traceback (most recent call last):
  File "/tmp/game/main.py", line 9, in <module>
    main()
  File "/tmp/game/rules.py", line 4, in moves
    return choose([])
  File "/usr/lib/python3.11/random.py", line 373, in choice
    raise IndexError('Cannot choose from an empty sequence')
IndexError: Cannot choose from an empty sequence
"""


@loop_over(
    "errors, text",
    ("", ""),
    ("one\ntwo\n", "two"),
    (SCANNER, "java.util.NoSuchElementException in java.util.Scanner at TakeStones.java:12"),
    (CAUSED, 'java.lang.NumberFormatException: For input string: "x" at Game.java:9'),
    (NO_OWN_CAUSE, "java.lang.IllegalStateException at Game.java:4"),
    ("\tat Game.play(Game.java:4)\n" * 3, " at Game.java:4"),
    (
        "java.lang.Error\n\tat java.base/java.lang.Thread.run(Native Method)\nlast",
        "java.lang.Error",
    ),
    (PYTHON, "IndexError: Cannot choose from an empty sequence at rules.py:4"),
    (
        '  File "main.py", line 1\n    x x\nSyntaxError: invalid',
        "SyntaxError: invalid at main.py:1",
    ),
    ("x" * 1000, "x" * 200),
)
def test_descriptions(errors: str, text: str) -> None:
    assert describe_crash(errors) == text
