"""Real containers without a Docker engine: podman runs the images and the compose file, in a storage of their own.

Where no registry can be asked, the base image is made from the distribution's own packages.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.end_to_end.containers import ROOT, compose, services, stages

#: Commands that must be installed, each beside the Debian package that brings it.
TOOLS = {
    "podman": "podman",
    "runc": "runc",
    "catatonit": "catatonit",
    "iptables": "iptables",
    "debootstrap": "debootstrap",
}
#: Programs that podman calls and that lie in no folder of commands.
HELPERS = {"/usr/lib/podman/netavark": "netavark", "/usr/lib/podman/aardvark-dns": "aardvark-dns"}
#: Seconds after which a command is taken for stuck and killed; nothing else waits for a time.
PATIENCE = 300

# `crun` refuses machines with both kinds of control groups, and limits may only be lowered in a container.
CONTAINERS_CONF = """
[containers]
default_ulimits = ["nofile=1024:2048", "nproc=4096:8192"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_config_dir = "{folder}/networks"
"""
STORAGE_CONF = """
[storage]
driver = "overlay"
graphroot = "{folder}/graph"
runroot = "{folder}/run"
"""


def missing() -> str:
    """What has to be installed or changed before containers can be run here; empty if nothing."""
    packages = [package for command, package in TOOLS.items() if shutil.which(command) is None]
    packages += [package for path, package in HELPERS.items() if not Path(path).exists()]
    if packages:
        return f"containers need `apt-get install {' '.join(packages)}`"
    return "" if os.geteuid() == 0 else "containers with networks of their own need root"


@dataclass(frozen=True)
class Podman:
    """podman and podman-compose with storage, networks and settings in ``folder``."""

    folder: Path

    def run(self, *words: str, code: int | None = 0) -> str:
        """What `podman WORDS` prints; it must end with ``code`` unless that is None."""
        return self._run(["podman", *words], code)

    def compose(self, *words: str, files: tuple[Path, ...] = (), code: int | None = 0) -> str:
        """What `podman-compose WORDS` prints for the project's file, with ``files`` laid over it."""
        laid = [f"--file={path}" for path in (ROOT / "docker-compose.yml", *files)]
        command = Path(sys.executable).parent / "podman-compose"
        return self._run([str(command), "--no-ansi", *laid, *words], code)

    def _run(self, command: list[str], code: int | None) -> str:
        told = {
            "CONTAINERS_CONF": str(self.folder / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(self.folder / "storage.conf"),
        }
        done = subprocess.run(
            command,
            check=False,
            cwd=self.folder,
            env={**os.environ, **told},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
        )
        assert code is None or done.returncode == code, f"{shlex.join(command)}\n{done.stdout}"
        return done.stdout

    def container(self, service: str) -> str:
        """The name of the container of a service that `up` started."""
        return f"{compose()['name']}_{service}_1"

    def log(self, service: str) -> str:
        return self.run("logs", self.container(service))

    def inside(self, service: str, *words: str, code: int | None = 0) -> str:
        """What a command prints that runs inside the container of a service."""
        return self.run("exec", self.container(service), *words, code=code)

    def down(self) -> None:
        self.compose("--profile", "added", "--profile", "cluster", "down", "--volumes", "--timeout=0", code=None)


@contextmanager
def podman_with_images(folder: Path) -> Iterator[Podman]:
    """A podman with the images of all services; what it stored is removed in the end."""
    (folder / "networks").mkdir()
    (folder / "containers.conf").write_text(CONTAINERS_CONF.format(folder=folder))
    (folder / "storage.conf").write_text(STORAGE_CONF.format(folder=folder))
    podman = Podman(folder)
    try:
        _make_base_images(podman)
        _build_images(podman)
        yield podman
    finally:
        podman.down()
        podman.run("system", "reset", "--force", code=None)  # else mounts would keep the folder from being removed
        # A container that runs out of memory leaves this behind where it was started: beside the compose file.
        (ROOT / "oom").unlink(missing_ok=True)


def _dockerfiles() -> dict[str, list[str]]:
    """The Dockerfile of each image, with the services that run it."""
    built: dict[str, list[str]] = {}
    for name, service in services().items():
        built.setdefault(service["build"]["dockerfile"], []).append(name)
    return built


def _make_base_images(podman: Podman) -> None:
    """Make an image for each FROM out of the distribution's own Python, and give it the name that FROM says."""
    for base in sorted({stage.base for path in _dockerfiles() for stage in stages(ROOT / path)}):
        suite = base.rpartition("-")[2]
        system = podman.folder / suite
        subprocess.run(
            [
                *("debootstrap", "--variant=minbase", "--include=python3,python3-venv,python3-pip,ca-certificates"),
                *(suite, str(system), _archive(suite)),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        for marker in system.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            marker.unlink()  # the distribution's pip installs nothing beside its own packages otherwise
        (system / "usr/bin/python").symlink_to("python3")
        archive = system.with_suffix(".tar")
        subprocess.run(["tar", "-C", str(system), "-cf", str(archive), "."], check=True)
        shutil.rmtree(system)
        podman.run("import", str(archive), f"docker.io/library/{base}")
        archive.unlink()


def _archive(suite: str) -> str:
    """The archive from which this machine installs packages of a Debian suite."""
    targets = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(CODENAME) $(REPO_URI)"], check=True, capture_output=True, text=True
    )
    return next(line.split()[1] for line in targets.stdout.splitlines() if line.split()[0] == suite)


def _build_images(podman: Podman) -> None:
    """Build each Dockerfile, with the settings of pip that this machine needs, and tag it for each service."""
    settings = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    told = [f"--env={name}={value}" for name, value in settings.items()]
    if certificates := settings.get("PIP_CERT"):
        told.append(f"--volume={certificates}:{certificates}:ro")
    for path, names in _dockerfiles().items():
        tags = [f"--tag=localhost/{compose()['name']}_{name}" for name in names]
        podman.run("build", "--network=host", *told, f"--file={ROOT / path}", *tags, str(ROOT))
