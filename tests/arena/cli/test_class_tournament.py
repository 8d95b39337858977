"""Preparation of a tournament of submissions: participants, without a match."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.cli.class_tournament import new_versions, prepare, student_of
from arena.cli.planning import check_plan, make_plan, stored_plan
from arena.cli.pseudonyms import read_names
from arena.cli.tournament_options import DEFAULT_BENCHMARKS, ClassConfig, TournamentConfig
from arena.sandbox import sandbox
from arena.sandbox.limits import Policy
from arena.sandbox.written_files import remove_folder
from arena.storage.lock import lock_path, locked_file
from arena.storage.reader import DatabaseReader
from arena.storage.rewriting import rename_player
from arena.storage.schema import DatabaseInUse
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import Plan
from tests.support.cases import loop_over
from tests.support.grading.classes import FAILING, PROGRAM, write_class, write_submission
from tests.support.servers.arena_command import configured
from tests.support.tournaments.databases import make_database


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two submissions."""
    return write_class(tmp_path / "hw2", "ada", "bob")


def tournament(folder: Path, *words: object) -> ClassConfig:
    flags = [folder, "--db", folder.parent / "cup.db", "--sandbox", "off", *words]
    return configured(ClassConfig, "class", *map(str, flags))


def ready(config: ClassConfig) -> ClassConfig:
    """Return the configuration with its programs, without a tournament."""
    with prepare(config) as found:
        return found


def prepared(folder: Path, *words: object) -> Plan:
    """Return the plan of a tournament, which is stored as if it had begun."""
    config = ready(tournament(folder, *words))
    stored = stored_plan(config.db)
    plan = make_plan(config, stored)
    check_plan(config, plan, stored)
    assert config.db
    if not config.db.exists():
        with DatabaseWriter(config.db) as writer:
            writer.save_plan(plan.to_json())
    return plan


def error_for(folder: Path, *words: object) -> str:
    with pytest.raises(UsageError) as raised:
        ready(tournament(folder, *words))
    return str(raised.value)


def test_submissions_play_benchmarks(folder: Path) -> None:
    bots = prepared(folder).bots
    assert [*bots] == [*DEFAULT_BENCHMARKS, "ada", "bob"]
    builds = folder.parent.resolve() / "cup.db.builds"
    assert bots["ada"].startswith(f"program:in={builds}/")
    assert bots["ada"].endswith("/program ./main")


def test_benchmarks_can_be_chosen(folder: Path) -> None:
    chosen = prepared(folder, "--bots", "random", "random").bots
    assert [*chosen] == ["random", "random#2", "ada", "bob"]


