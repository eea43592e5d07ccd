"""Who plays when a journal is played again: the new version of one player, and who stands in for each of the others."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from dealer.cli.house_bots import default_bots
from dealer.errors import OptionError
from dealer.hosting.programs import house_bots
from dealer.lobby.player import Player
from dealer.versions.outcome import Plan
from dealer.versions.recorded_hands import RecordedHands, find_player
from dealer.versions.version import Version, check_plays, in_own_sandboxes, version_of
from dealer.versions.whatif_flags import WhatIfFlags


def plan_of(hands: RecordedHands, flags: WhatIfFlags) -> Plan:
    """Who plays whom, from the flags and the start of a journal.

    Raises:
        OptionError: a flag cannot be used.
    """
    name, what = _parts(flags.replace, "--replace")
    player, version = find_player(name, hands.players, "--replace"), version_of(what)
    named = {}
    for text in flags.opponent:
        name, what = _parts(text, "--opponent")
        other = find_player(name, hands.players, "--opponent")
        if other is player:
            raise OptionError(f"--opponent: {name!r} is the player that --replace names")
        named[other] = version_of(what)
    stand_ins = {
        other: named.get(other) or _usual(other, hands, flags) for other in hands.players if other is not player
    }
    for one in (version, *stand_ins.values()):
        check_plays(one, hands.game.name)
    return Plan(player, version, stand_ins)


def _parts(text: str, flag: str) -> tuple[str, str]:
    """The name and what stands behind it."""
    name, equals, what = text.partition("=")
    if not (name.strip() and equals and what.strip()):
        raise OptionError(
            f'{flag} takes a player and who plays for it, like Steph="java Poker {{host}} {{port}}" or Steph=tight; '
            f"got {text!r}"
        )
    return name.strip(), what.strip()


def _usual(player: Player, hands: RecordedHands, flags: WhatIfFlags) -> Version:
    """Who stands in for a player for whom nobody was named."""
    if flags.opponents is not None:
        return Version(flags.opponents)
    programs = dict(zip((bot.name for bot in house_bots(hands.house_bots, "")), hands.house_bots, strict=True))
    if player.program in programs:
        return Version(programs[player.program])
    with suppress(OptionError):
        return Version(default_bots(hands.game.name)[0])
    raise OptionError(f"no installed bot joins a league of {hands.game.name} by itself; name one with --opponents")


def in_sandboxes_of(plan: Plan, path: Path, pythons: Sequence[Path]) -> Plan:
    """The same plan, its programs in sandboxes that hide the journal.

    Raises:
        OptionError: see ``in_own_sandboxes``.
    """
    version, *others = in_own_sandboxes([plan.version, *plan.stand_ins.values()], path, pythons)
    return Plan(plan.player, version, dict(zip(plan.stand_ins, others, strict=True)))
