"""The story of a tournament in five sentences: who won, who led, the largest pot, who fell, and who broke the rules.

Each sentence follows from the facts of the journal. ``Story`` takes a function that writes a player's name, because a
page marks names and JSON does not.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from dealer.faults import NO_MISTAKES, FaultKind
from dealer.ledger.columns import reply_time
from dealer.ledger.formats.points import points_in_words
from dealer.ledger.standings import Standing
from dealer.lobby.player import Player
from dealer.report.contents import Contents, at_table
from dealer.telling.moments import Fall, chips_collected, won_with
from protocol.events import HandOver
from protocol.plurals import counted, listed

#: What a fault was, behind "the most frequent fault was".
FAULT_WORDS: dict[FaultKind, str] = {
    FaultKind.LATE: "a reply that came too late or never",
    FaultKind.MALFORMED: "a reply that could not be read",
    FaultKind.ILLEGAL: "an action that the rules forbid",
    FaultKind.CORRECTED: "an action that had to be corrected",
    FaultKind.OVERSIZED: "a message that was too long",
    FaultKind.UNASKED: "a message that nothing had asked for",
    FaultKind.FLOOD: "too many messages at once",
    FaultKind.GONE: "a connection that ended too early",
}

#: Names that a sentence lists; of more it tells the number.
_NAMES = 3

Named = Callable[[Player], str]


def story(contents: Contents, named: Named) -> list[str]:
    """The five sentences; fewer where nothing was played."""
    if not contents.hands:
        title = contents.ledger.settings.game.title
        return [f"No hand was played: {counted(len(contents.labels), 'player')} came to {title}."]
    return [
        _result(contents, named),
        _lead(contents, named),
        _largest_pot(contents, named),
        _falls(contents, named),
        _rules(contents, named),
    ]


def names_in_words(players: Sequence[Player], named: Named) -> str:
    """ "Steph", "Steph and Ada", or "Steph, Ada and 4 others"."""
    if len(players) > _NAMES + 1:
        return f"{', '.join(map(named, players[:_NAMES]))} and {len(players) - _NAMES:,} others"
    return listed([named(player) for player in players])


# Who won


def _result(contents: Contents, named: Named) -> str:
    standings, title = contents.standings, contents.ledger.settings.game.title
    first = [standing for standing in standings if standing.place == 1]
    size = ", ".join(
        counted(number, what)
        for number, what in (
            (len(contents.labels), "player"),
            (contents.hands, "hand"),
            (sum(player.decisions for player in contents.labels), "decision"),
        )
    )
    who, one = names_in_words([standing.player for standing in first], named), len(first) == 1
    if not contents.rebuild.ended:
        return f"{who} {'leads' if one else 'lead'} the tournament of {title} so far: {size}."
    worth = _worth(contents, first[0])
    if not one:
        return f"{who} share the first place of the tournament of {title}, each with {worth}: {size}."
    second = standings[1] if len(standings) > 1 else None
    ahead = "" if second is None else _ahead(contents, first[0], second, named)
    return f"{who} won the tournament of {title} with {worth}{ahead}: {size}."


def _worth(contents: Contents, standing: Standing) -> str:
    """The result that gives a player its place, in words."""
    ledger = contents.ledger
    if standing.points is not None:
        return points_in_words(standing.points)
    games = ledger.scores
    if games is not None and games.games > 1:
        return f"{games.games_won()[standing.player]:,} of {counted(games.games, 'game')} won"
    chips = sum(one.chips for one in contents.standings)
    if ledger.format.eliminates and standing.chips == chips:
        return f"all {counted(chips, 'chip')}"
    return counted(standing.chips, "chip")


def _ahead(contents: Contents, first: Standing, second: Standing, named: Named) -> str:
    """Words for the lead of the first over the second, where both are measured by the same number and still play."""
    scores = contents.ledger.scores
    if second.player.left is not None or (scores is not None and scores.games > 1):
        return ""
    if first.points is not None and second.points is not None:
        return (
            f", {points_in_words(first.points - second.points)} more than {named(second.player)}"
            if first.points > second.points
            else ""
        )
    more = first.chips - second.chips
    return f", {more:,} more than {named(second.player)}" if more > 0 else ""


# Who led


def _lead(contents: Contents, named: Named) -> str:
    ledger = contents.ledger
    if ledger.seating.rounds > 1 and contents.standings[0].points is not None:
        return _rounds_led(contents, named)
    leads = contents.course.told.leads
    if not leads.latest:
        return "No player ever had the most chips alone."
    last = leads.latest[-1]
    leader = named(contents.player(last.player))
    where = f"hand {last.hand}{at_table(ledger, last.table)}"
    end = "to the end" if contents.rebuild.ended else "until now"
    if leads.leader is None:
        once = f"{leader} had the most chips alone from {where} on, but not {end}."
        changed = f"The lead in chips changed {_times(leads.changes)}, and in the end no player has it alone."
        return changed if leads.changes else once
    if not leads.changes:
        since = "the first hand" if last.hand == 1 else where
        return f"{leader} had the most chips from {since} {end}."
    return _changes(contents, named, where, end)


def _changes(contents: Contents, named: Named, where: str, end: str) -> str:
    """A sentence on the lead: how often it changed, and who took it in which hand for the last time."""
    leads = contents.course.told.leads
    last = leads.latest[-1]
    leader = named(contents.player(last.player))
    if leads.changes == 1 and last.before is not None:
        before = named(contents.player(last.before))
        return f"The lead in chips changed once: {leader} took it from {before} in {where}."
    return f"The lead in chips changed {_times(leads.changes)}; {leader} took it in {where} and kept it {end}."


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _rounds_led(contents: Contents, named: Named) -> str:
    """A sentence on the players who were first after a round, alone or with others."""
    rounds = contents.course.places
    led = Counter(player for places in rounds for player, place in places.items() if place == 1)
    winner = contents.order[0]
    since = len(rounds)
    while since and rounds[since - 1].get(winner) == 1:
        since -= 1
    played = counted(len(rounds), "round")
    if len(rounds) == 1:
        return f"One round was played, after which {named(winner)} was first."
    if not since:
        return f"{named(winner)} was first after each of the {played}."
    kept = f", from round {since + 1} on" if since + 1 < len(rounds) else ""
    many = counted(len(led), "player")
    return f"{named(winner)} was first after {led[winner]} of the {played}{kept}; {many} led in all."


# The largest pot


def _largest_pot(contents: Contents, named: Named) -> str:
    if not contents.course.told.largest:
        return "No pot was won by anybody."
    hand = contents.course.told.largest[0]
    where = f"hand {hand.hand}{at_table(contents.ledger, hand.table)}"
    size = counted(hand.pot, "chip")
    pot = f"The pot of the only hand held {size}" if contents.hands == 1 else f"The largest pot held {size}, in {where}"
    return f"{pot}: {pot_won(contents, hand, named)}."


def winners_of(hand: HandOver) -> list[int]:
    """The seats that collected chips, the most first; those that won none of others' chips only if nobody did."""
    shares = chips_collected(hand)
    collected = sorted(shares, key=lambda seat: (-shares[seat], seat))
    return [seat for seat in collected if hand.payoffs[seat] > 0] or collected


