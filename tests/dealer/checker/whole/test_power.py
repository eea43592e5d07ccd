"""The checker finds every mistake and accuses no sound program: at fifty seeds, and in edits of one program.

``pytest -m heavy -rP tests/dealer/checker/whole/test_power.py`` prints how often each program was found; it takes 15
minutes of one core. The programs run in process, so that a whole check takes a quarter of a second.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from dealer.checker.output.check_report import Results
from dealer.checker.scoring.rubric import LineId
from tests.bad_bots import programs
from tests.dealer.checker.checked import MISTAKES, NEVER, RARE, SOUND, failed, judged_as, line, missed, never_named
from tests.dealer.checker.in_process import Make, checked

#: Seeds of the measurement.
SEEDS = range(50)

#: What ``MuchTooSlow`` and ``TooSlow`` take for an argument: the limit, and a time over it.
ARGUMENTS = {"MuchTooSlow": ("1.0",), "TooSlow": ("1.5",)}

BAD = {**MISTAKES, **RARE}


def check(name: str, seed: str, hands: int = 200) -> Results:
    return checked(getattr(programs, name), seed, *ARGUMENTS.get(name, ()), hands=hands).results


def found(name: str, seeds: Iterable[int], hands: int = 200) -> None:
    for seed in seeds:
        results = check(name, str(seed), hands)
        judged_as(results, BAD[name])
        never_named(results, name)


def innocent(name: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        results = check(name, str(seed))
        assert missed(results) == set(), (name, seed)
        assert not results.findings.kept, (name, seed)


def test_every_program_is_judged() -> None:
    kinds = {
        name for name, kind in vars(programs).items() if isinstance(kind, type) and issubclass(kind, programs.Good)
    }
    loud = {"PrintsALot", "PrintsWithoutEnd"}  # their output is megabytes; real processes check them
    assert kinds - loud == {*BAD, *SOUND, "TooSlow"}
    assert NEVER.keys() <= BAD.keys()


def test_mistake_is_found_in_few_hands() -> None:
    for name in MISTAKES:
        found(name, [0], hands=40)


@pytest.mark.parametrize("name", RARE)
def test_rare_mistake_is_found(name: str) -> None:
    found(name, [0])


@pytest.mark.parametrize("name", SOUND)
def test_sound_program_is_not_accused(name: str) -> None:
    innocent(name, [0])


@pytest.mark.heavy
@pytest.mark.parametrize("name", BAD)
def test_every_mistake_is_found_at_every_seed(name: str) -> None:
    found(name, SEEDS)
    print(f"{name}: found at {len(SEEDS)} of {len(SEEDS)} seeds, and only its own mistake")


@pytest.mark.heavy
def test_late_reply_is_found_at_every_seed() -> None:
    assert all(failed(check("TooSlow", str(seed))) == {LineId.CLOCK} for seed in SEEDS)


@pytest.mark.heavy
@pytest.mark.parametrize("name", SOUND)
def test_sound_program_is_not_accused_at_any_seed(name: str) -> None:
    innocent(name, SEEDS)
    print(f"{name}: accused at 0 of {len(SEEDS)} seeds")


def points(name: str, id: str, seed: str = "0") -> float:
    return line(check(name, seed), id).points


def test_program_that_always_raises_gets_less_for_situations_than_the_starter() -> None:
    starter = checked(Starter, "0").results
    assert line(starter, "situations").points == pytest.approx(40 * 22 / 26)
    assert points("Maniac", "situations") < 30


class Starter(programs.Good):
    """Plays as the starters do: a pair raises, anything else checks or folds."""

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        if programs.strength(own) > 1:
            return min(owed + 10, stack)
        return 0 if owed == 0 else None


class ForgetsTheThirdCard(programs.Tight):
    """Plays as on the first street, whatever the third card is."""

    def amount(self, stack: int, owed: int, own: list[str]) -> int | None:
        return super().amount(stack, owed, own[:2])


def test_program_that_forgets_its_third_card_loses_a_third_of_the_situations() -> None:
    for seed in map(str, range(3)):
        verdict = line(checked(ForgetsTheThirdCard, seed).results, "situations")
        bad = [one.name for one in verdict.played if not one.good]
        assert 3 * len(bad) >= len(verdict.played)
        assert len([one for one in line(check("Tight", seed), "situations").played if not one.good]) * 3 < len(bad)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("LooksAtTheHighestCard", 20, 20),
        ("ComparesHighCards", 20, 20),
        ("Tight", 0, 0),
        ("AlwaysCalls", 0, 0),
        ("FoldsOften", 0, 0),
        ("FoldsAlways", 0, 0),
        ("Maniac", 0, 0),
    ],
)
def test_points_for_boards(name: str, least: float, most: float) -> None:
    assert least <= points(name, "boards") <= most


def test_program_that_folds_before_the_street_is_not_judged_on_it() -> None:
    results = check("FoldsAlways", "0")
    for played in line(results, "situations").played:
        early = played.name.startswith(("three of a kind", "the third card makes", "three low cards, raised three"))
        assert played.good is None or not early
        assert played.good is not None or played.seen[0].startswith("it came to this question in 0 of 15 hands")


def test_program_that_folds_often_is_dealt_hands_in_which_it_does_not_fold() -> None:
    results = check("FoldsOften", "0")
    played = {one.name: one.good for one in line(results, "situations").played}
    assert played["three of a kind, nothing owed: raise"] is True
    assert played["three low cards, raised three times: fold"] is None  # it never holds them so long


#: A student's program without a mistake.
SOUND_PROGRAM = """
class Program:
    def __init__(self, host, port):
        self.socket = socket.create_connection((host, int(port)))
        self.incoming = self.socket.makefile("rb")
        self.kept = 0

    def read(self):
        length = int.from_bytes(self.incoming.read(2), "big")
        message = self.incoming.read(length)
        if not message:
            sys.exit("the dealer hung up")
        return message.decode()

    def write(self, text):
        data = text.encode()
        self.socket.sendall(len(data).to_bytes(2, "big") + data)

    def decide(self, fields):
        stack, pot, owed = [int(field) for field in fields[1:4]]
        own = fields[4:fields.index("up")]
        values = [card[:-1] for card in own]
        if len(set(values)) < len(values):
            return f"bet:{min(owed + 10, stack)}"
        if owed > 10:
            return "fold"
        return f"bet:{owed}"

    def play(self):
        while True:
            fields = self.read().split(":")
            if fields[0] == "login":
                self.write("ada-l:Ada")
            elif fields[0] in ("bet1", "bet2"):
                self.write(self.decide(fields))
            elif fields[0] == "status":
                pass
            elif fields[0] == "done":
                break
        self.socket.close()
