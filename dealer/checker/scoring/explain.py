"""Causes that only the whole check can tell: of illegal bets, of questions without a reply, and of crashes.

A cause is named only if it explains the mistake, if nothing the program did right contradicts it, and if no other cause
explains more. Where the check could not tell two causes apart, both are named.
"""

import re
from collections.abc import Iterator, Sequence

from dealer.checker.scoring.causes import OPEN_AFTER_DONE, QuestionText, Signs, first_of
from dealer.checker.scoring.evidence import (
    MANY,
    After,
    Bets,
    Crash,
    Mistake,
    PlacedBet,
    Question,
    Silence,
    StillOpen,
    most_supported,
)
from dealer.checker.scoring.findings import Findings

#: A printed reply to a question: a whole line that says fold, or a bet anywhere.
PRINTED_REPLY = re.compile(r"(?im)^\W*(?:fold|bet)\W*$|\bbet(?:s|ting)?\b[:= ]\s*\d+")

#: The lines of a program's output that say why it ended, and not where.
_ERROR = re.compile("Error|Exception")

#: An error that was caught and printed, or that ended a thread.
_PRINTED_ERROR = re.compile(r"\b\w+(?:Error|Exception)\b")

#: A ten, the only card of three characters.
_TEN = re.compile(r"10[SHDC]")

#: Messages that are not questions about a hand.
_OTHER_MESSAGES = ("login", "game", "status", "done")

_THREE_CHARACTERS = "it is the only card of three characters"
_CHECKS = "it checks with bet:0 although something is owed: a call bets what is owed"
_ABOVE = "it raises by more than is allowed"
_BRANCH = "a branch that sends nothing"
_LOOP = "a loop that does not end"
_ONCE_TOO_OFTEN = "one that reads once too often"
_ONE_READ = "it takes one read for one message: a status and the next question often come together"

#: Where a read too many stands in a program, by what came before the question that it loses.
_READS = {
    After.LOGIN: "one read before the loop",
    After.NEWS: "a second read after a status",
    After.REPLY: "a second read after each reply",
}


def explain(findings: Findings, text: QuestionText) -> None:
    """Give all findings their causes that waited for the end of the check."""
    findings.explain(lambda mistakes: causes_of(mistakes, findings, text))


def causes_of(mistakes: Sequence[Mistake], findings: Findings, text: QuestionText) -> list[str | None]:
    """The cause of each mistake of a check; empty where none is recognised, None if it follows from another mistake."""
    silences = [mistake for mistake in mistakes if isinstance(mistake, Silence)]
    crashes = [mistake for mistake in mistakes if isinstance(mistake, Crash)]
    bets = [mistake for mistake in mistakes if isinstance(mistake, PlacedBet)]
    low, high = ([bet for bet in bets if (bet.amount < bet.turn.owed) is low] for low in (True, False))
    own_tens = _crashes_on_own_tens(crashes, findings.answered, text)
    causes: dict[int, str | None] = {
        **_weighed(silences, [of_silence(silence, silences, findings) for silence in silences]),
        **_weighed(crashes, [of_crash(crash, findings.answered, text, own_tens) for crash in crashes]),
        **_of_bets(low, findings.bets),
        **_of_bets(high, findings.bets),
    }
    # A read too many that may have lost a question may have lost done at the same place: the program never saw it.
    lost = {
        one.question.after
        for one in silences
        if any(words in (causes[id(one)] or "") for words in (_READS[one.question.after], _ONCE_TOO_OFTEN))
    }
    opens = [mistake for mistake in mistakes if isinstance(mistake, StillOpen)]
    causes |= {id(one): None if one.after in lost else OPEN_AFTER_DONE for one in opens}
    return [causes[id(mistake)] for mistake in mistakes]


def _weighed(mistakes: Sequence[Mistake], candidates: Sequence[Sequence[str]]) -> dict[int, str]:
    return dict(zip(map(id, mistakes), most_supported(candidates), strict=True))


