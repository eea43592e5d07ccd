"""A transcript must be what a program has heard, word for word, and nothing else."""

import re
from pathlib import Path
from random import Random

import pytest
import trio
from trio.testing import MockClock

from dealer.journal.file import AppendFile
from dealer.journal.writer import open_journal
from dealer.lobby.player import Player
from dealer.settings import Settings
from protocol.games.base import Action, Bet
from protocol.games.blockhead import BlockheadGame, BlockheadTurn
from protocol.games.dice import DiceGame
from protocol.games.game import Game
from protocol.games.stud import StudGame, StudTurn
from protocol.wire.codec import encode
from tests.bad_bots import replies
from tests.bad_bots.peer import Peer
from tests.dealer.support.altered_journals import numbers, play_with_a_host
from tests.dealer.support.raw_records import read_raw
from tests.dealer.support.recorded import clients_by_chance, play_on_heard, play_recorded, read_records, write_records
from tests.dealer.support.reported import cut_journal, report, sent, transcribe
from tests.dealer.support.rig import SEED, BadBot, by_chance, call, good_clients, open_rig
from tests.dealer.support.scribe import Answer, Scribe
from tests.dealer.support.scribe import players as some_players

GAMES = [
    Settings(SEED, StudGame(60), 40, table_size=3),
    Settings(SEED, StudGame(60, 2), 60, table_size=2),
    Settings(SEED, StudGame(60, 2), 40, table_size=3, levels=3, rounds=3),
    Settings(SEED, StudGame(30), 8, 3),
    Settings(SEED, BlockheadGame(hands=2), 2, 2, table_size=3, rounds=2),
    Settings(SEED, BlockheadGame(hands=3), 3, 4, table_size=6),
    Settings(SEED, StudGame(100), 1, 4, duplicate=True),
    Settings(SEED, BlockheadGame(hands=2, ranks="poker"), 2, 3, table_size=6, duplicate=True),
]


@pytest.mark.parametrize("settings", GAMES, ids=lambda settings: settings.game.name)
async def test_transcript_holds_all_messages(settings: Settings, tmp_path: Path) -> None:
    players = clients_by_chance(7)
    await play_recorded(tmp_path / "journal", players, settings)
    report(tmp_path / "journal", tmp_path / "out")
    for player in players:
        assert sent(tmp_path / "out", player.name.id) == [encode(command) for command in player.heard]


async def test_transcript_of_moves_and_removal(tmp_path: Path, tcp_clock: MockClock) -> None:
    clients = await play_with_a_host(tmp_path / "journal")
    report(tmp_path / "journal", tmp_path / "out")
    told = {}
    for client in clients:
        assert sent(tmp_path / "out", client.name.id) == [encode(command) for command in client.heard]
        told[client.name.id] = (tmp_path / "out/players" / client.name.id / "transcript.txt").read_text().splitlines()
    for record in read_raw(tmp_path / "journal"):
        if record["type"] == "move":
            lines = told[f"chance-{record['player']}"]
            place = lines.index(f"-- moved to table {record['table']}")
            next_ = next((line for line in lines[place:] if line.startswith(("-- hand", "-- round"))), "-- round")
            assert next_.startswith("-- round") or f"table {record['table']}," in next_
    assert "dealer:  done:you are out; asked to go home" in told["chance-3"]
    summary = (tmp_path / "out/players/chance-3/summary.txt").read_text()
    assert re.search(r"Removed by the host after hand \d+ at table \d: you are out: asked to go home", summary)
    assert "The host removed the player. That is no mistake of the program.\n" in summary
    assert "No faults." in summary


async def test_transcript_holds_replies_and_times(tmp_path: Path) -> None:
    replied: list[str] = []
    chance = by_chance(1)

    def decide(turn: StudTurn) -> Action:
        action = chance(turn)
        replied.append(encode(action))
        return action

    players = good_clients(3)
    players[0].decide = decide
    await play_recorded(tmp_path / "journal", players, Settings(SEED, StudGame(60), 30))
    report(tmp_path / "journal", tmp_path / "out")
    lines = (tmp_path / "out/players/good-1/transcript.txt").read_text().splitlines()
    told = [line.split() for line in lines if line.startswith("you: ")]
    assert told[0] == ["you:", "good-1:Good", "1"]
    assert [words[1] for words in told[1:]] == replied
    assert all(words[3] == "ms" and float(words[2]) >= 0 for words in told[1:])


