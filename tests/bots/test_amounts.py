"""What programs that measure take from the command line."""

import sys
from collections.abc import Callable

import pytest

from tests.bots.bulk import speed
from tests.bots.helpers import positive
from tests.bots.strategies import dice_strength, ring_series, royale_series


def test_whole_numbers_from_1_on_are_taken() -> None:
    assert [positive(text) for text in ("1", "300")] == [1, 300]


@pytest.mark.parametrize("main", [speed.main, dice_strength.main, ring_series.main, royale_series.main])
@pytest.mark.parametrize("text", ["x", "0", "1.5"])
def test_other_words_are_refused_with_a_sentence(
    main: Callable[[], None], text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["measure", text, *(["tight"] if main is ring_series.main else [])])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith(f"expected a whole number from 1 on, got {text!r}\n")