def _true(signs: Signs) -> list[str]:
    return [cause for sign, cause in signs if sign]


def _of_bets(illegal: Sequence[PlacedBet], bets: Bets) -> dict[int, str]:
    """The causes of the illegal bets below what is owed, or of all others.

    A way of computing a bet is a cause only if it explains all of them. If there is none, each bet is described.
    """
    found = of_illegal(illegal, bets)
    too_high = any(bet.is_too_high for bet in bets.placed)
    return {id(bet): " - or ".join(found) or of_amount(bet, too_high) for bet in illegal}


def of_illegal(illegal: Sequence[PlacedBet], bets: Bets) -> list[str]:
    """The ways of computing a bet that explain all illegal bets, where ``bets`` of the same program exclude none."""
    if not illegal:
        return []
    placed = bets.placed
    if len(placed) >= MANY and len({bet.amount for bet in placed}) == 1:
        return ["it bets the same whatever is owed"]
    short = [bet for bet in placed if bet.short]
    explained = _true(
        [
            (
                all(bet.is_total for bet in illegal) and not any(map(_excludes_total, placed)),
                "it bets the total of the street; the number is what is put in now, without earlier bets",
            ),
            (
                # where the question before says nothing, it contradicts nothing
                any(bet.fits_before for bet in illegal) and not any(bet.fits_before is False for bet in placed),
                "it sends a stale bet, which fits the question before",
            ),
            *_repeated(illegal),
            (
                len(short) >= MANY and all(bet.amount == bet.turn.owed + 1 for bet in (*short, *illegal)),
                "it bets a chip more than a call, which is neither a call nor a raise",
            ),
            (
                len(illegal) >= MANY and all(bet.amount == bet.turn.owed - 1 for bet in illegal),
                "it bets a chip less than is owed",
            ),
            (
                len(placed) >= MANY
                and all(bet.amount >= bet.turn.pot or bet.is_all_in for bet in placed)
                and all(bet.takes_pot_for_owed or bet.is_all_in for bet in illegal),
                "it takes the pot for what is owed",
            ),
            (
                (
                    all(bet.is_raise_alone for bet in illegal)
                    and not bets.below_zero
                    and not any(map(_excludes_raise_alone, placed))
                )
                or (len(short) >= MANY and all(map(_is_short_of_owed, short)) and all(bet.short for bet in illegal)),
                "it bets the raise alone; what is owed has to be in it too",
            ),
        ]
    )
    too_high = any(bet.is_too_high for bet in placed)
    described = {of_amount(bet, too_high) for bet in illegal}
    if len(illegal) >= MANY and described == {_CHECKS}:  # narrower than any way of computing amounts
        return [_CHECKS]
    explained = explained or (_same(illegal, placed) if described in ({_ABOVE}, {""}) or len(described) > 1 else [])
    if len(described) == 1:  # of a few bets nobody can tell whether they were computed so
        return explained if len(illegal) >= MANY and explained else [*explained, *described - {""}]
    return explained


def _excludes_total(bet: PlacedBet) -> bool:
    """Whether a bet is a legal raise that would not be legal as the total of the street."""
    return bet.amount in bet.turn.legal().raises and bool(bet.put) and not bet.is_total


def _excludes_raise_alone(bet: PlacedBet) -> bool:
    """Whether a bet that is no call would be above the highest legal one if what is owed was missing in it."""
    owed = bet.turn.owed
    return bet.amount != owed and bet.amount + owed > bet.most != bet.turn.stack


def _is_short_of_owed(bet: PlacedBet) -> bool:
    """Whether a bet is the least raise without what is owed."""
    return bool(bet.turn.owed) and bet.amount + bet.turn.owed == bet.turn.legal().raises[0]


