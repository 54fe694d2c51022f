"""``{api} dpteach.algorithms``: the reference, read from the docstrings."""

import importlib
import importlib.util
import inspect
import pkgutil
import re

from docutils import nodes

from . import ROOT
from .made import Made


def public_modules(package: str) -> list[str]:
    """Return a package's modules, those that begin with an underscore left out."""
    module = importlib.import_module(package)
    names = [package]
    if hasattr(module, "__path__"):
        for each in pkgutil.walk_packages(module.__path__, f"{package}."):
            if not any(part.startswith("_") for part in each.name.split(".")):
                names.append(each.name)
    return names


def public_members(name: str) -> list[tuple[str, str]]:
    """Return ("autofunction" or "autoclass", name) for what a module defines itself."""
    module = importlib.import_module(name)
    members = []
    for member, found in vars(module).items():
        value = inspect.unwrap(found) if callable(found) else found  # beneath a cache
        here = getattr(value, "__module__", None) == name
        if member.startswith("_") or not here:
            continue
        if inspect.isclass(value):
            members.append(("autoclass", f"{name}.{member}"))
        elif inspect.isfunction(value):
            members.append(("autofunction", f"{name}.{member}"))
    return members


class Api(Made):
    """The documentation of some modules, from their docstrings.

    A package stands for those of its modules that no other page names.
    """

    optional_arguments = 100

    def make(self) -> list[nodes.Node]:
        """Return one section for each module that defines something public."""
        out, pages = [], (ROOT / "book" / "api").glob("*.md")
        text = " ".join(path.read_text(encoding="utf-8") for path in pages)
        named = set(re.findall(r"\bdpteach\.[\w.]+\w", text))
        for package in self.arguments:
            if importlib.util.find_spec(package) is None:
                continue  # a floor that no chapter needs yet
            for name in public_modules(package):
                if name != package and name in named:
                    continue
                members = public_members(name)
                if members:
                    out.append(
                        self.section(f"`{name}`", name, self.body(name, members))
                    )
        return out

    def body(self, name: str, members: list[tuple[str, str]]) -> list[nodes.Node]:
        """Return a module's own words, then its members."""
        self.env.note_dependency(inspect.getfile(importlib.import_module(name)))
        words = (inspect.getdoc(importlib.import_module(name)) or "").replace("``", "`")
        lines = []
        for directive, member in members:
            lines += [f".. {directive}:: {member}"]
            lines += ["   :members:", ""] if directive == "autoclass" else [""]
        rst = "\n".join(["```{eval-rst}", *lines, "```"])
        return [*self.parse(words), *self.parse(rst)]


def setup(app) -> None:
    """Register the directive."""
    app.add_directive("api", Api)