def test_there_may_be_a_new_database(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    words = ["class", "hw2", "--sandbox", "off", "--anonymous"]
    with prepare(configured(ClassConfig, *words)) as config:
        assert config.db
        assert config.db.parent == Path("results")
        assert Path(f"{config.db}.builds").is_dir()
        config.db.write_text("matches")
    assert len([*Path("results").iterdir()]) == 3  # the database, its builds and the names


def test_a_new_database_that_is_not_created_has_no_builds(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    words = ["class", "hw2", "--sandbox", "off"]
    ready(configured(ClassConfig, *words, "--anonymous"))
    for name in "ada", "bob":
        write_submission(folder, name, FAILING)
    with pytest.raises(UsageError, match=r"^none of 2 submissions can be built$"):
        ready(configured(ClassConfig, *words))
    assert [*Path("results").iterdir()] == []


def test_builds_and_names_of_an_earlier_run_are_kept(folder: Path) -> None:
    db = ready(tournament(folder, "--anonymous")).db
    assert db
    before, names = sorted(Path(f"{db}.builds").iterdir()), read_names(db)
    for name in "ada", "bob":
        write_submission(folder, name, FAILING)
    error_for(folder, "--anonymous")
    assert {*before} < {*Path(f"{db}.builds").iterdir()}
    assert read_names(db) == names
    remove_folder(Path(f"{db}.builds"))
    error_for(folder, "--anonymous")
    assert not Path(f"{db}.builds").exists()
    assert read_names(db) == names


def test_a_sandbox_is_required(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap_problem", lambda: "bwrap is not installed")
    config = tournament(folder)
    words = ["class", str(folder), "--db", str(config.db)]
    with pytest.raises(UsageError) as raised:
        ready(configured(ClassConfig, *words))
    assert str(raised.value) == (
        "--sandbox require: bwrap is not installed; --sandbox off runs programs that you trust"
    )
    assert ready(config).sandbox is Policy.OFF
    assert not capsys.readouterr().err
    ready(configured(ClassConfig, *words, "--sandbox", "auto"))
    assert capsys.readouterr().err.count("not isolated: bwrap is not installed\n") == 1


def test_other_submissions_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_submission(folder, "eva", FAILING)
    plan = prepared(folder)
    assert "eva" not in plan.bots
    assert capsys.readouterr().err == (
        "arena: submission eva does not take part:"
        " at a trial start, the program ended with status 3\n"
    )
    assert prepared(folder) == plan


def test_settings_of_the_teacher(folder: Path) -> None:
    (folder / "grade.toml").write_text("[submissions.bob]\nrun = 'sh ./main'\n")
    assert prepared(folder).bots["bob"].endswith("/program sh ./main")


def test_what_is_left_out_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "eva.txt").touch()
    (folder / "grade.toml").write_text("[submissions.eva]\nrun = './eva'\n")
    prepared(folder)
    assert capsys.readouterr().err.splitlines() == [
        "arena: left out, as neither a program nor an archive: eva.txt",
        f"arena: warning: {folder / 'grade.toml'}: no submission is named eva",
    ]


def test_invalid_folders(tmp_path: Path) -> None:
    absent, empty, broken = (tmp_path / name for name in ("absent", "empty", "broken"))
    empty.mkdir()
    write_submission(broken, "eva", FAILING)
    assert error_for(absent) == f"{absent}: no such file or folder"
    assert error_for(empty) == f"{empty} contains no submission"
    assert not (tmp_path / "cup.db.builds").exists()
    assert error_for(broken) == "none of 1 submission can be built"
    assert [*tmp_path.glob("cup.*")] == []


def test_invalid_settings_and_bots(folder: Path) -> None:
    assert error_for(folder, "--bots", "a=random", "a=greedy") == "two bots are named a"
    settings = folder / "grade.toml"
    settings.write_text("x = 1")
    unknown = "unknown key 'x' (choose from default, submissions)"
    assert error_for(folder) == f"{settings}: {unknown}"


@loop_over(
    "words, error",
    ("--part 1/2", "--part requires --seed, the same one for all parts"),
    ("--book no.txt", "cannot read no.txt: No such file or directory"),
    ("--tokens no.json", "cannot read no.json: No such file or directory"),
    ("--bots ada=random", "a submission and a bot of --bots are both named ada"),
    ("--format gauntlet --seeds 7", "--seeds must be at most 6 with 7 bots, not 7"),
    ("--wait 1", "--wait requires --server or an external bot"),
    ("--bots x=random --anchor y", "--anchor: unknown bot 'y' (choose from x, ada, bob)"),
    ("--bots x=random --anonymous --anchor ada", "--anchor: unknown bot 'ada' (choose from x)"),
)
def test_flags_are_checked_before_anything_is_built(folder: Path, words: str, error: str) -> None:
    assert error_for(folder, *words.split()) == error
    assert [*folder.parent.iterdir()] == [folder]


def test_submissions_that_cannot_be_built_do_not_count(folder: Path) -> None:
    words = "--sprt", "elo0=0", "elo1=5", "--bots", "random"
    write_submission(folder, "bob", FAILING)
    assert error_for(folder, *words, "greedy") == "--sprt compares 2 bots, not 4"
    assert [*prepared(folder, *words).bots] == ["random", "ada"]


def test_paths_that_a_plan_cannot_store(folder: Path) -> None:
    db = folder.parent / "cup\udcff.db"
    with pytest.raises(UsageError) as raised:
        ready(replace(tournament(folder), db=db))
    assert str(raised.value) == f"path {str(db)!r} is not in UTF-8"


def test_two_at_once_do_not_share_builds(folder: Path) -> None:
    config = tournament(folder)
    assert config.db
    builds = Path(f"{config.db}.builds")
    for locked in (config.db, builds):
        with (
            locked_file(lock_path(locked), wait=False),
            pytest.raises(DatabaseInUse, match=f"^another arena is writing to {locked}$"),
        ):
            ready(config)
    assert not builds.exists()
    with prepare(config), pytest.raises(DatabaseInUse, match=f" writing to {builds}$"):
        ready(config)


def test_a_tournament_of_a_given_duration_keeps_its_size(folder: Path) -> None:
    plan = prepared(folder, "--duration", "5h", "--stones", "8", "--seed", "1")
    assert plan.rounds > 1
    assert prepared(folder, "--duration", "4h", "--stones", "8") == plan


# Resumption


def test_a_renamed_submission_plays_on(folder: Path) -> None:
    plan = prepared(folder)
    rename_player(folder.parent / "cup.db", "ada", "x")
    assert prepared(folder).bots == {
        "x" if name == "ada" else name: spec for name, spec in plan.bots.items()
    }


def test_versions_of_students() -> None:
    stored = {"a": "1", "b": "2", "b.2": "3", "c": "4"}
    given = {"a": "1", "b": "5", "c": "6", "c.2": "7"}
    assert new_versions(stored, given) == {"b.3": "5", "c.3": "6", "c.2": "7"}
    assert new_versions(stored, {"b": "2"}) == {}
    assert [student_of(name, stored) for name in ("b.2", "a", "x.2")] == ["b", "a", "x.2"]


def test_an_extended_tournament_has_new_programs_after_the_stored_ones(folder: Path) -> None:
    before = prepared(folder).bots
    write_submission(folder, "ada", f"{PROGRAM}# corrected")
    write_submission(folder, "eva", f"{PROGRAM}# late")
    shutil.rmtree(folder / "bob")
    config = ready(tournament(folder, "--extend"))
    plan = make_plan(config, stored_plan(config.db))
    assert [*plan.bots.items()][: len(before)] == [*before.items()]
    assert [*plan.bots][len(before) :] == ["ada.2", "eva"]
    assert config.db
    with DatabaseReader(config.db) as reader, DatabaseWriter(config.db) as writer:
        stored = reader.plan()
        assert stored
        writer.replace_plan(stored, plan.to_json(), 0.0)
    write_submission(folder, "bob")
    assert prepared(folder) == plan  # continued


def test_changed_submissions(folder: Path) -> None:
    prepared(folder)
    write_submission(folder, "ada", f"{PROGRAM}# corrected")
    write_submission(folder, "eva")
    (folder / "bob").rename(folder / "carl")
    assert error_for(folder) == (
        f"{folder.parent}/cup.db belongs to a different tournament: bob is missing, ada.2 is new,"
        " carl is new, eva is new (--extend keeps the programs that have played, and adds new ones)"
    )


def test_another_tournament_is_refused_before_anything_is_built(folder: Path, db: Path) -> None:
    plan = make_plan(configured(TournamentConfig, "tournament", "--bots", "random", "greedy"))
    make_database(db, [], plan.to_json())
    line = f"{db} belongs to a different tournament, without submissions"
    config = replace(tournament(folder), db=db)
    with pytest.raises(UsageError, match=f"^{line}$"):
        ready(config)
    assert not Path(f"{db}.builds").exists()
    extended = ready(replace(config, extend=True))
    assert extended.bots[-1].startswith("bob=program:")


def test_pseudonyms_are_stable(folder: Path) -> None:
    plan = prepared(folder, "--anonymous")
    names = read_names(folder.parent / "cup.db")
    assert [*plan.bots] == [*DEFAULT_BENCHMARKS, *sorted(names.values())]
    assert names.keys() == {"ada", "bob"}
    assert not [text for text in ("ada", "bob") if text in plan.to_json()]
    assert prepared(folder, "--anonymous") == plan


@pytest.mark.parametrize(
    ("first", "then", "kind"),
    [("--anonymous", "--json", "with"), ("--json", "--anonymous", "without")],
)
def test_anonymity_cannot_be_changed(folder: Path, first: str, then: str, kind: str) -> None:
    prepared(folder, first)
    assert error_for(folder, then) == (
        f"{folder.parent}/cup.db belongs to a different tournament, {kind} --anonymous"
    )


def test_pseudonyms_of_a_refused_tournament_are_ignored(folder: Path) -> None:
    ready(tournament(folder, "--anonymous"))
    plan = prepared(folder)
    assert "ada" in plan.bots
    assert prepared(folder) == plan