def pot_won(contents: Contents, hand: HandOver, named: Named) -> str:
    """A sentence on who won the chips of a hand, and with what: "Steph won it with a flush, king high"."""
    winners = winners_of(hand)
    players = [contents.player(hand.players[seat]) for seat in winners]
    who = names_in_words(players, named)
    if not winners:
        return "nobody won it"
    whys = [won_with(hand, seat) for seat in winners]
    if len(winners) == 1:
        return f"{who} won it with {whys[0]}" if whys[0] else f"{who} won it when all others folded"
    if len(set(whys)) == 1:
        return f"{who} shared it, {whys[0]}"
    each = ", ".join(f"{named(player)} with {why}" for player, why in zip(players[:_NAMES], whys, strict=False))
    return f"{who} shared it, {each}"


# Who fell


def _falls(contents: Contents, named: Named) -> str:
    falls, players = contents.course.told.falls, len(contents.labels)
    if not falls:
        everybody = "both players" if players == 2 else f"all {counted(players, 'player')}"
        return f"Nobody fell: {everybody} were there to the last hand."
    broke = [fall for fall in falls if fall.left.kind is None]
    rounds = contents.ledger.seating.rounds
    parts = []
    if broke and rounds > 1:
        parts.append(f"In {counted(rounds, 'round')} players ran out of chips {_times(len(broke))}")
    elif broke:
        parts.append(f"{len(broke):,} of {counted(players, 'player')} ran out of chips")
    if broke:
        parts[0] += _first_broke(contents, broke, named)
    if faulty := _faulty(falls, bool(broke), players):
        parts.append(faulty)
    if quit := sum(fall.left.kind == FaultKind.QUIT for fall in falls):
        parts.append(f"{counted(quit, 'player')} left of {'its' if quit == 1 else 'their'} own accord")
    if removed := sum(fall.left.kind == FaultKind.REMOVED for fall in falls):
        parts.append(f"the host removed {counted(removed, 'player')}")
    sentence = "; ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _first_broke(contents: Contents, broke: Sequence[Fall], named: Named) -> str:
    """Words for the first player without chips, and the one who knocked most others out."""
    first = broke[0].left
    player, where = (
        named(contents.player(first.player)),
        f"in hand {first.hand}{at_table(contents.ledger, first.table)}",
    )
    by = Counter(fall.by for fall in broke if fall.by is not None)
    most = [(named(contents.player(player)), count) for player, count in by.most_common(1)]
    if len(broke) == 1:
        return "".join([f": {player} {where}", *(f", against {winner}" for winner, _ in most)])
    several_rounds = contents.ledger.seating.rounds > 1
    words = f", {'first' if several_rounds else 'the first of them'} {player} {where}"
    return "".join([words, *(f"; {winner} knocked out {count:,}" for winner, count in most)])