@pytest.mark.parametrize("game", [StudGame(100), BlockheadGame(hands=9)], ids=lambda game: game.name)
@pytest.mark.parametrize("bad", [replies.bets_too_much, replies.malformed, replies.late, replies.quits])
@pytest.mark.parametrize("lives", [1, 2])
async def test_transcript_of_a_program_with_a_fault(
    bad: BadBot, game: Game, lives: int, tmp_path: Path, tcp_clock: MockClock
) -> None:
    played = await play_recorded(
        tmp_path / "journal",
        [*good_clients(2), bad],
        Settings(SEED, game, 9, lives=lives, table_size=6),
    )
    transcribe(tmp_path / "journal", tmp_path / "out")
    (peer,) = played.peers
    assert sent(tmp_path / "out", "bad") == peer.heard


async def test_files_of_a_player_show_no_cards_of_others(tmp_path: Path) -> None:
    """Hole cards that were never turned up; the statuses of stud show one."""
    players = clients_by_chance(4)
    await play_recorded(tmp_path / "journal", players, Settings(SEED, BlockheadGame(hands=20), 20, table_size=6))
    report(tmp_path / "journal", tmp_path / "out")
    for player in players:
        heard = {card for command in player.heard for card in encode(command).split(":")}
        folder = tmp_path / "out/players" / player.name.id
        summary = (folder / "summary.txt").read_text()
        told = [word.strip(";") for line in summary.splitlines() if "own cards" in line for word in line.split()]
        cards = {word for word in told if word[-1] in "SHDC" and word[0] in "23456789JQKA1"}
        assert cards
        assert cards <= heard | {text.partition("=")[2] for text in heard}


async def test_summary_of_dice_speaks_of_dice(tmp_path: Path) -> None:
    await play_recorded(tmp_path / "journal", good_clients(2), Settings(SEED, DiceGame(hands=20), 20))
    report(tmp_path / "journal", tmp_path / "out")
    for summary in (tmp_path / "out/players").glob("*/summary.txt"):
        text = summary.read_text()
        assert re.search(r"chips of a pot of \d+, hand \d+: own die \d(; winning die \d)?\n", text)
        assert "card" not in text


async def test_transcript_holds_both_sessions(tmp_path: Path, tcp_clock: MockClock) -> None:
    """The first session ends over a question, the second begins in the middle of a game."""
    settings = Settings(SEED, BlockheadGame(hands=9), 9, table_size=6, rejoin=60.0)
    sessions: list[Peer] = []
    others = good_clients(2)
    over, left_at = trio.Event(), 99

    async def leaves_once(peer: Peer) -> None:
        sessions.append(peer)
        await peer.log_in("lost:Lost")
        while (fields := await peer.hear_question()) is not None:
            if len(sessions) == 1 and len(peer.heard) > 6:
                nonlocal left_at
                left_at = len(others[0].statuses)
                return
            await peer.say(f"bet:{fields[3]}")

    def decide(turn: StudTurn | BlockheadTurn) -> Action:
        if len(others[0].statuses) > left_at + 1:  # the hand in which the other one left is over for everybody
            over.set()
        return call(turn)

    others[0].decide = decide
    async with (
        open_journal(AppendFile.create(tmp_path / "journal")) as journal,
        open_rig(settings, None, journal) as rig,
    ):
        await rig.admit(*others, leaves_once)
        tournament = rig.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            await over.wait()
            await rig.start(leaves_once)
        await rig.peers[1].finished.wait()
    report(tmp_path / "journal", tmp_path / "out")
    first, second = sessions
    told = sent(tmp_path / "out", "lost")
    assert second.done is not None
    assert told[-len(second.heard) :] == second.heard
    assert told[: len(first.heard) - 1] == first.heard[:-1]
    lines = (tmp_path / "out/players/lost/transcript.txt").read_text()
    assert f"-- the connection was lost over this question, and the hand was folded: {first.heard[-1]}" in lines
    assert sent(tmp_path / "out", "good-1") == [encode(command) for command in others[0].heard]


