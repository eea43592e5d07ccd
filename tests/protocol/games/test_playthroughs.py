"""Whole hands byte by byte: the golden files, made again and read back."""

from pathlib import Path

import pytest

from protocol.wire.connection import BotConnection, DealerConnection, State
from tests.protocol.helpers import commands_in
from tests.protocol.playthrough import FILES, FOLDER, escaped, played, read_script, unescaped

each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_the_golden_files_show_both_framings() -> None:
    assert {type(read_script(file.read_text("utf-8")).framing).__name__ for file in FILES} == {
        "UtfFraming",
        "LineFraming",
    }


@each_file
def test_golden_files_match_rules_and_wire(file: Path) -> None:
    text = file.read_text("utf-8")
    assert played(text) == text


@each_file
def test_golden_bytes_are_decoded_one_at_a_time(file: Path) -> None:
    text = file.read_text("utf-8")
    script = read_script(text)
    dealers = {name.id: DealerConnection(script.framing) for name in script.names}
    bots = {name.id: BotConnection(script.framing) for name in script.names}
    for line in text.partition("---\n")[2].splitlines():
        way, _, data = line.partition("  ")
        speaker, _, listener = way.partition(" > ")
        messages: list[object] = []
        for byte in unescaped(data):
            if speaker == "dealer":
                messages += commands_in(bots[listener], bytes([byte]))
            else:
                messages += filter(None, [dealers[speaker].receive(bytes([byte]))])
        (message,) = messages
        if speaker == "dealer":  # keep the other end in step
            dealers[listener].send(message)  # type: ignore[arg-type]
        else:
            bots[speaker].send(message)  # type: ignore[arg-type]
    assert {bot.state for bot in bots.values()} == {State.CLOSED}


def test_a_golden_question_and_its_answer_are_these_bytes() -> None:
    text = (FOLDER / "stud" / "half_the_pot_to_the_spade.txt").read_text("utf-8")
    question, answer = b"\0\x22bet1:489:44:5:2C:AH:up:AH:KH:QH:JH", b"\0\x06bet:15"
    assert f"dealer > amit  {escaped(question, 2)}\namit > dealer  {escaped(answer, 2)}\n" in text


def test_what_is_written_of_any_byte_can_be_read_back() -> None:
    data = bytes(range(256))
    assert unescaped(escaped(data)) == data
