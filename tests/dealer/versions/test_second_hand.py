"""A recorded hand with another version in one seat: who is asked what, and what becomes of faults."""

from pathlib import Path

from dealer.audit.hands import ReplayedHand
from dealer.faults import FaultKind, SeatLost
from dealer.versions.answerer import Answer, Answerer
from dealer.versions.second_hand import SecondHand
from protocol.games.base import FOLD, Action, Bet, Turn
from tests.dealer.support.replay_files import replayed, write_random
from tests.dealer.versions.scripted import Scripted


def first_hand(tmp_path: Path) -> ReplayedHand:
    """A hand of stud in which a seat acts that is not the first to act."""
    _, hands = replayed(write_random(tmp_path / "a.journal", "stud"))
    return next(hand for _, hand in hands if len({step.seat for step in hand.steps}) > 2)


def call(turn: Turn) -> Action:
    return Bet(turn.legal().to_call)


async def test_version_and_stand_ins_hear_how_the_hand_ended(tmp_path: Path) -> None:
    hand = first_hand(tmp_path)
    seat = hand.steps[0].seat
    version, stand_in = Scripted(lambda _: FOLD), Scripted(call)
    assert hand.steps[0].action != FOLD

    async def stands_in(_: int) -> Answerer:
        return stand_in

    again = await SecondHand(hand, seat, version, stands_in).play()
    assert again.first_change == 0
    assert len(version.asked) == len(version.heard) == 1
    assert stand_in.heard
    assert again.again.settlement.payoffs[seat] == again.again.last.stacks[seat] - again.again.last.starting[seat] < 0


async def test_illegal_answer_gives_the_hand_up(tmp_path: Path) -> None:
    hand = first_hand(tmp_path)
    seat = hand.steps[0].seat
    stand_in = Scripted(call)

    async def stands_in(_: int) -> Answerer:
        return stand_in

    again = await SecondHand(hand, seat, Scripted(lambda _: Bet(10**6)), stands_in).play()
    ((at, fault),) = again.faults
    assert (at, fault.kind) == (seat, FaultKind.ILLEGAL)
    assert again.again.steps[0].action is None
    assert seat not in again.again.last.live


async def test_stand_in_is_asked_what_its_seat_was_asked_before(tmp_path: Path) -> None:
    _, hands = replayed(write_random(tmp_path / "a.journal", "stud"))
    met = 0
    for _, hand in hands:
        for replaced in {step.seat for step in hand.steps}:
            own = [step for step in hand.steps if step.seat == replaced]
            if len(own) < 2:
                continue
            answers = iter([own[0].action or FOLD])  # as recorded at first, then another way
            version = Scripted(lambda turn, answers=answers: next(answers, None) or FOLD)  # type: ignore[misc]
            stand_ins: dict[int, Scripted] = {}

            async def stands_in(seat: int, made: dict[int, Scripted] = stand_ins) -> Answerer:
                return made.setdefault(seat, Scripted(call))

            again = (await SecondHand(hand, replaced, version, stands_in).play()).again
            for seat, stand_in in stand_ins.items():
                asked = [step.before.view(seat) for step in again.steps if step.seat == seat]
                assert stand_in.asked == asked
                met += 1
    assert met > 5


async def test_lost_seat_is_a_fault(tmp_path: Path) -> None:
    class Silent(Scripted):
        async def answer(self, turn: Turn) -> Answer:
            raise SeatLost(FaultKind.LATE, "no reply", connected=True)

    hand = first_hand(tmp_path)
    last = hand.steps[-1].seat

    async def stands_in(_: int) -> Answerer:
        return Scripted(call)

    again = await SecondHand(hand, last, Silent(call), stands_in).play()
    assert [fault.kind for _, fault in again.faults] == [FaultKind.LATE]
