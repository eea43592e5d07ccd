"""What a scene has come to, as plain facts: the one place where the page reads the tournament.

Only what everybody may know leaves through here: avatars, never ids; and no text that a program sent, since a
malformed reply may quote its own login.
"""

from collections.abc import Sequence
from typing import Any

from dealer.faults import Fault, FaultKind
from dealer.ledger import TableState
from dealer.player import Player
from dealer.scoreboard.history import Recent, Stood
from dealer.scoreboard.scene import Scene
from dealer.standings import Standing
from dealer.tournament import Tournament
from protocol.shuffle import commitment

Facts = dict[str, Any]

_OUT = "you are out: "
"""How the dealer begins when it tells a player why."""


def scene_facts(scene: Scene) -> Facts:
    """What seldom changes: what is played, where to connect, who is here; and the seed, once it may be told."""
    settings, tournament = scene.settings, scene.tournament
    ended = tournament is not None and tournament.ended
    return {
        "phase": "over" if ended else "play" if tournament else "lobby",
        "game": settings.game.name,
        "title": settings.game.title,
        "agreed": {"hands": settings.hands, **settings.game.facts},
        "games": settings.games,
        "limit": settings.limit,
        "lives": settings.lives,
        "addresses": scene.addresses,
        "port": scene.port,
        "linePort": scene.line_port,
        "capacity": scene.lobby.capacity,
        "awaited": [player.avatar for player in _awaited(scene)],
        "players": [player.avatar for player in players(scene)],
        "measure": _measure(scene),
        "openCards": scene.open_cards,
        "commitment": commitment(settings.seed),
        "seed": settings.seed.hex() if ended else None,
        "seedText": settings.seed_text if ended else None,
    }


def players(scene: Scene) -> Sequence[Player]:
    """Everybody; the place in this sequence is what a player is called on the page's own wire."""
    return scene.tournament.players if scene.tournament else scene.lobby.players


def _awaited(scene: Scene) -> list[Player]:
    """Who is expected back, before a tournament is played on."""
    here = scene.lobby.players
    wanted = scene.opening.wanted if scene.tournament is None else None
    return [player for player in wanted or () if player not in here]


def _measure(scene: Scene) -> str:
    """What the chips of a standing are."""
    if scene.settings.duplicate:
        return "won"
    return "average" if scene.settings.game.in_games and scene.settings.games > 1 else "chips"


def numbers(scene: Scene) -> dict[Player, int]:
    """What each player is called on the page's own wire."""
    return {player: number for number, player in enumerate(players(scene))}


def stood(standings: Sequence[Standing], names: dict[Player, int]) -> dict[int, Stood]:
    """Places and chips, by the player's number."""
    return {names[standing.player]: Stood(standing.place, standing.chips) for standing in standings}


def chips_of(standings: Sequence[Standing], names: dict[Player, int]) -> list[int | None]:
    """Chips in the order of the players' numbers."""
    chips: list[int | None] = [None] * len(names)
    for standing in standings:
        chips[names[standing.player]] = standing.chips
    return chips


def gone(tournament: Tournament) -> set[int]:
    """The numbers of those who are out."""
    return {number for number, player in enumerate(tournament.players) if player.left is not None}


def opening_chips(scene: Scene) -> list[int | None]:
    """Chips before the first hand; of a tournament that is played on nobody is told."""
    count, settings = len(players(scene)), scene.settings
    if scene.opening.wanted is not None:
        return [None] * count
    return [0 if settings.duplicate else settings.game.start(2).stacks[0]] * count


def board_facts(
    tournament: Tournament, standings: Sequence[Standing], names: dict[Player, int], recent: Recent
) -> Facts:
    """Who stands where, and how the tournament goes."""
    return {
        "hand": tournament.hand_number,
        "hands": tournament.hands_planned,
        "decisions": tournament.decisions,
        "playing": sum(player.left is None for player in tournament.players),
        "paused": tournament.tempo.paused,
        "pace": tournament.tempo.pace,
        "trouble": tournament.journal.trouble is not None,
        "ante": tournament.settings.game.facts.get("ante"),
        "rows": [_row(tournament, standing, names[standing.player], recent) for standing in standings],
        "tables": [[table.number, len(table.seated), table.hand_number] for table in open_tables(tournament)],
    }


def _row(tournament: Tournament, standing: Standing, number: int, recent: Recent) -> list[Any]:
    """A line of the leader board, without the names of its columns: there are hundreds of them a second.

    Number, place, chips, places gained, chips gained, state, faults, hands or games won, milliseconds a reply.
    """
    player, before = standing.player, recent.before(number)
    scores = tournament.scores
    reply = player.reply_times.quantile(0.5)
    return [
        number,
        standing.place,
        standing.chips,
        before.place - standing.place if before else 0,
        standing.chips - before.chips if before else 0,
        _state(player),
        len(player.faults),
        scores.by_player[player].won if scores and tournament.settings.games > 1 else player.hands_won,
        None if reply is None else float(f"{reply * 1000:.2g}"),
    ]


def _state(player: Player) -> str:
    if player.left is not None:
        return "out"
    return "in" if player.seat is not None else "away"


def news_facts(tournament: Tournament, names: dict[Player, int]) -> Facts:
    """Who is out and why, the last one first; and the last faults of those who still play."""
    gone = sorted((player for player in tournament.players if player.left is not None), key=_left_in, reverse=True)
    playing = [player for player in tournament.players if player.left is None and player.faults]
    return {
        "out": [[names[player], player.left_in, *_why_out(player)] for player in gone],
        "faults": [[names[player], player.faults[-1].kind.value, _public(player.faults[-1])] for player in playing],
    }


def _left_in(player: Player) -> int:
    return player.left_in


def _why_out(player: Player) -> tuple[str, str]:
    """In a word, and in words."""
    told = (player.left or "").removeprefix(_OUT)
    for fault in player.faults[-1:]:
        if fault.reason == told:
            return fault.kind.value, _public(fault)
    return "out", told


def _public(fault: Fault) -> str:
    """A reason without what the program sent."""
    if fault.kind is FaultKind.MALFORMED:
        return "its reply was none: expected 'fold' or 'bet:<chips>'"
    return fault.reason


def open_tables(tournament: Tournament) -> list[TableState]:
    """Tables at which hands are played, or have been if all is over."""
    tables = tournament.ledger.tables
    return [table for table in tables if not tournament.ledger.table_over(table)] or tables


def table(tournament: Tournament, number: int) -> TableState | None:
    """The table of that number; None if there is none, or no more."""
    return next((table for table in tournament.ledger.tables if table.number == number), None)


def leaders_table(tournament: Tournament, standings: Sequence[Standing]) -> TableState:
    """Where the best of those plays who still do."""
    playing = (standing.player for standing in standings if standing.player.left is None)
    return tournament.ledger.table_of(next(playing, standings[0].player))


def hands_played(tournament: Tournament) -> int:
    """Finished hands of all tables together."""
    return sum(table.finished for table in tournament.ledger.tables)