"""

CALL, RAISE, FOLD = 'return f"bet:{owed}"', "min(owed + 10, stack)", 'return "fold"'
SEND, NAME = "self.write(self.decide(fields))", '"ada-l:Ada"'
STATUS, DONE = "                pass\n", "                break\n"


@dataclass(frozen=True)
class Mutant:
    """An edit of the sound program.

    Attributes:
        old: the text that is replaced.
        new: what stands in its place.
        line: of the rubric, the only one that fails.
        words: of the cause; empty if no cause may be named, since the mistake shows in what happened alone.
        also: words of another cause that may stand beside it, since it is true of some of the same bets.
    """

    old: str
    new: str
    line: str
    words: str
    also: str = ""


MUTANTS = {
    # ---- the form of a reply
    "capital letter": Mutant(CALL, 'return f"Bet:{owed}"', "legal", "in lower case"),
    "Fold": Mutant(FOLD, 'return "Fold"', "legal", "in lower case"),
    "dollar": Mutant(CALL, 'return f"bet:${owed}"', "legal", "a sign stands before the number"),
    "blank": Mutant(CALL, 'return f"bet: {owed}"', "legal", "a blank behind the colon"),
    "equals sign": Mutant(CALL, 'return f"bet={owed}"', "legal", "between bet and the number stands a colon"),
    "number alone": Mutant(CALL, 'return f"{owed}"', "legal", "'bet:' is missing"),
    "call": Mutant(CALL, 'return f"call:{owed}"', "legal", "a check is bet:0, a call bets what is owed"),
    "check": Mutant(CALL, 'return f"bet:{owed}" if owed else "check"', "legal", "a check is bet:0"),
    "no return": Mutant(FOLD, "return str(None)", "legal", "returned no amount"),
    "no amount": Mutant(CALL, 'return f"bet:{None}"', "legal", "returned no amount"),
    "chips": Mutant(CALL, 'return f"bet:{owed} chips"', "legal", "behind the number"),
    "blank behind": Mutant(CALL, 'return f"bet:{owed} "', "legal", "a blank or a line end"),
    "fold with number": Mutant(FOLD, 'return "fold:0"', "legal", "nothing may stand behind fold"),
    "bet1": Mutant(CALL, 'return f"{fields[0]}:{owed}"', "legal", "the same word on every street"),
    "no f in front": Mutant(CALL, 'return "bet:{owed}"', "legal", "the amount is not a number"),
    "empty fold": Mutant(FOLD, 'return ""', "legal", "the reply is empty"),
    "all-in": Mutant(f'return f"bet:{{{RAISE}}}"', 'return "all in"', "legal", "the only words are fold and bet"),
    "text of bytes": Mutant(CALL, "return str(b'bet:%d' % owed)", "legal", "quotation marks"),
    "quotation marks": Mutant(CALL, """return f"'bet:{owed}'" """, "legal", "quotation marks"),
    "NUL": Mutant(SEND, 'self.write(self.decide(fields) + "\\0")', "legal", "a character with the number 0"),
    "question echoed": Mutant(
        SEND, 'self.write(":".join(fields) + self.decide(fields))', "legal", "the question is part of the reply"),
    "name again": Mutant(SEND, f"self.write({NAME})", "legal", "with its reply to login"),
    # ---- framing and login
    "emoji": Mutant(NAME, '"ada-l:Ada \U0001f0a1"', "login", "choose an avatar without emoji"),
    "at": Mutant(NAME, '"ada@uni:Ada"', "login", "the id has a blank or a sign such as @"),
    "blank in id": Mutant(NAME, '"ada l:Ada"', "login", "the id has a blank or a sign such as @"),
    "login repeated": Mutant(NAME, '"login"', "login", "repeats the word login"),
    "no avatar": Mutant(NAME, '"ada-l:"', "login", ""),
    "long avatar": Mutant(NAME, '"ada-l:" + 40 * "a"', "login", ""),
    "long id": Mutant(NAME, '40 * "a" + ":Ada"', "login", ""),
    "length counts itself": Mutant("len(data).to", "(len(data) + 2).to", "login", "announces more bytes than come"),
    "UTF-16": Mutant("text.encode()", 'text.encode("utf-16-be")', "login", "two bytes"),
    "four bytes": Mutant("len(data).to_bytes(2", 'len(data).to_bytes(2 + 2 * ("-" not in text)',
                         "answers", "the length has four bytes, as writeInt"),
    "two messages": Mutant(SEND, "[self.write(part) for part in re.findall('fold|bet:|[0-9]+', self.decide(fields))]",
                           "answers", "one reply is sent as two messages"),
    # ---- amounts
    "no cap": Mutant(RAISE, "owed + 10", "legal", "more chips than it has: a raise has to be cut to the stack"),
    "all in": Mutant(RAISE, "stack", "legal", "its whole stack; a raise has a limit"),
    "raise by 20": Mutant(RAISE, "min(owed + 20, stack)", "legal", "it always raises by 20"),
    "pot": Mutant(RAISE, "min(pot, stack)", "legal", "than"),
    "minus": Mutant(RAISE, "owed - 10", "legal", "a number below zero", "checks with bet:0"),
    "check of a bet": Mutant(FOLD, 'return "bet:0"', "legal", "checks with bet:0 although something is owed"),
    "ten always": Mutant(SEND, 'self.write("bet:10")', "legal", "the same whatever is owed"),
    "one chip too few": Mutant(CALL, 'return f"bet:{max(owed - 1, 0)}"', "legal", "a chip less than is owed"),
    "stale amount": Mutant(
        'self.write(self.decide(fields))',
        'stale = self.kept if fields[0] == "bet1" and self.kept else None\n'
        '                reply = self.decide(fields)\n'
        '                self.kept = int(reply[4:]) if fields[0] == "bet2" and reply != "fold" else self.kept\n'
        '                self.write(reply if stale is None else f"bet:{stale}")',
        "legal", "it is always the number of its last reply to bet2"),
    # ---- reading
    "knows no bet1": Mutant('("bet1", "bet2")', '("bet2",)', "answers", "it does not know bet1"),
    "third player": Mutant("values = ", 'third = fields[fields.index("up") + 3]\n        values = ',
                           "answers", "a field that is not there"),
    "numbers only": Mutant("card[:-1] for", "int(card[:-1]) for", "answers", ""),
    "ends on a question": Mutant(CALL, "return f'bet:{owed}' if owed != 7 else sys.exit()", "answers", ""),
    "swallows done": Mutant(STATUS, "                self.read()\n", "answers", "one that reads once too often"),
    "answers status": Mutant(STATUS, '                self.write("thanks")\n', "answers", "it replies to status"),
    "answers login twice": Mutant(f"self.write({NAME})", f"self.write({NAME}); self.write('hello')",
                                  "answers", "two replies to login"),
    # ---- the end
    "ignores done": Mutant(DONE, "                time.sleep(1000)\n", "closes", "it goes on reading"),
    "error at done": Mutant(DONE, '                sys.exit("out")\n', "news", "it crashes on done"),
    "ends on status": Mutant(STATUS, "                break\n", "news", "it ends by itself after status"),
    "error on status": Mutant(STATUS, "                int(fields[1])\n", "news", "it crashes on status"),
}  # fmt: skip


def mutant(edit: Mutant) -> Make:
    """The sound program with one edit; it uses the sockets of the module of the programs."""
    assert edit.old in SOUND_PROGRAM, edit.old

    def make(host: str, port: str) -> programs.Good:
        namespace = dict(vars(programs))
        exec(SOUND_PROGRAM.replace(edit.old, edit.new, 1), namespace)
        program: programs.Good = namespace["Program"](host, port)
        return program

    return make


@pytest.mark.parametrize("name", MUTANTS)
def test_edit_is_found_with_its_cause(name: str) -> None:
    edit = MUTANTS[name]
    results = checked(mutant(edit), "mutant", hands=40).results
    assert failed(results) == {edit.line}
    causes = {finding.cause for finding in line(results, edit.line).findings}
    assert any(edit.words in cause for cause in causes), causes
    named = {cause for cause in causes if not edit.words or edit.words not in cause}
    assert all(edit.also and edit.also in cause for cause in named if cause), causes


def test_program_without_an_edit_is_not_accused() -> None:
    results = checked(mutant(Mutant("", "", "", "")), "mutant", hands=40).results
    assert failed(results) == set()
    assert not results.findings.kept
