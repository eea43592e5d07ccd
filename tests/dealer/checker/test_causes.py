"""Which causes of mistakes are recognised, and that nothing else is taken for one of them."""

from collections.abc import Sequence

import pytest

from dealer.checker.cases.blockhead import CASES as BLOCKHEAD
from dealer.checker.cases.stud import CASES
from dealer.checker.scoring.causes import (
    QuestionText,
    of_bytes,
    of_login,
    of_malformed,
    of_silent_login,
    of_unreadable,
    why_no_connection,
)
from dealer.checker.scoring.evidence import After, Bets, Crash, Mistake, PlacedBet, Question, Silence, most_supported
from dealer.checker.scoring.explain import causes_of as causes_or_none
from dealer.checker.scoring.explain import of_illegal
from dealer.checker.scoring.findings import Findings
from protocol.games.stud import StudTurn
from protocol.wire.codec import decode_command, encode


def causes_of(mistakes: Sequence[Mistake], findings: Findings, text: QuestionText) -> list[str]:
    """The cause of each mistake; empty where none is named, or where it follows from another mistake."""
    return [cause or "" for cause in causes_or_none(mistakes, findings, text)]


def turn(text: str) -> StudTurn:
    found = decode_command(text)
    assert isinstance(found, StudTurn)
    return found


QUESTION = turn("bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C")


@pytest.mark.parametrize(
    ("raw", "lines", "words"),
    [
        (b"bet:5\n", False, "as println does"),
        (b"bet:5", False, "as writeBytes does"),
        (b"\0\0\0\5bet:5", False, "four bytes"),
        (b"\0b\0e\0t\0:\0005", False, "writeChars"),
        (b"\5\0bet:5", False, "the wrong way round"),
        (b"\5bet:5", False, "the length has one byte"),
        (b"\xac\xed\0\5t\0\5bet:5", False, "ObjectOutputStream"),
        (b"GET / HTTP/1.1\r\n", False, "HTTP"),
        ("\0\6Zoë: x".encode(), False, "counts characters"),
        (b"\0\6bet", False, "announces more bytes"),
        (b"VERSION:2.0.0\r\n", False, "the protocol of the ACPC"),
        ("\0\x0bada:Ada 🂡".encode(), False, "the avatar has an emoji"),
        (b"\0", False, ""),
        (b"\0\5bet:5", False, ""),  # a correct frame
        (b"\0\5bet:5", True, "takes lines"),
        (b"bet:5", True, "has no end"),
        (b"check\n", True, ""),
    ],
)
def test_wrong_bytes_are_recognised(raw: bytes, lines: bool, words: str) -> None:
    cause = of_bytes(raw, lines=lines)
    assert words in cause
    assert bool(words) == bool(cause)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Fold", "lower case"),
        ("fold ", "a blank or a line end"),
        ("bet:5\r", "a blank or a line end"),
        ("bet: 5", "behind the colon"),
        ("bet:-1", "below zero"),
        ("bet:5.0", "a point"),
        ("5", "is missing"),
        ("check", "a check is bet:0"),
        ("raise 5", "a check is bet:0"),
        ("bet 5", "a colon"),
        ("", "empty"),
        ("pass", "the only words are"),
        ("all-in", "the only words are"),
        ("I fold", "the only words are"),
        ("bet:None", "returned no amount"),
        ("None", "returned no amount"),
        ("bet:$10", "a sign stands before"),
        ("bet:null", "returned no amount"),
        ("bet:", "is not a number"),
        ("bet:0 chips", "behind the number"),
        ("bet:0:", "behind the number"),
        ("bet:1,000", "behind the number"),
        ("bet:+0", "a plus sign"),
        ("bet:-1.5", "a point"),
        ("bet:1234567890", "more than nine digits"),
        ("bet1:10", "the same word on every street"),
        ("fold:0", "nothing may stand behind fold"),
        ("ada-l:Ada", ""),
        ("action:fold", ""),
        ("{'bet': 5}", ""),
        ("bet:٣", ""),
    ],
)
def test_malformed_reply_is_recognised(text: str, words: str) -> None:
    cause = of_malformed(text)
    assert words in cause
    assert bool(words) == bool(cause)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ada-l:Ada", "with its reply to login"),
        ("eve-l:Eve", ""),
        (f"DEBUG {encode(QUESTION)}", "the question is part of the reply"),
        ("pass", "the only words are"),
    ],
)
def test_unreadable_reply_is_compared_with_what_was_said_before(text: str, words: str) -> None:
    cause = of_unreadable(text, encode(QUESTION), ["ada-l:Ada"], CASES.text)
    assert words in cause
    assert bool(words) == bool(cause)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("login:ada:Ada", "repeats the word"),
        ("ada", "one word"),
        ("<ada>:<Ada>", "angle brackets"),
        ("a b:Ada", "a blank or a sign"),
        ("ada@uni:Ada", "a blank or a sign"),
    ],
)
def test_wrong_login_is_recognised(text: str, words: str) -> None:
    assert words in of_login(text)
    assert bool(words) == bool(of_login(text))


