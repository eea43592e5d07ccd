"""``casino --install-completion``: let the shell complete commands, flags, games and bots."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from cyclopts import App

from dealer.errors import OptionError

Shell = Literal["bash", "zsh", "fish", "powershell"]


def completion_command(app: App) -> Callable[..., int]:
    """Make the command that installs the completion of ``app``."""

    def install_completion(shell: Shell | None = None, *, output: Path | None = None) -> int:
        """Let the shell complete commands, flags, games and house bots when you press Tab.

        Parameters
        ----------
        shell
            The shell; by default the one you type in.
        output
            Write the script to this file only. Without it, the script is put where the shell looks for it, and the
            start file of bash, zsh or PowerShell gets a line that loads it.

        Examples
        --------
        casino --install-completion
        casino --install-completion fish
        """
        # What the list of commands does not wait for.
        from cyclopts.completion.detect import ShellDetectionError, detect_shell  # noqa: PLC0415

        from dealer.cli.output import complain  # noqa: PLC0415

        try:
            shell = shell or detect_shell()
            path = app.install_completion(shell=shell, output=output, add_to_startup=output is None)
        except ShellDetectionError:
            return complain(OptionError("name your shell: casino --install-completion bash (or zsh, fish, powershell)"))
        except OSError as error:
            return complain(OptionError(f"cannot write {error.filename}: {error.strerror}"))
        print(f"The completion for {shell} is in {path}. Open a new shell to use it.")
        return 0

    return install_completion
