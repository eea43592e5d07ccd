"""What the contract promises of every game's rules, options and text."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from dealer.journal.records import StartRecord, pack_record
from dealer.settings import LeagueWords, Settings
from protocol.cards import Piece
from protocol.games.base import Action, Bet, Fold, Hand, IllegalAction
from protocol.games.game import Game, Option
from protocol.games.registry import UnknownGameError, load_game, options_help, shared_options
from protocol.wire.codec import decode_command, encode
from protocol.wire.connection import BotConnection, DealerConnection
from protocol.wire.framing import UtfFraming
from protocol.wire.messages import GameInfo, Login, Name, ProtocolError
from tests.contract.playouts import (
    choose,
    deal,
    moments,
    other_outcome,
    own_pieces,
    places_seen_by,
    play,
    play_matches,
)
from tests.dealer.support.raw_records import typed_start

chances = st.integers(0, 2**32).map(Random)


@given(chance=chances)
def test_chips_are_conserved(game: Game, chance: Random) -> None:
    _, hand, _ = deal(game, chance)
    total = sum(hand.starting)
    for moment, _ in moments(hand, chance):
        assert sum(moment.stacks) + moment.pot == total
        last = moment
    settlement = last.settle()
    assert sum(settlement.shares) + settlement.carried == last.pot
    after = [stack + share for stack, share in zip(last.stacks, settlement.shares, strict=True)]
    assert settlement.payoffs == tuple(now - before for now, before in zip(after, last.starting, strict=True))


@given(chance=chances)
def test_pots_say_who_won_and_why(game: Game, chance: Random) -> None:
    last = play(deal(game, chance)[1], chance)
    settlement = last.settle()
    collected = [0] * len(last.stacks)
    for pot in settlement.pots:
        assert pot.chips == sum(chips for _, chips in pot.shares)
        assert set(pot.winners) <= set(last.live)
        assert pot.kind in game.kinds
        assert pot.why
        for seat, chips in pot.shares:
            collected[seat] += chips
    assert tuple(collected) == settlement.shares
    assert len(settlement.statuses()) == len(last.stacks)


@settings(max_examples=40)  # each tries every amount at every moment of a hand
@given(chance=chances)
def test_apply_accepts_what_legal_lists(game: Game, chance: Random) -> None:
    for moment, action in moments(deal(game, chance)[1], chance):
        if action is None:
            break
        legal = moment.legal()
        assert legal == moment.view(moment.to_act or 0).legal()
        most = max(legal.raises, default=legal.to_call)
        tries: list[Action] = [Fold(), *map(Bet, [*range(-1, most + 3), most + 50])]
        for tried in tries:
            if tried in legal:
                moment.apply(tried)
            else:
                with pytest.raises(IllegalAction):
                    moment.apply(tried)
        assert len(set(legal)) == len(list(legal))


@given(chance=chances)
def test_a_hand_that_went_on_is_unchanged(game: Game, chance: Random) -> None:
    for moment, action in moments(deal(game, chance)[1], chance):
        if action is not None and moment.to_act is not None:
            before = (moment.view(moment.to_act), moment.public(), moment.stacks, moment.pot)
            for other in moment.legal():
                moment.apply(other)
            assert (moment.view(moment.to_act), moment.public(), moment.stacks, moment.pot) == before


@given(chance=chances)
def test_conceding_leaves_the_others_in(game: Game, chance: Random) -> None:
    for moment, action in moments(deal(game, chance)[1], chance):
        if action is not None and moment.to_act is not None:
            assert moment.to_act not in moment.concede().live


@settings(max_examples=40)  # each plays a hand again for every moment of it
@given(chance=chances)
def test_a_view_hides_what_is_face_down(game: Game, chance: Random) -> None:
    """Change about all cards that a seat cannot see: its view and the public picture stay as they are."""
    match, hand, drawn = deal(game, chance)
    actions = []
    seen: dict[int, set[int]] = {seat: set() for seat in hand.live}
    for moment, action in moments(hand, chance):
        if action is None:
            break
        actions.append(action)
        for seat in moment.live:
            # at every moment, since the cards of who folds later stay known
            seen[seat] |= places_seen_by(game, moment, seat, len(game.chance.outcome(drawn)))
        for seat in chance.sample(moment.live, 2) if len(moment.live) > 1 else moment.live:
            assert tuple(map(str, moment.view(seat).own)) == tuple(map(str, own_pieces(moment, seat)))
            other = match.deal(other_outcome(game, drawn, seen[seat], chance))
            for earlier in actions[:-1]:
                other = other.apply(earlier)
            assert other.view(seat) == moment.view(seat)
            assert other.public() == moment.public()


@given(chance=chances)
def test_the_public_picture_fits_the_hand(game: Game, chance: Random) -> None:
    _, hand, drawn = deal(game, chance)
    layout = game.layout(game.chance.outcome(drawn), len(hand.stacks))
    for moment, _ in moments(hand, chance):
        public = moment.public()
        assert (public.street, public.pot, public.to_act) == (moment.number, moment.pot, moment.to_act)
        assert tuple(seat.stack for seat in public.seats) == moment.stacks
        assert tuple(index for index, seat in enumerate(public.seats) if seat.live) == moment.live
        assert sum(chips for chips, _ in public.pots) == moment.pot
        assert layout.board[: len(public.board)] == public.board
        for index, seat in enumerate(public.seats):
            hole = moment.hole(index)
            assert len(hole) == seat.hidden
            assert (*hole, *seat.up) == layout.seats[index][: len(hole) + len(seat.up)]
    owned = Counter([card for cards in layout.seats for card in cards] + list(layout.board))
    assert owned <= Counter(game.chance.outcome(drawn))  # nothing is dealt twice


@given(chance=chances)
def test_a_folded_seat_is_dealt_no_more_cards(game: Game, chance: Random) -> None:
    """Cards that a seat would have been dealt after its fold never lie face up."""
    seen: dict[int, tuple[Piece, ...]] = {}
    for moment, _ in moments(deal(game, chance)[1], chance):
        for index, seat in enumerate(moment.public().seats):
            before = seen.get(index, seat.up)
            assert set(seat.up) <= set(before) or seat.live
            seen[index] = seat.up or before


@settings(max_examples=40)  # each plays up to 30 hands
@given(chance=chances)
def test_matches_keep_every_chip(game: Game, chance: Random) -> None:
    for match in play_matches(game, chance, 30):
        assert match.total == game.stack * len(match.stacks)
        assert match.seated == tuple(player for player, stack in enumerate(match.stacks) if match.can_play(stack))


@given(chance=chances)
def test_a_player_who_moves_takes_its_chips(game: Game, chance: Random) -> None:
    match = game.start(game.seats[-1])
    player = chance.randrange(len(match.stacks))
    left = match.release(player)
    assert left.total == match.total - match.stacks[player]
    joined = left.join(match.stacks[player])
    assert (joined.total, len(joined.seated)) == (match.total, len(match.seated))
    assert joined.button is None or joined.button in range(len(joined.stacks))


def test_chance_follows_from_the_seed(game: Game) -> None:
    drawn = [game.chance.draw(bytes(32), table, hand) for table in (0, 1) for hand in range(1, 40)]
    assert drawn == [game.chance.draw(bytes(32), table, hand) for table in (0, 1) for hand in range(1, 40)]
    assert len(set(drawn)) > 30
    with pytest.raises(ValueError, match="255"):
        game.chance.outcome(bytes([255]))


def test_cards_have_words(game: Game) -> None:
    _, hand, drawn = deal(game, Random(3))
    layout = game.layout(game.chance.outcome(drawn), len(hand.stacks))
    for cards in layout.seats:
        assert game.describe((*cards, *layout.board))
    assert choose(hand, Random(1)) in hand.legal()


def other_value(entry: Option) -> int | str:
    """A value that is allowed and not the default."""
    if entry.choices:
        return next(choice for choice in entry.choices if choice != entry.default)
    assert isinstance(entry.default, int)
    return entry.default + 1


def test_options_say_what_they_are(game: Game) -> None:
    for entry in game.options():
        assert entry.help.endswith(".")
        entry.check(entry.default)
        assert getattr(game, entry.name) == entry.default


def test_facts_are_read_back(game: Game) -> None:
    read = 0
    for entry in game.options():
        changed = replace(game, **{entry.name: other_value(entry)})  # type: ignore[arg-type]
        try:
            changed.check()
        except ValueError:  # this value does not go with the other defaults
            continue
        assert type(game).from_facts(changed.facts) == changed != game
        read += 1
    assert read > len(game.options()) / 2


@pytest.mark.parametrize("value", [None, -1, 10**12, "no such word", 1.5, True, b"1"])
def test_wrong_values_are_refused(game: Game, value: object) -> None:
    for entry in game.options():
        with pytest.raises(ValueError, match=f"^{entry.name}: expected"):
            type(game).from_facts({entry.name: value})


def test_settings_are_read_back_from_a_start_record(game: Game) -> None:
    league = LeagueWords(("caller",), ("./bot {port}",), True, (), ("/opt/python",))
    settings = Settings(bytes(32), game, hands=game.hands, origin=league)
    raw = msgpack.unpackb(pack_record(StartRecord.of(settings, [], 0.0)))
    assert typed_start(raw).settings() == settings
    del raw["origin"]["sandbox_python"]  # as in journals of earlier versions
    assert typed_start(raw).settings().origin == replace(league, sandbox_python=())


def test_a_start_record_without_an_option_is_refused(game: Game) -> None:
    start = StartRecord.of(Settings(bytes(32), game, hands=game.hands), [], 0.0)
    for entry in game.options():
        options = {name: fact for name, fact in start.options.items() if name != entry.name}
        with pytest.raises(ValueError, match=entry.name):
            with_fields(start, options=options).settings()


def test_help_names_each_game_with_its_default(game: Game) -> None:
    for entry in game.options():
        told = options_help(shared_options()[entry.name])
        assert (game.name if entry.switch else f"{game.name}: {entry.default}") in told


def test_a_game_that_is_not_installed() -> None:
    with pytest.raises(UnknownGameError, match="there is no game 'chess'; installed are blockhead"):
        load_game("chess")


@given(chance=chances)
def test_every_message_is_read_back(game: Game, chance: Random) -> None:
    last: Hand
    for last, action in moments(deal(game, chance)[1], chance):
        if action is not None and last.to_act is not None:
            turn = last.view(last.to_act)
            assert decode_command(encode(turn), game.name) == turn
    for status in filter(None, last.settle().statuses()):
        assert decode_command(encode(status), game.name) == status


@given(chance=chances, cut=st.floats(0, 1), noise=st.sampled_from(["", ":", "x", "=", ":-1", ":2X"]))
def test_damaged_messages_are_protocol_errors(game: Game, chance: Random, cut: float, noise: str) -> None:
    _, hand, _ = deal(game, chance)
    if hand.to_act is None:
        return
    text = encode(hand.view(hand.to_act))
    damaged = text[: int(cut * len(text))] + noise
    with suppress(ProtocolError):  # and no other error
        decode_command(damaged, game.name)


def test_a_session_of_the_game(game: Game) -> None:
    dealer, bot = DealerConnection(UtfFraming()), BotConnection(UtfFraming())
    chance = Random(5)

    def tell(message: object) -> object:
        bot.receive(dealer.send(message))  # type: ignore[arg-type]
        return bot.next_command()

    tell(Login())
    dealer.receive(bot.send(Name("a", "A")))
    info = GameInfo.about(game, 0, 2)
    if game.announced:
        assert tell(info) == info
    for moment, action in moments(deal(game, chance)[1], chance):
        if action is None or moment.to_act is None:
            break
        assert tell(moment.view(moment.to_act)) == moment.view(moment.to_act)
        assert dealer.receive(bot.send(action)) == action
    for status in filter(None, moment.settle().statuses()):
        assert tell(status) == status