def _repeated(illegal: Sequence[PlacedBet]) -> Iterator[tuple[bool, str]]:
    """Whether all illegal bets are of as many chips as the last bet on one street, or on any."""
    several = len(illegal) >= MANY and len({bet.amount for bet in illegal}) > 1
    for street in sorted({street for bet in illegal for street in bet.before}):
        same = several and all(bet.before.get(street) == bet.amount for bet in illegal)
        yield same, f"it sends a stale bet: it is always the number of its last reply to bet{street}"


def _same(illegal: Sequence[PlacedBet], placed: Sequence[PlacedBet]) -> list[str]:
    """What is the same in all of many bets above what is allowed, and in all other raises that are not all in."""
    if len(illegal) < MANY or any(bet.amount <= bet.most for bet in illegal):
        return []
    amounts = {bet.amount for bet in illegal}
    raising = [bet for bet in placed if bet.turn.owed < bet.amount and not bet.is_all_in]
    raised = {bet.amount - bet.turn.owed for bet in raising}
    limits = "a raise has to be within the limit and within its stack"
    return _true(
        [
            (
                all(bet.amount == bet.most + 1 for bet in illegal),
                "it bets one chip more than the most that is allowed",
            ),
            (len(raised) == 1, f"it always raises by {max(raised, default=0)}: {limits}"),
            (
                len(amounts) == 1 and amounts == {bet.amount for bet in raising},
                f"it always bets {max(amounts)}: {limits}",
            ),
        ]
    )[:1]


def of_amount(bet: PlacedBet, too_high: bool) -> str:
    """What an illegal bet is, in words that are true of it however it was computed; empty if the rule says it all.

    Args:
        bet: that is described.
        too_high: whether any bet of the program was; see ``PlacedBet.is_too_high``.
    """
    amount, most, owed, raises = bet.amount, bet.most, bet.turn.owed, bet.turn.legal().raises
    stack = most if bet.turn.stack is None else bet.turn.stack
    return first_of(
        [
            (not raises and owed < amount <= stack, "it raises where the question says that no raise is allowed"),
            (bet.short, "it raises by less than the least raise that the question names"),
            # where the highest bet is the whole stack, it is the stack that forbids more
            (most == stack < amount, "it bets more chips than it has: a raise has to be cut to the stack"),
            (most < amount == stack and not too_high, "it bets its whole stack; a raise has a limit"),
            (most < amount, _ABOVE),
            (amount == 0 < owed, _CHECKS),
        ]
    )


def of_crash(crash: Crash, answered: Sequence[Question], text: QuestionText, own_tens: bool) -> list[str]:
    """What explains a program that ended on a message: what its errors say, and what no answered question had.

    Args:
        crash: that is explained.
        answered: the questions with a reply.
        text: how the game writes its questions.
        own_tens: see ``_crashes_on_own_tens``.
    """
    fields, seen = crash.sent.split(":"), [question.text.split(":") for question in answered]
    kind = crash.kind
    if kind in _OTHER_MESSAGES:
        return [_why_it_ends(crash)]
    said = "\n".join(line for line in crash.output.splitlines() if _ERROR.search(line))
    if literals := _true(_literals(said, text)):
        return literals[:1]
    any_ten = _has_ten(fields) and seen and not any(map(_has_ten, seen))
    new = _true(
        [
            (any_ten, f"no question with a ten was answered: {_THREE_CHARACTERS}"),
            (
                own_tens and not any_ten,
                f"no question with a ten among the program's own cards was answered: {_THREE_CHARACTERS}",
            ),
            (_none_of_its_kind(kind, seen, text), f"no {kind} was answered" + _news(kind, text)),
            (
                seen and _most_players(fields, seen, text),
                f"no question with so many players was answered; at a table sit up to {text.most_players}",
            ),
        ]
    )
    out_of_range = re.search("IndexOutOfBounds|IndexError|out_of_range", said)
    missing = "it takes a field that is not there: the number of fields differs from question to question"
    return new or ([missing] if out_of_range else [])


