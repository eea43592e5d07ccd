"""Check that what a start record says fits together."""

from dealer.audit.hands import expect, require
from dealer.journal.records import StartRecord
from dealer.ledger.formats.registry import find_format
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.match import MIN_PLAYERS
from protocol.shuffle import commitment, seed_from_text
from protocol.wire.text import load_text


def read_settings(record: StartRecord) -> Settings:
    """The settings of a tournament.

    Raises:
        ValueError: two fields do not fit together, or an option of the game has a value that it may not have.
    """
    settings = record.settings()
    for name, fact in settings.game.facts.items():
        expect(name, record.options.get(name), fact)
    expect("commitment", record.commitment, commitment(settings.seed))
    if settings.seed_text is not None:
        expect("seed", settings.seed, seed_from_text(settings.seed_text))
    if find_format(settings.format).rounds_from is None:
        expect("rounds", settings.rounds, None)
    if settings.acpc is not None:
        _check_acpc(settings)
    return settings


def _check_acpc(settings: Settings) -> None:
    text = load_text(settings.game.name).acpc
    require(text is not None, f"programs of the ACPC do not play {settings.game.name}")
    for name, value in text.options.items() if text is not None else ():
        expect(name, getattr(settings.game, name), value)


def read_players(record: StartRecord, settings: Settings) -> list[Player]:
    """The players of a tournament, without seats.

    Raises:
        ValueError: they are too few, two have the same id, or one is a program of the ACPC where none can take part.
    """
    told = record.players
    require(len(told) >= MIN_PLAYERS, f"a tournament has {MIN_PLAYERS} players or more")
    ids = [player.id for player in told]
    require(len(set(ids)) == len(ids), "no two players have the same id")
    players = [
        Player(one.id, one.avatar, one.program, lives=settings.lives, proof=one.proof, acpc=one.acpc) for one in told
    ]
    if settings.acpc is None:
        require(not any(player.acpc for player in players), "no program of the ACPC could take part")
    return players
