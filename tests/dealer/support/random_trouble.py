"""Tournaments with random trouble: programs hang up, come back and err, the host gives commands, the dealer dies.

Every deal is inspected.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import trio

from dealer.journal.file import AppendFile
from dealer.journal.writer import Journal, open_journal
from dealer.ledger.readmission import refusal
from dealer.lobby.listener import accept_players, open_listener
from dealer.lobby.player import Player
from dealer.net.watchdog import open_watchdog
from dealer.settings import Settings
from dealer.tournament.opening import NewTournament, Opening, ResumedTournament, reopen_journal
from dealer.tournament.tournament import Tournament
from protocol.games.blockhead import BlockheadTurn
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_command, encode
from tests.bad_bots.peer import Peer
from tests.dealer.support.inspected import inspect
from tests.dealer.support.rig import HOST, Decide, Rig, by_chance
from tests.patience import PATIENCE

#: Commands of the host in a tournament, at most.
ORDERS = 6

#: Turns of the event loop between two commands, at most.
STEPS = 400


@dataclass(frozen=True)
class Trouble:
    """How much goes wrong.

    Attributes:
        seed: of all that happens by chance.
        hangs_up: how often a program hangs up and comes back, per reply; 0 where players cannot come back.
        errs: how often it makes a mistake that may put it out.
        orders: whether the host gives commands.
    """

    seed: int
    hangs_up: float
    errs: float
    orders: bool


async def play_with_trouble(path: Path, agreed: Settings, players: int, trouble: Trouble) -> Tournament:
    """A new tournament with a journal, to its end."""
    async with open_journal(AppendFile.create(path)) as journal:
        return await _play(NewTournament(agreed, players), journal, [f"p{n}" for n in range(players)], trouble)


async def resume_with_trouble(path: Path, trouble: Trouble, absent: int) -> Tournament:
    """Resume a tournament without some of its players."""
    reopened = reopen_journal(path)
    opening = ResumedTournament(reopened.rebuild, reopened.cut)
    back = [player.id for player in opening.wanted][absent:]
    async with open_journal(reopened.file) as journal:
        return await _play(opening, journal, back, trouble)


async def _play(opening: Opening, journal: Journal, ids: Sequence[str], trouble: Trouble) -> Tournament:
    with trio.fail_after(PATIENCE):
        async with open_watchdog() as watchdog, trio.open_nursery() as nursery:
            listener = await open_listener(HOST, 0, opening.settings.limit)
            nursery.start_soon(accept_players, listener, opening.lobby, watchdog)
            rig = Rig(nursery, watchdog, opening, listener, journal)
            for number, id_ in enumerate(ids):
                expected = len(rig.lobby.players) + 1
                nursery.start_soon(_play_erratically, rig, id_, trouble, Random(f"{trouble.seed}/{number}"))
                while len(rig.lobby.players) < expected:
                    await rig.lobby.changed()
            tournament = rig.begin()
            inspect(tournament.ledger)
            if trouble.orders:
                nursery.start_soon(_give_orders, rig, tournament, trouble)
            elif tournament.tempo.paused:
                tournament.resume()  # it was paused when the dealer died
            await tournament.run()
            nursery.cancel_scope.cancel()
    return tournament


async def _play_erratically(rig: Rig, id_: str, trouble: Trouble, rng: Random) -> None:
    """A program that comes back until it is told that it is done."""
    decide = by_chance(rng.randrange(10**6))
    for _ in range(20):
        peer = Peer(await rig.connect())
        async with peer.stream:
            try:
                if not await _session(peer, rig.opening.settings.game.name, id_, decide, trouble, rng):
                    return
            except trio.BrokenResourceError:
                pass
        await trio.sleep(rng.choice([0, 0, 0.5, 2, 4]))


async def _session(peer: Peer, game: str, id_: str, decide: Decide, trouble: Trouble, rng: Random) -> bool:
    """Whether it wants to come back."""
    await peer.log_in(f"{id_}:{id_.upper()}")
    while (text := await peer.hear()) is not None:
        if text.startswith("done"):
            return False
        turn = decode_command(text, game)
        if not isinstance(turn, StudTurn | BlockheadTurn):
            continue
        if rng.random() < trouble.hangs_up:
            return True
        if rng.random() < trouble.errs:
            await peer.say(rng.choice(["nonsense", "quit", "bet:99999999"]))
        else:
            await peer.say(encode(decide(turn)))
    return True


async def _give_orders(rig: Rig, tournament: Tournament, trouble: Trouble) -> None:
    """Orders of a host, between any two steps of the dealer; a pause does not last."""
    rng = Random(trouble.seed)
    for _ in range(rng.randrange(ORDERS)):
        for _ in range(rng.randrange(STEPS)):
            await trio.lowlevel.checkpoint()
        if rng.random() < 0.2:
            await trio.sleep(rng.choice([0.5, 3.5]))
        if tournament.over or tournament.stopping or tournament.ledger.seating.over:
            return
        _order(tournament, rng)
        for player in _let_in(tournament, rng):
            rig.nursery.start_soon(_play_erratically, rig, player.id, trouble, Random(rng.random()))
    if tournament.tempo.paused and not tournament.over:
        tournament.resume()


def _let_in(tournament: Tournament, rng: Random) -> list[Player]:
    """Let some of those in again who were put out; not all of their programs are started again."""
    can_return = [player for player in tournament.players if refusal(tournament.ledger, player) is None]
    chosen = [player for player in can_return if rng.random() < 0.4 and not tournament.is_let_in(player)]
    for player in chosen:
        tournament.let_in(player)
    return [player for player in chosen if rng.random() < 0.8]


def _order(tournament: Tournament, rng: Random) -> None:
    here = [p for p in tournament.players if p.left is None and p not in tournament.removed]
    match rng.randrange(12):
        case 0:
            tournament.end()
        case 1 | 2:
            tournament.resume() if tournament.tempo.paused else tournament.pause()
        case 3 if tournament.settings.levels is not None:
            tournament.next_level()
        case 4:
            tournament.set_pace(rng.choice([0.0, 0.1]))
        case _ if here:
            tournament.remove(rng.choice(here), "by chance")
