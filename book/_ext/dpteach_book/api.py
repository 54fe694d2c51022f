"""``{api} dpteach.algorithms``: the reference, read from the docstrings."""

import importlib
import importlib.util
import inspect
import pkgutil
import re

from docutils import nodes
from sphinx.application import Sphinx

from . import ROOT
from .tables import Generated, load


def public_modules(package: str) -> list[str]:
    """Return a package's modules, those that begin with an underscore left out."""
    module = importlib.import_module(package)
    names = [package]
    if hasattr(module, "__path__"):
        for info in pkgutil.walk_packages(module.__path__, f"{package}."):
            if not any(part.startswith("_") for part in info.name.split(".")):
                names.append(info.name)
    return names


def public_members(name: str) -> list[tuple[str, str]]:
    """Return ("autofunction" or "autoclass", name) for what a module defines itself."""
    module = importlib.import_module(name)
    members = []
    for member, bound in vars(module).items():
        value = inspect.unwrap(bound) if callable(bound) else bound  # beneath a cache
        here = getattr(value, "__module__", None) == name
        if member.startswith("_") or not here:
            continue
        if inspect.isclass(value):
            members.append(("autoclass", f"{name}.{member}"))
        elif inspect.isfunction(value):
            members.append(("autofunction", f"{name}.{member}"))
    return members


class Api(Generated):
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


def with_parameters(doc: str, names: list[str], rows: dict[str, dict]) -> str:
    """Explain what a docstring leaves to the table of notation, in the call's order.

    A docstring says of a parameter what is particular to its function; a parameter that
    it does not mention means what its row of ``book/notation.yml`` says.
    """
    head, parameters, rest = _split_at_parameters(doc)
    written = {}
    for entry in re.split(r"\n(?=\S)", parameters):
        for name in re.split(r", ?", entry.partition("\n")[0].partition(" : ")[0]):
            written[name] = entry
    entries: list[str] = []
    for name in names:
        entry = written.get(name)
        if entry is None and name in rows:
            symbol = f":math:`{tex}`. " if (tex := rows[name].get("tex")) else ""
            entry = f"{name}\n    {symbol}{rows[name]['meaning'].strip()}"
        if entry and entry not in entries:  # one entry may explain two parameters
            entries.append(entry)
    if not entries:
        return doc
    section = "\n".join(["Parameters", "----------", *entries])
    return "\n\n".join(part for part in (head, section, rest) if part)


def _split_at_parameters(doc: str) -> tuple[str, str, str]:
    """Return what stands before the parameters, their entries, and what follows."""
    title = r"^[A-Z][\w ]+\n-{3,}$"
    first = re.search(title, doc, re.MULTILINE)
    if not first:
        return doc.strip(), "", ""
    head, rest = doc[: first.start()].strip(), doc[first.start() :]
    if not rest.startswith("Parameters\n"):
        return head, "", rest.strip()
    body = rest.partition("\n")[2].partition("\n")[2]
    following = re.search(title, body, re.MULTILINE)
    end = following.start() if following else len(body)
    return head, body[:end].strip(), body[end:].strip()


def _explain(app, what, name, public, options, lines: list[str]) -> None:
    """Complete the docstring of a function."""
    if inspect.isfunction(inspect.unwrap(public)) and what == "function":
        names = list(inspect.signature(public).parameters)
        doc = with_parameters("\n".join(lines), names, load("notation.yml"))
        lines[:] = doc.splitlines()


def setup(app: Sphinx) -> None:
    """Register the directive, and complete docstrings before napoleon reads them."""
    app.add_directive("api", Api)
    app.connect("autodoc-process-docstring", _explain, priority=400)