def _why_it_ends(crash: Crash) -> str:
    """From the end of a program on a message that is no question. An exit code of 0 is no crash."""
    kind, goes_on = crash.kind, "has to go on until done comes"
    if crash.code is None:
        return f"it crashes on {kind}, or its loop ends: it {goes_on}"
    if crash.code:
        return f"it crashes on {kind}"
    if _PRINTED_ERROR.search(crash.output):
        return f"an exception ends its loop on {kind}; its own output shows it"
    return f"it ends by itself after {kind}: the loop {goes_on}"


def _crashes_on_own_tens(crashes: Sequence[Crash], answered: Sequence[Question], text: QuestionText) -> bool:
    """Whether every question that the program ended on shows a ten of its own, and no question that it answered."""
    behind, on = text.behind_own, [crash.sent for crash in crashes if crash.kind not in _OTHER_MESSAGES]
    if behind is None or not on or not answered:
        return False

    def has_own_ten(question: str) -> bool:
        fields = question.split(":")
        return _has_ten(fields[4 : fields.index(behind)])

    return all(map(has_own_ten, on)) and not any(has_own_ten(question.text) for question in answered)


def _has_ten(fields: Sequence[str]) -> bool:
    return any(map(_TEN.fullmatch, fields))


def _literals(said: str, text: QuestionText) -> Iterator[tuple[object, str]]:
    """Whether an error names a literal, or its first or last letter, which Java and Python show when they parse it."""
    for literal, meaning in text.literals.items():
        quoted = "|".join([f"{literal[0]}(?:{literal[1:]})?", literal[-1]])
        cause = f"it parses the literal {literal!r}, which {meaning}, as a card or a number"
        yield re.search(f"""['"](?:{quoted})['"]""", said), cause


def _none_of_its_kind(kind: str, seen: Sequence[Sequence[str]], text: QuestionText) -> bool:
    """Whether no question of this kind was answered. The very first question of all counts if its kind has news."""
    return (bool(seen) or kind in text.news) and all(fields[0] != kind for fields in seen)


def _news(kind: str, text: QuestionText) -> str:
    return f", {text.news[kind]}" if kind in text.news else ""


def _most_players(fields: Sequence[str], seen: Sequence[Sequence[str]], text: QuestionText) -> bool:
    """Whether a question shows more players than all that were answered."""
    return text.players is not None and text.players(fields) > max(map(text.players, seen), default=0)


def of_silence(silence: Silence, silences: Sequence[Silence], findings: Findings) -> list[str]:
    """What explains a question without a reply.

    A read too many loses what comes at one place: the first question, or every one after a reply. It is excluded where
    another question at the same place was answered. Only then the kind of question is one that the program does not
    know.
    """
    answered, kind, after = findings.answered, silence.question.kind, silence.question.after
    if found := of_output(silence.output, findings):
        return [found]
    if silence.reads_on:
        return ["a branch that sends nothing, or a reply that is not flushed: its own output shows that it reads on"]
    if not answered:
        return [f"it does not know {kind}, or {_LOOP}, one read too many, or a reply that was not flushed"]
    unknown = all(question.kind != kind for question in answered)
    reads, no_kind = f"it reads one message too many, and loses it: {_READS[after]}", f"it does not know {kind}"
    if any(question.after is after for question in answered):
        others = f"{_BRANCH}, {_ONCE_TOO_OFTEN}, or {_LOOP}"
        together = f"{_ONE_READ}; or {others}" if after is After.NEWS else others
        return [no_kind if unknown else together]
    once = sum(other.question.after is after for other in silences) == 1
    return [no_kind, reads] if unknown else [reads, _BRANCH] if once else [reads]


def of_output(output: str, findings: Findings) -> str:
    """From what a program printed between a question and the end of the wait for its reply; empty if nothing."""
    replies = PRINTED_REPLY.search(output) and not findings.prints_replies
    return first_of(
        [
            (_PRINTED_ERROR.search(output), "an exception keeps it from replying; its own output shows it"),
            (replies and findings.answered, "a branch computes the reply and prints it, but does not send it"),
            (replies, "it prints its reply instead of sending it"),
        ]
    )
