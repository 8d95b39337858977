"""Pseudonyms of submissions, in a private file beside the database."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random, SystemRandom

import msgspec

from arena.cli.arguments import UsageError
from arena.line_file import read_text

ANIMALS = (
    "Alpaca Badger Beaver Bison Bobcat Buffalo Camel Caracal Cheetah Chipmunk Condor Coyote Crane"
    " Dingo Dolphin Eagle Egret Falcon Ferret Finch Flamingo Gazelle Gecko Gibbon Heron Ibex"
    " Jackal Jaguar Kestrel Koala Lemur Leopard Llama Lynx Magpie Manatee Marmot Marten Meerkat"
    " Mongoose Moose Narwhal Ocelot Okapi Orca Oriole Osprey Otter Panda Panther Pelican Penguin"
    " Puffin Puma Quail Raccoon Raven Robin Seal Sparrow Stork Tapir Tern Tiger Toucan Walrus"
    " Weasel Wolf Wombat Zebra"
)


def names_file(db: Path) -> Path:
    """Return the file of the pseudonyms in the tournament of a database."""
    return Path(f"{db}.names.json")


def read_names(db: Path) -> dict[str, str]:
    """Return the pseudonym of each submission, if there are pseudonyms.

    Raises:
        UsageError: The file cannot be read or is invalid.
    """
    path = names_file(db)
    try:
        return msgspec.json.decode(read_text(path), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None


def names_of(db: Path, bots: Collection[str]) -> dict[str, str]:
    """Return the names of the submissions that have played, by their pseudonyms.

    Raises:
        UsageError: No bot has a pseudonym, or their file cannot be read.
    """
    found = {pseudonym: name for name, pseudonym in read_names(db).items() if pseudonym in bots}
    if not found:
        raise UsageError(f"--names: {db} belongs to no anonymous tournament")
    return found


def assign_pseudonyms(db: Path, names: Sequence[str], others: Collection[str]) -> dict[str, str]:
    """Return a pseudonym for each name, stored ones first; new ones are stored.

    Args:
        db: The database of the tournament.
        names: The names of the submissions.
        others: The names of the other bots.

    Raises:
        UsageError: The stored ones cannot be read.
        OSError: The new ones cannot be stored.
    """
    stored = read_names(db)
    # Not from the seed of the tournament, which is public.
    assigned = stored | choose_pseudonyms(names, stored, others, SystemRandom())
    if assigned != stored:
        _write(names_file(db), assigned)
    return {name: assigned[name] for name in names}


def choose_pseudonyms(
    names: Sequence[str], known: Mapping[str, str], others: Collection[str], random: Random
) -> dict[str, str]:
    """Return pseudonyms for the names without a known one, different from all other names."""
    taken = {*known.values(), *others}
    free = (word for word in _words(random) if word not in taken)
    return {name: next(free) for name in names if name not in known}


def _words(random: Random) -> Iterator[str]:
    """Yield all words in a random order, then all with 2, and so on."""
    words, suffix, number = ANIMALS.split(), "", 1
    while True:
        for word in random.sample(words, len(words)):
            yield word + suffix
        number += 1
        suffix = f" {number}"


def _write(path: Path, names: Mapping[str, str]) -> None:
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(names)) + b"\n")
    unfinished.replace(path)
