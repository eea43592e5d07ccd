"""A machine that can have no sandbox is told apart, with what to do."""

from pathlib import Path

import pytest

from dealer.errors import OptionError
from dealer.sandbox.sandbox import check_sandbox


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that is found as ``bwrap``."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    file = tmp_path / "bwrap"
    file.touch(0o755)
    return file


def test_bubblewrap_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OptionError, match="needs bubblewrap: install it with 'apt install bubblewrap'"):
        check_sandbox()


def test_bubblewrap_that_is_too_old(fake: Path) -> None:
    fake.write_text("#!/bin/sh\necho bubblewrap 0.6.1\n")
    with pytest.raises(OptionError, match=r"needs bubblewrap 0\.8 or newer, and .*/bwrap says 'bubblewrap 0\.6\.1'"):
        check_sandbox()


def script(complaint: str) -> str:
    """A program that says a version, and else fails."""
    return f'#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.0 && exit\necho "{complaint}" >&2\nexit 1\n'


@pytest.mark.parametrize(
    "complaint",
    [
        "bwrap: setting up uid map: Permission denied",
        "bwrap: No permissions to create a new namespace, likely because the kernel does not allow it",
        "bwrap: Creating new namespace failed: Operation not permitted",
    ],
)
def test_user_namespaces_that_are_forbidden(fake: Path, complaint: str) -> None:
    fake.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.0 || {{ echo "{complaint}" >&2; exit 1; }}\n'
    )
    with pytest.raises(OptionError, match=r"User namespaces are forbidden on this machine.*sysctl") as refused:
        check_sandbox()
    assert complaint in str(refused.value)


def test_other_failure_is_told_as_it_is(fake: Path) -> None:
    fake.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 1.0 || { echo "bwrap: no luck" >&2; exit 1; }\n'
    )
    with pytest.raises(OptionError, match=r"bubblewrap cannot start a program here: bwrap: no luck$"):
        check_sandbox()


def test_other_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(OptionError, match="needs Linux"):
        check_sandbox()