@pytest.mark.parametrize("questions", [3, 8, 13, 21])
@pytest.mark.parametrize("pause", [0.0, 0.02])
async def test_transcript_of_reconnection_while_players_move(
    questions: int, pause: float, tmp_path: Path, tcp_clock: MockClock
) -> None:
    """At whatever moment: in a hand, between two, or while one is written down."""
    settings = Settings(SEED, StudGame(100, 2), 30, table_size=2, rounds=2, rejoin=30.0, levels=8)
    sessions: list[Peer] = []
    others = clients_by_chance(6)

    async def leaves_once(peer: Peer) -> None:
        sessions.append(peer)
        await peer.log_in("lost:Lost")
        while (fields := await peer.hear_question()) is not None:
            if len(sessions) == 1 and len(peer.heard) > questions:
                return
            await peer.say(f"bet:{fields[3]}")

    async with (
        open_journal(AppendFile.create(tmp_path / "journal")) as journal,
        open_rig(settings, None, journal) as rig,
    ):
        await rig.admit(*others, leaves_once)
        tournament = rig.begin()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tournament.run)
            await rig.peers[0].finished.wait()
            await trio.sleep(pause)
            await rig.start(leaves_once)
        await rig.peers[1].finished.wait()
    transcribe(tmp_path / "journal", tmp_path / "out")
    told, again = sent(tmp_path / "out", "lost"), sessions[1].heard
    assert told[-len(again) :] == again
    for client in others:
        assert sent(tmp_path / "out", client.name.id) == [encode(command) for command in client.heard]


@pytest.mark.parametrize("behind", ["round", "game", "hand", "move", "level", "out"])
@pytest.mark.parametrize(
    "settings",
    [
        Settings(SEED, StudGame(60, 2), 20, table_size=2, levels=4, rounds=2),
        Settings(SEED, BlockheadGame(hands=2), 2, 2, table_size=3, rounds=2),
    ],
    ids=lambda settings: settings.game.name,
)
async def test_transcript_after_a_restart(
    settings: Settings, behind: str, tmp_path: Path, tcp_clock: MockClock
) -> None:
    """The dealer dies before a record of each type, where there are several the one in the middle."""
    await play_recorded(tmp_path / "journal", clients_by_chance(7), settings)
    records = read_records(tmp_path / "journal")
    places = numbers(records, behind)
    if not places:
        assert settings.game.in_games
        return
    write_records(tmp_path / "journal", records[: places[len(places) // 2]])
    _, clients = await play_on_heard(tmp_path / "journal", {"chance-3"})
    transcribe(tmp_path / "journal", tmp_path / "out")
    assert len(clients) >= 2
    for client in clients:
        heard = [encode(command) for command in client.heard[1:]]  # the first one is the login
        assert sent(tmp_path / "out", client.name.id)[-len(heard) :] == heard


def test_login_before_the_turn_comes_before_the_question(tmp_path: Path) -> None:
    """And who is back behind its turn, behind it."""
    scribe = Scribe(Settings(SEED, StudGame(60), rejoin=30.0), some_players("Amit", "Brian", "Carlos"))
    amit, _, carlos = scribe.players
    back: list[Player] = []

    def answers(player: Player, turn: StudTurn) -> Answer:
        if player is not carlos and carlos not in back:
            scribe.back(carlos)
            back.append(carlos)
        return None if player is amit else Bet(turn.owed)

    scribe.game()
    scribe.away(amit)
    scribe.away(carlos)
    scribe.hand(answers)
    scribe.end()
    report(scribe.write(tmp_path / "journal"), tmp_path / "out")
    lines = (tmp_path / "out/players/p2/transcript.txt").read_text().splitlines()
    kinds = [line.split(":")[1].strip() if ":" in line else line for line in lines[lines.index("-- logged in again") :]]
    assert kinds[:4] == ["-- logged in again", "login", "p2", "bet1"]


async def test_long_transcript_is_written_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.report.folder.FLUSH_LINES", 10)
    players = good_clients(2, lambda turn: Bet(turn.owed + Random(str(turn)).choice([0, 0, 1])))
    await play_recorded(tmp_path / "journal", players, Settings(SEED, StudGame(1000), 100))
    report(tmp_path / "journal", tmp_path / "out")
    assert sent(tmp_path / "out", "good-2") == [encode(command) for command in players[1].heard]


async def test_transcript_of_an_unfinished_journal(tmp_path: Path) -> None:
    players = good_clients(3)
    await play_recorded(tmp_path / "journal", players, Settings(SEED, StudGame(50), 20))
    cut_journal(tmp_path / "journal", tmp_path / "part", 8)
    report(tmp_path / "part", tmp_path / "out", unfinished=True)
    told = sent(tmp_path / "out", "good-1")
    assert told == [encode(command) for command in players[0].heard][: len(told)]
    assert told[-1].startswith("status:")
    assert not any(line.startswith("done:") for line in told)
