"""Give a chapter the number that its file bears: chapters/09-dp-sgd is chapter 9.

Sphinx counts the chapters that exist. Theorems, equations and figures take their
numbers from the chapter's, so this is done where Sphinx assigns them.
"""

import re
from copy import deepcopy

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx_external_toc.collectors import disable_builtin_toctree_collector

from .selection import pages

CHAPTER = re.compile(r"chapters/(\d+)-")


class ChapterNumbers(TocTreeCollector):
    """Sphinx's collector of contents and numbers, with the chapters' own."""

    def assign_section_numbers(self, env: BuildEnvironment) -> list[str]:
        """Assign Sphinx's numbers, then put the file's in place of the first.

        Return the pages whose numbers are not what they were.
        """
        before = deepcopy(env.toc_secnumbers)
        super().assign_section_numbers(env)
        for docname, numbers in env.toc_secnumbers.items():
            if match := CHAPTER.match(docname):
                chapter = int(match[1])
                for anchor, number in numbers.items():
                    numbers[anchor] = (chapter, *number[1:]) if number else number
                for reference in env.tocs[docname].findall(nodes.reference):
                    if number := reference.get("secnumber"):
                        reference["secnumber"] = [chapter, *number[1:]]
                if env.titles[docname].get("secnumber"):
                    env.titles[docname]["secnumber"] = [chapter]
        return [
            docname
            for docname, numbers in env.toc_secnumbers.items()
            if numbers != before.get(docname)
        ]

    def assign_figure_numbers(self, env: BuildEnvironment) -> list[str]:
        """Let Sphinx number what can be numbered; it loads every page's tree for that.

        In a build of one chapter the numbers stay while its pages have the same things
        in the same order.
        """
        chapter = env.app.config.dpteach_chapter
        numbers = getattr(env, "dpteach_numbers", {})
        read = [page for page in pages(chapter) if page in env.all_docs]
        if (
            chapter
            and numbers
            and all(
                enumerated(env, page)
                == {
                    kind: list(anchors)
                    for kind, anchors in numbers.get(page, {}).items()
                }
                for page in read
            )
        ):
            env.toc_fignumbers = dict(numbers)
            return []
        changed = super().assign_figure_numbers(env)
        env.dpteach_numbers = dict(env.toc_fignumbers)
        return changed


def enumerated(env: BuildEnvironment, docname: str) -> dict[str, list[str]]:
    """List the anchors of what Sphinx numbers on a page, in order, by their kinds."""
    anchors: dict[str, list[str]] = {}
    for node in env.get_doctree(docname).findall(nodes.Element):
        if kind := _kind(env, node):
            anchors.setdefault(kind, []).append(node["ids"][0])
    return anchors


def _kind(env: BuildEnvironment, node: nodes.Element) -> str | None:
    """Say what a node is counted as, as Sphinx's collector does."""
    if not node["ids"]:
        return None
    for domain in env.domains.values():
        kind = domain.get_enumerable_node_type(node)
        captioned = domain.name != "std" or domain.get_numfig_title(node)
        if kind and captioned:
            return kind
    return None


def setup(app: Sphinx) -> None:
    """Take the place of Sphinx's collector, and of sphinx-external-toc's variant."""
    disable_builtin_toctree_collector(app)
    app.add_env_collector(ChapterNumbers)
