"""AIs as authors write them: C++, C and Python files for tests, among them some that fail or misbehave."""

from pathlib import Path

#: What every C++ file begins and ends with.
_HEAD = '#include <cstdio>\n#include <cstdlib>\n#include "tournament.h"\n'
_AI = "int AI(int op, int b, int state, int d)"


def cpp(folder: Path, name: str, body: str, before: str = "", init: str = "NULL") -> Path:
    """A C++ file whose AI has this body, with other code before it."""
    path = folder / f"{name}.cpp"
    path.write_text(f'{_HEAD}{before}\n{_AI} {{ {body} }}\nSOLUTION mine = {{"{name}", "{name[:7]}", {init}, AI}};\n')
    return path


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def failing(folder: Path, name: str, deed: str, before: str = "", at: int = 1000) -> Path:
    """A C++ file whose AI does something in a later decision, with the six number ``at``."""
    body = f"if (state < 2 && d == 6 && ++sixes == {at}) {{ {deed} }} return d > 3;"
    return cpp(folder, name, body, f"{before}\nstatic int sixes;")
