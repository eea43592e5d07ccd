"""The workflows for GitHub are valid, and run all checks on every Python that the project is for."""

import subprocess
import sys
import tomllib
from typing import Any

import yaml

from tests.docs.pages import ROOT

WORKFLOWS = ROOT / ".github/workflows"


def _jobs(name: str) -> dict[str, Any]:
    workflow: dict[str, Any] = yaml.safe_load((WORKFLOWS / name).read_text())
    jobs: dict[str, Any] = workflow["jobs"]
    return jobs


def _commands(job: Any) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def test_workflows_follow_their_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*command, *WORKFLOWS.iterdir()], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_workflows_run_all_checks() -> None:
    (job,) = _jobs("ci.yml").values()
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    assert [f"Programming Language :: Python :: {one}" for one in job["strategy"]["matrix"]["python"]] == [
        one for one in declared if "Python ::" in one
    ]
    assert job["container"]["image"] == "python:${{ matrix.python }}"
    assert _commands(job) == [".ci/run"]
    nightly = _jobs("nightly.yml")
    assert _commands(nightly["newest"]) == [".ci/run --all --newest"]
    assert _commands(nightly["properties"])[-1] == "pytest --hypothesis-profile=night"
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
