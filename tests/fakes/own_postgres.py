"""A PostgreSQL server for the tests, started when the first of them needs one."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from filelock import FileLock

from tests.fakes.ports import free_port

FOLDER = "TEST_POSTGRES_FOLDER"
"""The variable that tells the workers of one test run where their server's folder is."""


PREFIX = "parley-postgres-"
"""What folders are called, before the id of the process that they are for."""

MEMORY = Path("/dev/shm")
"""Linux's files in memory: there a server's checkpoints wait for no disk that others write to."""

MEMORY_BYTES = 6 * 2**30
"""How much must be free there, and how much the computer must have to spare; a run needs up to 2."""


class NotStarted(Exception):
    """There are no binaries of PostgreSQL, or they refuse."""


def name_folder() -> None:
    """Choose the folder before the workers begin; nothing is started yet. Servers of killed runs are stopped."""
    if os.name == "posix" and FOLDER not in os.environ:  # noqa: TID251
        for place in (Path(tempfile.gettempdir()), MEMORY):
            for folder in place.glob(f"{PREFIX}*"):
                owner = folder.name.removeprefix(PREFIX).partition("-")[0]
                if owner.isdigit() and Path("/proc/self").exists() and not Path("/proc", owner).exists():
                    _remove(folder)
        os.environ[FOLDER] = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=_memory_folder())  # noqa: TID251


def address() -> str:
    """Return the server's address; the first call starts it. Raises NotStarted."""
    named = os.environ.get(FOLDER)  # noqa: TID251
    binaries = find_binaries()
    if named is None or binaries is None:
        raise NotStarted("its binaries are not on this machine")
    folder = Path(named)
    started, refused = folder / "address", folder / "refusal"
    with FileLock(folder / "lock"):
        if not started.exists() and not refused.exists():
            try:
                started.write_text(_start(binaries, folder))
            except NotStarted as refusal:
                refused.write_text(str(refusal))
        if refused.exists():
            raise NotStarted(refused.read_text())
    return started.read_text()


def stop() -> None:
    """Stop the server, where one was started, and remove its folder."""
    if (named := os.environ.pop(FOLDER, None)) is not None:  # noqa: TID251
        _remove(Path(named))


def find_binaries() -> Path | None:
    """Return the folder of initdb and pg_ctl: that on PATH, else Debian's newest."""
    on_path = shutil.which("initdb")
    of_debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]), reverse=True
    )
    found = [*([Path(on_path)] if on_path else []), *of_debian]
    return next((path.parent for path in found if (path.parent / "pg_ctl").is_file()), None)


def _memory_folder() -> Path | None:
    """Return a folder in memory, if there is plenty; None means the usual temporary folder."""
    try:
        words = Path("/proc/meminfo").read_text().partition("MemAvailable:")[2].split()
        spare = min(int(words[0]) * 1024, shutil.disk_usage(MEMORY).free)
    except (OSError, IndexError, ValueError):
        return None
    return MEMORY if spare > MEMORY_BYTES and os.access(MEMORY, os.W_OK) else None


def _remove(folder: Path) -> None:
    binaries, data = find_binaries(), folder / "data"
    if binaries and (data / "postmaster.pid").is_file():
        with contextlib.suppress(NotStarted):
            _run(binaries / "pg_ctl", "stop", "-D", data, "-m", "immediate", "-w")
    shutil.rmtree(folder, ignore_errors=True)


def _start(binaries: Path, folder: Path) -> str:
    if user := _user():
        shutil.chown(folder, user)
    data, port = folder / "data", free_port()
    _run(binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-F -p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300"
    _run(binaries / "pg_ctl", "start", "-D", data, "-l", folder / "log", "-o", options, "-w", "-t", "60")
    return f"postgresql://postgres@127.0.0.1:{port}"


def _run(*command: str | Path) -> None:
    """Run a command as a user that PostgreSQL accepts."""
    user = _user()
    done = subprocess.run(
        command,
        user=user,
        group=pwd.getpwnam(user).pw_gid if user else None,
        extra_groups=[] if user else None,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=100,
    )
    if done.returncode:
        raise NotStarted(f"its own server did not start: {done.stdout.decode(errors='replace')[-500:]}")


def _user() -> str | None:
    """Return another user if this one is root, which PostgreSQL refuses."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"