BEFORE = turn("bet1:230:2:5:KS:10D:up:AS:8H:10D:QD:2C")

TOTAL, STALE, ALONE = "the total of the street", "a stale bet", "the raise alone"
ZERO, WHOLE, SAME, STACK = "checks with bet:0", "its whole stack", "the same whatever is owed", "more chips than it has"
ABOVE = "more than is allowed"


def illegal(bet: PlacedBet, *more: PlacedBet) -> list[str]:
    """The causes of a bet, in a check with more bets, that may be legal."""
    return of_illegal([bet], Bets([bet, *more]))


@pytest.mark.parametrize(
    ("amount", "put", "last", "causes"),
    [
        (25, 10, None, [TOTAL, ABOVE]),
        (5, 0, BEFORE, [STALE, ALONE]),
        (5, 0, None, [ALONE]),
        (208, 0, None, [WHOLE]),
        (40, 0, None, [ABOVE]),
        (11, 0, None, []),
        (0, 0, None, [ALONE, ZERO]),
    ],
)
def test_illegal_bet_is_recognised(amount: int, put: int, last: StudTurn | None, causes: list[str]) -> None:
    found = illegal(PlacedBet(amount, QUESTION, put, last))
    assert len(found) == len(causes)
    assert all(words in cause for words, cause in zip(causes, found, strict=True))


def test_bet_beyond_the_stack_is_recognised() -> None:
    (cause,) = illegal(PlacedBet(22, QUESTION._replace(stack=15), 0, None))
    assert STACK in cause


def test_highest_raise_beyond_the_stack_is_not_stale() -> None:
    short = QUESTION._replace(stack=20)
    last = turn("bet1:230:2:22:KS:10D:up:AS:8H:10D:QD:2C")
    other = PlacedBet(12, QUESTION, 0, last)  # 12 is right now, and was not at the question before
    (cause,) = illegal(PlacedBet(22, short, 0, last), other)
    assert STACK in cause


def test_total_is_excluded_by_a_raise_that_leaves_out_earlier_bets() -> None:
    short = QUESTION._replace(stack=15)
    wrong = PlacedBet(22, short, 10, None)
    assert any(TOTAL in cause for cause in illegal(wrong))
    assert not any(TOTAL in cause for cause in illegal(wrong, PlacedBet(17, QUESTION, 10, None)))


def test_total_counts_from_the_last_number_where_that_was_a_legal_total_by_chance() -> None:
    short = QUESTION._replace(owed=5, stack=8)
    assert TOTAL in illegal(PlacedBet(19, short, 16, None, {1: 11}))[0]
    assert TOTAL not in illegal(PlacedBet(19, short, 16, None))[0]


def test_raise_alone_is_excluded_by_a_raise_with_what_was_owed_before() -> None:
    check, nothing_owed = PlacedBet(0, QUESTION, 0, None), QUESTION._replace(owed=0)
    of_three, call = PlacedBet(3, nothing_owed, 0, None), PlacedBet(12, QUESTION._replace(owed=12), 0, None)
    assert any(ALONE in cause for cause in illegal(check, of_three, call))
    assert not any(ALONE in cause for cause in illegal(check, of_three, PlacedBet(15, nothing_owed, 0, None)))


