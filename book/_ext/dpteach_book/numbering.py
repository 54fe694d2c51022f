"""Give a chapter the number that its file bears: chapters/09-dp-sgd is chapter 9.

Sphinx counts the chapters that exist. Theorems, equations and figures take their
numbers from the chapter's, so this is done where Sphinx assigns them.
"""

import re

from docutils import nodes
from sphinx.environment.collectors.toctree import TocTreeCollector

CHAPTER = re.compile(r"chapters/(\d+)-")
_assign = TocTreeCollector.assign_section_numbers


def assign_section_numbers(self, env) -> list[str]:
    """Assign Sphinx's numbers, then put the file's in place of the first."""
    changed = _assign(self, env)
    for docname, numbers in env.toc_secnumbers.items():
        if match := CHAPTER.match(docname):
            chapter = int(match[1])
            for anchor, number in numbers.items():
                numbers[anchor] = (chapter, *number[1:]) if number else number
            for reference in env.tocs[docname].findall(nodes.reference):
                number = reference.get("secnumber")
                if number:
                    reference["secnumber"] = [chapter, *number[1:]]
            if env.titles[docname].get("secnumber"):
                env.titles[docname]["secnumber"] = [chapter]
    return changed


def setup(app) -> None:
    """Replace the collector's method, and that of sphinx-external-toc's variant."""
    for collector in (TocTreeCollector, *TocTreeCollector.__subclasses__()):
        collector.assign_section_numbers = assign_section_numbers
