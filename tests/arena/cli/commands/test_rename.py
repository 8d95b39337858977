"""Command `arena rename`, run as in a shell."""

from pathlib import Path

from arena.cli.class_tournament.pseudonyms import names_file
from tests.support.servers.arena_command import CompletedCommand, Run
from tests.support.tournaments.databases import make_database, stored_records
from tests.support.tournaments.records import make_pairing, make_record


def test_a_name_is_replaced(db: Path, arena: Run) -> None:
    make_database(db, [make_record(make_pairing(None))], None)
    line = f"1 match of Cyd in {db}\n"
    assert arena("rename", db, "anna", "Cyd") == CompletedCommand(0, line, "")
    assert [record.pairing.players for record in stored_records(db)] == [("Cyd", "bert")]
    problem = "arena: name 'a\\nb': expected printable characters without surrounding spaces\n"
    assert arena("rename", db, "bert", "a\nb") == CompletedCommand(2, "", problem)


def test_a_pseudonym_of_a_class_stays(db: Path, arena: Run) -> None:
    make_database(db, [make_record()])
    file = names_file(db)
    file.write_text('{"ada": "anna"}')
    line = f"arena: anna is a pseudonym already, in {file}\n"
    assert arena("rename", db, "anna", "Cyd") == CompletedCommand(2, "", line)