def _faulty(falls: Sequence[Fall], others: bool, players: int) -> str:
    """Words for how many players had to leave for faults; empty if nobody had to."""
    faults = Counter(left.kind for left, _ in falls if left.kind is not None and left.kind not in NO_MISTAKES)
    count = sum(faults.values())
    if not count:
        return ""
    kinds = ", ".join(f"{many:,} {kind}" if count > 1 else f"{kind}" for kind, many in faults.most_common())
    who = f"{count:,} more" if others else f"{count:,} of {counted(players, 'player')}"
    return f"{who} had to leave for {'a fault' if count == 1 else 'faults'} ({kinds})"


# Who broke the rules


def _rules(contents: Contents, named: Named) -> str:
    faults: Counter[FaultKind] = Counter()
    guilty = 0
    for statistics in contents.statistics.values():
        own = {kind: count for kind, count in statistics.faults_by_kind().items() if kind not in NO_MISTAKES}
        faults.update(own)
        guilty += bool(own)
    if faults:
        (kind, count), *_ = faults.most_common(1)
        total = sum(faults.values())
        broke = f"{counted(guilty, 'player')} broke the rules"
        if total == 1:
            return f"{broke} once: {FAULT_WORDS[kind]}."
        return f"{broke}, {_times(total)} in all; the most frequent fault was {FAULT_WORDS[kind]} ({_times(count)})."
    return f"Nobody broke the rules{_reply_times(contents, named)}."


def _reply_times(contents: Contents, named: Named) -> str:
    """The reply times, in a sentence; empty where no time is known, as in imported hands."""
    slowest = max(
        ((max(one.micros), player) for player, one in contents.statistics.items() if one.micros),
        key=lambda time: time[0],
        default=None,
    )
    if slowest is None:
        return ""
    medians = sorted((one.milliseconds(0.5)[0] or 0.0) for one in contents.statistics.values() if one.micros)
    middle = reply_time(medians[len(medians) // 2] / 1000)
    return f"; a typical reply took {middle}, and the slowest, of {named(slowest[1])}, {reply_time(slowest[0] / 1e6)}"
