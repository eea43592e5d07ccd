"""The workflow for GitHub is valid, and runs all checks on every Python that the project is for."""

import subprocess
import sys
from typing import Any

import yaml

from tests.docs.pages import ROOT

WORKFLOW = ROOT / ".github/workflows/ci.yml"


def test_workflow_follows_its_schema() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", str(WORKFLOW)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_workflow_runs_all_checks() -> None:
    workflow: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text())
    (job,) = workflow["jobs"].values()
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13"]
    assert job["container"]["image"] == "python:${{ matrix.python }}"
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
