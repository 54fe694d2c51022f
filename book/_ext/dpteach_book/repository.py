"""Where the project lives, if that is known: then there are links to it, else none.

One key says it, ``repository.url`` in ``_config.yml``; without it the publishing
workflow's environment, and without that the git remote "origin".
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import parse_yaml

# The branch on which the publishing workflow puts the notebooks' plain copies.
COPIES = "notebooks"
ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Repository:
    """An address without a trailing slash, such as https://host/owner/name."""

    url: str
    branch: str

    @property
    def name(self) -> str:
        """Return owner/name."""
        return "/".join(self.url.split("/")[-2:])

    @property
    def on_github(self) -> bool:
        """Binder's and Colab's short addresses are for GitHub."""
        return self.url.startswith("https://github.com/")


def said(root: Path = ROOT) -> Repository | None:
    """Return what ``_config.yml`` says, the same on every machine, or None."""
    config = parse_yaml(root / "_config.yml")
    words = config.get("repository") or {}
    url = tidy(words.get("url") or "")
    return Repository(url, words.get("branch") or "main") if url else None


def find(root: Path = ROOT, environment=os.environ) -> Repository | None:
    """Return the repository, or None where nobody has said where it is."""
    server = environment.get("GITHUB_SERVER_URL", "")
    slug = environment.get("GITHUB_REPOSITORY", "")
    url = tidy(f"{server}/{slug}" if server and slug else _remote(root))
    return said(root) or (Repository(url, "main") if url else None)


def site(where: Repository | None, root: Path = ROOT) -> str:
    """Return the address of the published book without a trailing slash, or "".

    ``html_baseurl`` in ``_config.yml`` says it; without it, it is where GitHub Pages
    puts the repository's site.
    """
    config = parse_yaml(root / "_config.yml")
    options = (config.get("sphinx") or {}).get("config") or {}
    address = (options.get("html_baseurl") or "").rstrip("/")
    if address or where is None or not where.on_github:
        return address
    owner, name = where.name.lower().split("/")
    host = f"https://{owner}.github.io"
    return (
        host if name == f"{owner}.github.io" else f"{host}/{where.name.split('/')[1]}"
    )


def tidy(url: str) -> str:
    """Return the address of the web page: git@host:owner/name.git reads as https."""
    url = re.sub(r"^(?:ssh://)?git@([^:/]+)[:/]", r"https://\1/", url.strip())
    url = re.sub(r"^https://[^@/]+@", "https://", url)  # never publish a credential
    url = url.removesuffix("/").removesuffix(".git")
    return url if re.fullmatch(r"https://[\w.-]+(/[\w.-]+){2,}", url) else ""


def _remote(root: Path) -> str:
    command = ["git", "-C", str(root), "remote", "get-url", "origin"]
    try:
        out = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:  # no git: the book is built from an archive
        return ""
    return out.stdout if out.returncode == 0 else ""
