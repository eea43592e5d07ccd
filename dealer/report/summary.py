"""``summary.txt`` in the folder of each player: its result, its faults, and its largest pots."""

import shlex
from collections.abc import Sequence
from textwrap import wrap

from dealer.faults import ANSWERED_A_QUESTION, MEANINGS, FaultKind, meaning
from dealer.ledger.columns import reply_time
from dealer.ledger.ledger import Ledger
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from dealer.report.contents import at_table, departure_text, was_removed
from dealer.report.labels import Label
from dealer.report.player_statistics import FaultFact, HandSeat, PlayerStatistics, PotResult
from dealer.telling.hand_events import texts

#: Characters of a line.
WIDTH = 100


def summary(standing: Standing, ledger: Ledger, label: Label, statistics: PlayerStatistics, journal: str) -> str:
    """The text of ``summary.txt``; ``journal`` is the file's name in the commands that replay a hand."""
    player = standing.player
    blocks = [
        _result(standing, ledger, label, statistics),
        *_leaving(player, ledger, label),
        *_faults(statistics.mistakes, player, label, journal),
        _pots("Largest pots won", statistics.won.hands, ledger, journal),
        _pots("Largest pots lost", statistics.lost.hands, ledger, journal),
    ]
    return "\n\n".join(blocks) + "\n"


def replay_command(journal: str, at: HandSeat) -> str:
    """The command that replays one hand as one seat saw it."""
    file = shlex.quote(journal)
    return f"casino replay {file} --hand {at.hand} --table {at.table} --seat {at.seat}"


def _result(standing: Standing, ledger: Ledger, label: Label, statistics: PlayerStatistics) -> str:
    player, settings = standing.player, ledger.settings
    share = statistics.legal_share
    legal = "" if share is None else f", {share:.1%} of the questions had a legal reply in time"
    return "\n".join(
        [
            f"{label.avatar}: place {standing.place} of {len(ledger.players)} in {settings.game.title}",
            "",
            f"chips           {standing.chips}",
            f"hands won       {player.hands_won}",
            f"hands survived  {player.hands_survived}",
            f"decisions       {player.decisions}{legal}",
            f"reply time      {_times(statistics)}",
        ]
    )


def _times(statistics: PlayerStatistics) -> str:
    if not statistics.micros:
        return "no reply to a question"
    half, most, longest = (reply_time((time or 0.0) / 1000) for time in statistics.milliseconds(0.5, 0.99, 1.0))
    return f"half within {half}, 99 % within {most}, the longest {longest}"


def _leaving(player: Player, ledger: Ledger, label: Label) -> list[str]:
    if player.left is None:
        return []
    lines = [_wrapped(f"{departure_text(ledger, player)}: {label.hidden(player.left, player.id)}")]
    if was_removed(player):
        lines.append(_wrapped(MEANINGS[FaultKind.REMOVED]))
    elif any(fault.kind is FaultKind.QUIT for fault in player.faults):
        lines.append(_wrapped(MEANINGS[FaultKind.QUIT]))
    return ["\n".join(lines)]


def _faults(faults: Sequence[FaultFact], player: Player, label: Label, journal: str) -> list[str]:
    if not faults:
        return ["No faults."]
    return [_fault(number, fact, player, label, journal) for number, fact in enumerate(faults, 1)]


def _fault(number: int, fact: FaultFact, player: Player, label: Label, journal: str) -> str:
    kind = fact.fault.kind
    lines = [f"Fault {number}: {kind.value}", _wrapped(f"  {label.hidden(fact.fault.reason, player.id)}", "  ")]
    if fact.at is None:
        lines.append("  (in a hand that does not count)")
    elif fact.question is None:
        lines.append(f"  again     {replay_command(journal, fact.at)}")
    else:
        asked = "question  " if kind in ANSWERED_A_QUESTION else "then due  "
        lines += [f"  {asked}{fact.question}", f"  allowed   {fact.allowed}"]
        lines.append(f"  again     {replay_command(journal, fact.at)}")
    return "\n".join([*lines, _wrapped(f"  {meaning(kind, acpc=player.acpc)}", "  ")])


def _pots(title: str, pots: Sequence[PotResult], ledger: Ledger, journal: str) -> str:
    if not pots:
        return f"{title}: none"
    lines = [title]
    pieces = ledger.settings.game.pieces
    for pot in pots:
        shown = (("own", pot.own), ("winning", pot.winning))
        lines.append(
            f"  {pot.chips:+6} chips of a pot of {pot.pot}, hand {pot.at.hand}{at_table(ledger, pot.at.table)}: "
            + "; ".join(f"{whose} {pieces} {' '.join(texts(cards))}" for whose, cards in shown if cards)
        )
        lines.append(f"         {replay_command(journal, pot.at)}")
    return "\n".join(lines)


def _wrapped(text: str, indent: str = "") -> str:
    return "\n".join(wrap(text, WIDTH, subsequent_indent=indent))
