"""Problems: an observer hears of each change once."""

from arena.model.observer import CompositeObserver, Observer, Problems, no_report


class Recorder(Observer):
    """Recorder of what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, ...]] = []

    def degraded(self, part: str, cause: str) -> None:
        self.heard.append((part, cause))

    def recovered(self, part: str) -> None:
        self.heard.append((part,))


def test_each_change_is_reported_once() -> None:
    recorder = Recorder()
    lines: list[str] = []
    problems = Problems(CompositeObserver([Observer(), recorder]), lines.append)
    for cause in ("", "no right", "no right", "no file", "", ""):
        problems.report("tokens", cause)
    problems.report("bans", "no file")
    no_report("nothing hears this")
    expected = [("tokens", "no right"), ("tokens", "no file"), ("tokens",), ("bans", "no file")]
    assert recorder.heard == expected
    assert lines[::2] == ["degraded, tokens: no right", "recovered: tokens"]