def after_bets_of_thirty(*amounts: int) -> list[str]:
    """The causes of bets on street 1, before each of which 30, 31, 32 ... chips were bet on street 2."""
    bets, illegal = Bets(), []
    for number, amount in enumerate(amounts):
        bets.place(30 + number, turn(BET2), 0, None)
        illegal.append(bets.place(amount, QUESTION, 0, None))
    return causes_of(illegal, Findings(bets=bets), CASES.text)


def test_number_of_the_last_bet_on_another_street_is_named_only_if_all_bets_are_such() -> None:
    assert all("its last reply to bet2" in str(cause) for cause in after_bets_of_thirty(30, 31, 32, 33, 34))
    assert set(after_bets_of_thirty(30, 31, 32, 33, 35)) == {"it raises by more than is allowed"}


def test_same_raise_is_named_only_if_every_raise_is_the_same() -> None:
    bets = Bets()
    illegal = [
        bets.place(owed + 15, QUESTION._replace(owed=owed, stack=owed + (8, 13)[owed % 2]), 0, None)
        for owed in range(8)
    ]
    assert "it always raises by 15" in causes_of(illegal, Findings(bets=bets), CASES.text)[0]
    bets.place(13, QUESTION, 0, None)
    assert "always raises by" not in causes_of(illegal, Findings(bets=bets), CASES.text)[0]


def test_equal_bets_are_recognised_only_if_all_are_equal() -> None:
    five = PlacedBet(5, QUESTION, 0, None)
    (cause,) = illegal(five, five, five, five, five)
    assert SAME in cause
    assert SAME not in illegal(five, five, five, five, five, PlacedBet(12, QUESTION, 0, None))[0]


def test_cause_that_explains_more_excludes_the_other() -> None:
    assert most_supported([["a", "b"], ["b"], ["b", "a"]]) == ["b", "b", "b"]
    assert most_supported([["a", "b"], ["a", "b"]]) == ["a - or b", "a - or b"]
    assert most_supported([["a"], ["a"], ["b"], []]) == ["a", "a", "b", ""]
    assert most_supported([]) == []


BET1 = "bet1:208:24:12:KS:9D:up:AS:8H:9D:QD:2C"
TENS = "bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C"
BET2 = "bet2:183:66:0:KS:9D:9S:up:AS:AH:9D:9S"
MANY = "bet1:208:24:12:KS:9D:up:AS:8H:9D:QD:2C:3C"
OTHERS_TEN = "bet1:208:24:12:KS:9D:up:AS:8H:9D:10C:2C"
OWN_TEN = "no question with a ten among the program's own cards"


@pytest.mark.parametrize(
    ("question", "output", "answered", "words"),
    [
        (BET1, 'java.lang.NumberFormatException: For input string: "u"', [], "literal 'up'"),
        (BET1, "ValueError: invalid literal for int() with base 10: 'up'", [], "literal 'up'"),
        (BET1, "    if card == 'up':\nKeyError: 7", [], ""),
        (TENS, "KeyError: '1'", [BET1], "no question with a ten was answered"),
        (TENS, "KeyError: '1'", [TENS], ""),
        (TENS, "KeyError: '1'", [OTHERS_TEN], OWN_TEN),
        (OTHERS_TEN, "KeyError: '1'", [OTHERS_TEN], ""),
        (BET2, "", [BET1], "no bet2 was answered"),
        (BET2, "", [BET1, BET2], ""),
        (MANY, "IndexError: list index out of range", [BET1], "so many players"),
        (BET1, "java.lang.ArrayIndexOutOfBoundsException: 5", [BET1], "a field that is not there"),
    ],
)
def test_crash_is_recognised(question: str, output: str, answered: list[str], words: str) -> None:
    cause = crash(question, output, answered, CASES.text)
    assert words in cause
    assert bool(words) == bool(cause)


def crash(question: str, output: str, answered: Sequence[str], text: QuestionText) -> str:
    findings = Findings(answered=[Question(text, After.NEWS) for text in answered])
    (cause,) = causes_of([Crash(question, output)], findings, text)
    return cause


