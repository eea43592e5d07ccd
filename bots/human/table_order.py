"""An order for a table of house bots: what is played, against whom, and whether that is possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import cycle, islice
from random import Random

from bots.catalogue import Entry, playing
from bots.human.game_seat import load_seat
from bots.human.local_table import LocalGame, Player, Setup
from bots.human.narration import YOU
from bots.human.thread_bridge import Human, ThreadBridge
from dealer.cli.game_flags import game_with
from dealer.errors import OptionError
from protocol.games.game import Game
from protocol.games.level_table import LevelTable
from protocol.games.registry import load_game
from protocol.installed_bots import load_bot
from protocol.plurals import distinct
from protocol.shuffle import seed_from_text

#: Seconds between the actions of others.
SPEEDS = {"slow": 1.5, "normal": 0.7, "fast": 0.25, "none": 0.0}

#: What a person may ask for: opponents of one level, or of all of them.
LEVELS = ("easy", "medium", "hard", "mixed")
USUAL = "medium"

#: Opponents that find room around the table on a small screen.
MOST_OPPONENTS = 9


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for.

    Attributes:
        game: its name.
        seed: the same text deals the same cards.
        against: the bots, by name, taken in turn.
        opponents: how many of them sit down; None for as many as are usual in the game.
        level: of the bots, where none are named.
        options: of the game, by name; the others have their defaults.
        hands: to play at most, in a game that has no such option; None plays until the game is over.
        speed: of play, one of ``SPEEDS``.
        level_table: the levels by which the stakes rise, as ``LevelTable.record`` has them; empty if they stay.
    """

    game: str
    seed: str
    against: tuple[str, ...] = ()
    opponents: int | None = None
    level: str = USUAL
    options: Mapping[str, int | str] = field(default_factory=dict)
    hands: int | None = None
    speed: str = "normal"
    level_table: Sequence[Mapping[str, int]] = ()

    @property
    def levels(self) -> LevelTable | None:
        """The levels by which the stakes rise; None if they stay."""
        return LevelTable.from_facts(self.level_table) if self.level_table else None

    @property
    def agreed(self) -> Game:
        """The game with all that is agreed about it; with levels, with the stakes of the first.

        Raises:
            OptionError: an option has a value that it may not have.
            LookupError: there is no such game.
        """
        try:
            agreed = game_with(self.game, self.options)
            return self.levels.games(agreed)[0] if self.levels else agreed
        except ValueError as error:
            raise OptionError(str(error)) from None

    @property
    def most_hands(self) -> int | None:
        """How many hands are played at most; None for no such bound.

        A person plays until the game is over, unless the chosen options say how many hands it has, as presets do.
        """
        agreed = self.agreed
        chosen = agreed.hands if agreed.hands != load_game(self.game)().hands else None
        return self.hands or chosen

    @property
    def most_opponents(self) -> int:
        """How many can sit down, at most.

        Raises:
            OptionError, LookupError: see ``agreed``.
        """
        return min(MOST_OPPONENTS, self.agreed.table_seats[-1] - 1)

    @property
    def seats(self) -> tuple[str, ...]:
        """The bots that sit down, by name, in seat order from the person's left on.

        Raises:
            OptionError: they are too many, or no bot has that level.
        """
        named = self.against or of_level(playing(self.game), self.level)
        usual = len(self.against) or load_seat(self.game).opponents
        count = usual if self.opponents is None else self.opponents
        if not named:
            raise OptionError(f"no bot of the level {self.level} plays {self.game}")
        if not 1 <= count <= self.most_opponents:
            raise OptionError(f"{self.game} is played here against 1 to {self.most_opponents} opponents, got {count}")
        return tuple(islice(cycle(named), count))


def of_level(bots: Sequence[Entry], level: str) -> tuple[str, ...]:
    """The names of the bots of this level; of all if it is ``mixed``, or if it is the usual one and no bot has it."""
    usual = level == USUAL and all(bot.level != USUAL for bot in bots)
    return tuple([bot.name for bot in bots if usual or level in (bot.level, "mixed")])


def sit_down(order: Order, bridge: ThreadBridge) -> LocalGame:
    """The table, ready for the first hand.

    Raises:
        OptionError: see ``Order.seats`` and ``Order.agreed``; or a bot does not play that game.
        LookupError: there is no such bot, or it cannot be loaded; or the seat for people does not know the game.
    """
    check(order)
    players = [Player(YOU, Human(bridge))]
    # Each bot gets random numbers of its own, so that another choice of one bot does not change what the others do.
    for place, (name, label) in enumerate(zip(order.seats, distinct(order.seats, " "), strict=True)):
        players.append(Player(label, load_bot(name)(Random(sha256(f"{order.seed}/{place}".encode()).digest()))))
    seed, pace = seed_from_text(order.seed), SPEEDS[order.speed]
    seat, hands = load_seat(order.game), order.most_hands
    return LocalGame(Setup(order.agreed, seat, players, bridge, seed, pace, hands, order.levels))


def check(order: Order) -> None:
    """Make sure that the order can be met.

    Raises:
        OptionError, LookupError: see ``sit_down``.
    """
    load_seat(order.game)
    able = {bot.name for bot in playing(order.game)}
    for name in order.seats:
        load_bot(name)
        if name not in able:
            raise OptionError(f"{name} does not play {order.game}; these do: {', '.join(sorted(able))}")
    if order.agreed.start(2).over:
        raise OptionError(f"a stack of {order.agreed.stack} chips does not pay {order.agreed.fee}")
