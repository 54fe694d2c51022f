"""Which pages a build is about: all of the book, or those of one chapter."""

from sphinx.application import Sphinx


def pages(chapter: str) -> tuple[str, ...]:
    """Return the pages of a chapter, such as chapters/09-dp-sgd, and of its lecture."""
    number = chapter.rpartition("/")[2].partition("-")[0]
    lecture = f"book/teach/{number}"
    return chapter, f"{lecture}-lecture", f"{lecture}-slides"


def one_chapter(app: Sphinx) -> bool:
    """Say whether the build is about one chapter."""
    return bool(app.config.dpteach_chapter)


def selected(app: Sphinx, docname: str) -> bool:
    """Say whether the build is about this page."""
    return not one_chapter(app) or docname in pages(app.config.dpteach_chapter)


def setup(app: Sphinx) -> None:
    """Let ``book/_tools/build.py`` name a chapter; that alone makes no page stale."""
    app.add_config_value("dpteach_chapter", "", "")