def test_crash_that_two_things_explain_names_both_until_one_is_excluded() -> None:
    both = TENS + ":3C"  # a ten, and more players than before
    crashes = [Crash(both, ""), Crash(both, "")]
    findings = Findings(answered=[Question(BET1, After.NEWS)])
    assert all("ten" in cause and " - or " in cause for cause in causes_of(crashes, findings, CASES.text))
    findings.answered.append(Question(TENS, After.NEWS))
    assert all("ten" not in cause and "players" in cause for cause in causes_of(crashes, findings, CASES.text))


def test_ten_of_its_own_is_named_only_if_every_crash_has_one() -> None:
    findings = Findings(answered=[Question(OTHERS_TEN, After.NEWS)])
    own, other = Crash(TENS, ""), Crash(OTHERS_TEN, "")
    assert all(OWN_TEN in cause for cause in causes_of([own, own], findings, CASES.text))
    assert not any(OWN_TEN in cause for cause in causes_of([own, other], findings, CASES.text))


STATUS = "status:win:10S:9C:AD"


@pytest.mark.parametrize(
    ("code", "output", "cause"),
    [
        (1, "ValueError: 9C", "it crashes on status"),
        (0, "bye\n", "it ends by itself after status: the loop has to go on until done comes"),
        (0, "ValueError: 9C", "an exception ends its loop on status; its own output shows it"),
        (None, "", "it crashes on status, or its loop ends: it has to go on until done comes"),
    ],
)
def test_end_on_status_is_a_crash_only_if_the_exit_code_says_so(code: int | None, output: str, cause: str) -> None:
    assert causes_of([Crash(STATUS, output, code)], Findings(), CASES.text) == [cause]


SECOND = Question(BET2, After.REPLY)


def silence(output: str = "", *answered: Question, question: Question = SECOND, times: int = 1) -> str:
    """The cause of questions without a reply in a check with some that were answered."""
    findings = Findings(answered=list(answered))
    return causes_of([Silence(question, output) for _ in range(times)], findings, CASES.text)[0]


FIRST, AFTER_REPLY = Question(BET1, After.LOGIN), Question(BET1, After.REPLY)


def test_printed_reply_or_exception_explains_silence() -> None:
    assert "prints its reply instead of sending it" in silence("I say bet:5\n")
    assert "prints" in silence("thinking\nFold!\n")
    for innocent in ("bet1 came\n", "Stack: 499\n", "should I fold?\n", "ada-l:Ada\n"):
        assert "prints" not in silence(innocent)
    assert silence("bet:5\n", FIRST) == "a branch computes the reply and prints it, but does not send it"
    assert "an exception keeps it" in silence("java.lang.NullPointerException: x\n\tat Poker.play\nbet:5\n", FIRST)


def test_program_whose_output_shows_that_it_reads_on_is_not_said_to_hang() -> None:
    (cause,) = causes_of([Silence(FIRST, "", reads_on=True)], Findings(), CASES.text)
    assert cause == "a branch that sends nothing, or a reply that is not flushed: its own output shows that it reads on"


def test_output_of_a_program_that_always_prints_is_no_evidence() -> None:
    findings = Findings(answered=[FIRST], prints_replies=True)
    (cause,) = causes_of([Silence(Question(BET2, After.REPLY), "bet:5\n")], findings, CASES.text)
    assert "prints" not in cause


def test_unknown_kind_is_told_from_a_read_too_many() -> None:
    read, unknown = "a second read after each reply", "it does not know bet2"
    both = silence("", FIRST)
    assert read in both
    assert unknown in both
    assert silence("", FIRST, AFTER_REPLY) == unknown  # another question after a reply was answered: no read too many
    # a question of a kind that it knows was lost at the same place: the read explains both
    lost = [Silence(Question(BET2, After.REPLY)), Silence(AFTER_REPLY), Silence(AFTER_REPLY)]
    assert all(
        read in cause and unknown not in cause for cause in causes_of(lost, Findings(answered=[FIRST]), CASES.text)
    )


