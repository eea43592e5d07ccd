"""The wheel: what it leaves out, and that a worker which has installed it is the same build as a clone."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from bots.workers.build import build_name

ROOT = Path(__file__).parents[2]


def test_wheel_has_no_training_and_is_the_same_build(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "installed")
    assert "bots/commands.py" in names
    assert not [name for name in names if name.startswith("bots/train") or name.endswith("Dockerfile")]
    script = "import bots; from bots.workers.build import build_name; print(bots.__path__[0], build_name())"
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "installed")}
    told = subprocess.check_output([sys.executable, "-c", script], cwd=tmp_path, env=environment, text=True)
    assert told.split() == [str(tmp_path / "installed" / "bots"), build_name()]