def test_lost_question_is_explained_by_where_it_stood() -> None:
    """The first one: one read before the loop. Behind news: it may have come in the same read."""
    after, known = Question(BET1, After.NEWS), Question(BET2, After.NEWS)
    assert "one read before the loop" in silence("", after, question=FIRST, times=2)
    assert "one read before the loop - or a branch" in silence("", after, question=FIRST)
    found = silence("", known, after, question=known)
    assert found.startswith("it takes one read for one message: a status and the next question often come together")
    branch = "a branch that sends nothing, one that reads once too often, or a loop that does not end"
    assert silence("", FIRST, SECOND) == branch, "at a place that is read"


def test_silent_login_is_explained() -> None:
    assert "readUTF reads" in of_silent_login("", lines=False)
    assert "as readUTF does" in of_silent_login("", lines=True)
    assert "prints" in of_silent_login("ada-l:Ada\n", lines=True)


JAVA, PYTHON = 'Exception in thread "main"', "Traceback (most recent call last):"


@pytest.mark.parametrize(
    ("output", "code", "words"),
    [
        ("Error: Could not find or load main class Poker", 1, "no such class"),
        (
            "Error: Could not find or load main class Poker\nCaused by: java.lang.NoClassDefFoundError: "
            "Poker (wrong name: poker/Poker)",
            1,
            "java poker.Poker",
        ),
        ("ConnectionRefusedError: [Errno 111] Connection refused", 1, "another address or port"),
        ('NumberFormatException: For input string: "127.0.0.1"\n\tat Poker.main(P.java:9)', 1, "for a number"),
        (f'{JAVA} java.lang.NumberFormatException: For input string: "10"\n\tat Card.<init>', 1, "crashes before"),
        (
            f"{JAVA} java.lang.ArrayIndexOutOfBoundsException: Index 2 out of bounds for length 2\n"
            "\tat Poker.main(Poker.java:9)",
            1,
            "other arguments than two",
        ),
        (
            f"{JAVA} java.lang.ArrayIndexOutOfBoundsException: Index 52 out of bounds for length 52\n"
            "\tat Poker.main(Poker.java:9)",
            1,
            "crashes before",
        ),
        (
            f"{PYTHON}\n    port = sys.argv[3]\n           ~~~~~~~~^^^\nIndexError: list index out of range",
            1,
            "other arguments than two",
        ),
        (f"{PYTHON}\n    deck[52]\nIndexError: list index out of range", 1, "crashes before"),
        ("", None, "waits for something else"),
        ("", 0, "without printing anything"),
        ("KeyError: 7", 1, ""),
    ],
)
def test_missing_connection_is_explained_by_output(output: str, code: int | None, words: str) -> None:
    cause = why_no_connection(output, code)
    assert words in cause
    assert bool(words) == bool(cause)


def test_crash_in_any_game_is_explained_by_what_is_new() -> None:
    any_game = QuestionText()
    assert crash("bet2:90:10:0", "", ["bet1:95:5:0"], any_game) == "no bet2 was answered"
    assert crash("bet1:95:5:0:10S", "", ["bet1:95:5:0:9S"], any_game).startswith("no question with a ten")
    assert crash("bet1:95:5:0", "", [], any_game) == ""
    assert crash("game:leduc", "", [], any_game).startswith("it crashes on game")


BET1_OF_THREE = "bet1:990:20:0:KS:9D:8D:up:AS:2H:bets:raise:10"
BET1_OF_FOUR = "bet1:990:20:0:KS:9D:8D:up:AS:2H:up:AD:2S:bets:raise:10"
BET3 = "bet3:990:20:0:KS:9D:8D:5C:4C:up:AS:2H:3H:4H:bets:raise:10"


@pytest.mark.parametrize(
    ("question", "answered", "words"),
    [
        (BET1_OF_FOUR, [BET1_OF_THREE], "so many players was answered; at a table sit up to 6"),
        (BET3, [BET1_OF_THREE], "no bet3 was answered, which has one more card"),
        (BET1_OF_THREE, [BET1_OF_FOUR], ""),
    ],
)
def test_crash_in_blockhead_is_recognised(question: str, answered: list[str], words: str) -> None:
    cause = crash(question, "", answered, BLOCKHEAD.text)
    assert words in cause
    assert bool(words) == bool(cause)
