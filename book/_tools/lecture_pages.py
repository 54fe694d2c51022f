"""The pages of each lecture, made from what was written for it.

``NN-slides.md`` is shown in class. ``NN-lecture.md`` has the plan by the minute, the
votes, the lab and the homework. A table for instructors, ``table.md``, lists them all.
"""

import re
from pathlib import Path

from lectures import LAB_MINUTES, ROOT, Lecture, Slide, chapters

from dpteach.chapters import catalog
from dpteach.figures.predict import Draw, Place
from dpteach.figures.quiz import Question

TEACH = ROOT / "book" / "teach"

_SLIDES = """\
---
description: Slides for one lecture on {topic}, with the chapter's own figures and \
questions, notes for the speaker, and one idea a slide.
---

# Slides: {topic}

For a lecture on {{doc}}`/{chapter}`. Press **Present** for one slide at a time; the \
arrow keys turn, and N shows the notes, which are also in the {{doc}}`plan \
<{name}-lecture>`. In print each slide is a page, without notes and answers.

{slides}
"""

_LECTURE = """\
---
description: One lecture on {topic}. A plan by the minute, questions to vote on, a lab \
of {lab} minutes and homework with points.
---

# Lecture: {topic}

For {{doc}}`/{chapter}`, with {{doc}}`slides <{name}-slides>`. The slides take \
{minutes} minutes and the lab {lab}. Nothing has to be installed, because slides and \
lab are pages of this book.

**Students need** {ready}

**By the end** {aims}

## Plan

Let everybody write an answer down before a slider moves or a vote is opened. Names \
such as `{question}` are questions of the chapter.

| minutes | slide | what to show, ask and expect |
|---|---|---|
{plan}

{spare}

## Votes

On the slide nobody sees an answer before choosing. Here is what each wrong choice \
overlooks, and what to say next.

{votes}

## Lab

{lab_minutes} minutes: {lab_link}, {lab_title}. Each student opens the exercise on the \
chapter's page or as a notebook, and checks it there.

{lab_steps}

## Homework

{points} points. The first {coded} are given by the judge (see {{doc}}`/book/marks`), \
the others by people. Answers, points for each part and rubrics are in the \
instructor's pack.

| exercise | what it asks | points |
|---|---|---|
{exercises}

{problems}
"""


def slides_page(lecture: Lecture) -> str:
    """Write the page that is shown."""
    written, start = [], 0
    for number, slide in enumerate(lecture.slides, start=1):
        written.append(_slide(lecture, number, slide, start))
        start += slide.minutes
    return _SLIDES.format(
        topic=lecture.topic,
        chapter=lecture.chapter,
        name=lecture.name,
        slides="\n\n".join(written),
    )


def _slide(lecture: Lecture, number: int, slide: Slide, start: int) -> str:
    parts = [f"## {number}. {slide.title}"]
    if slide.text:
        parts.append(slide.text.strip())
    if slide.cell:
        parts.append(f"```{{shown}} {lecture.source(slide)}\n{slide.cell}\n```")
    notes = slide.notes.strip()
    if slide.then:
        notes += f"\n\n**After the vote.** {slide.then.strip()}"
    when = f"Notes: minutes {start} to {start + slide.minutes}"
    parts.append(f":::{{dropdown}} {when}\n:class: notes\n\n{notes}\n:::")
    return "\n\n".join(parts)


def lecture_page(lecture: Lecture) -> str:
    """Write the page that the lecturer reads."""
    return _LECTURE.format(
        topic=lecture.topic,
        chapter=lecture.chapter,
        name=lecture.name,
        minutes=lecture.minutes,
        lab=LAB_MINUTES,
        ready=lecture.ready.strip(),
        aims=lecture.aims.strip(),
        plan=_plan(lecture),
        question=lecture.votes[0][2].identity,
        spare=lecture.spare.strip(),
        votes="\n\n".join(_vote(*each) for each in lecture.votes),
        lab_minutes=LAB_MINUTES,
        lab_link=linked(lecture.lab),
        lab_title=_title(lecture.lab),
        lab_steps=_lab(lecture),
        points=lecture.points,
        coded=sum(lecture.exercises.values()),
        exercises=_exercises(lecture),
        problems=problems(lecture),
    )


def _plan(lecture: Lecture) -> str:
    rows, start = [], 0
    for number, slide in enumerate(lecture.slides, start=1):
        end = start + slide.minutes
        notes = " ".join(slide.notes.split())
        said = f"{number}. *{slide.title}*"
        rows.append(f"| {start} to {end} | {said} | {notes} |")
        start = end
    return "\n".join(rows)


def plain(text: str) -> str:
    """Write text so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}<>$|\[\]])", r"\\\1", text)


def _vote(number: int, slide: Slide, question: Question | Draw | Place) -> str:
    if not isinstance(question, Question):
        how = "draws" if isinstance(question, Draw) else "marks the place"
        return "\n".join([
            f"**Slide {number}.** {plain(question.text)} "
            f"Everybody {how} on paper first.",
            "",
            f"**The answer:** {plain(str(question).partition('Answer: ')[2])}",
            "",
            f"**Next:** {slide.then.strip()}",
        ])  # fmt: skip
    rows = [
        f"| {plain(choice.text)} | {'**right**. ' if choice.right else ''}"
        f"{plain(choice.why)} |"
        for choice in question.choices
    ]
    return "\n".join([
        f"**Slide {number}.** {plain(question.text)}",
        "",
        "| choice | what to say of it |",
        "|---|---|",
        *rows,
        "",
        f"**Next:** {slide.then.strip()}",
    ])  # fmt: skip


def linked(name: str) -> str:
    """Return an exercise's name, with a link to its place in its chapter."""
    room = catalog.rooms()[name].replace("_", "-")
    (chapter,) = [each for each in chapters().values() if each[12:] == room]
    return f"[`{name}`](/{chapter}.ipynb#exercises)"


def _title(name: str) -> str:
    title = catalog.load(name).title
    return title[0].lower() + title[1:] if title[:2].istitle() else title


def _lab(lecture: Lecture) -> str:
    rows, start = ["| minutes | what happens |", "|---|---|"], 0
    for step in lecture.lab_steps:
        end = start + step.minutes
        rows.append(f"| {start} to {end} | {' '.join(step.do.split())} |")
        start = end
    return "\n".join(rows)


def _exercises(lecture: Lecture) -> str:
    return "\n".join(
        f"| {linked(name)} | {catalog.load(name).title} | {points} |"
        for name, points in lecture.exercises.items()
    )


def problems(lecture: Lecture) -> str:
    """Write the problems that people mark, as students get them."""
    return "\n\n".join(
        f"**Problem {number}. {each.title} ({each.points} points).** "
        f"{each.text.strip()}"
        for number, each in enumerate(lecture.problems, start=1)
    )


def table(lectures: list[Lecture]) -> str:
    """Return a table with a row for each chapter, which the instructors' page shows."""
    rows = [
        "| chapter | plan | slides | votes | lab | homework | key | pack |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in lectures:
        page = f"teach/{each.name}-lecture.md"
        pack = f'<a href="../lectures/{each.name}-student.zip" download>zip</a>'
        rows.append(
            f"| {each.number} [{each.topic}](../{each.chapter}.ipynb) "
            f"| [{each.minutes} min]({page}) "
            f"| [{len(each.slides)}](teach/{each.name}-slides.md) "
            f"| {len(each.votes)} "
            f"| [{each.lab}]({page}#lab) "
            f"| [{each.points} points]({page}#homework) "
            f"| {_parts(each)} | {pack} |"
        )
    return "\n".join(rows) + "\n"


def _parts(lecture: Lecture) -> str:
    parts = (re.findall(r"^- \(\w\) ", each.text, re.M) for each in lecture.problems)
    return f"{sum(map(len, parts))} parts"


def files(lectures: list[Lecture]) -> dict[Path, str]:
    """Return the text of both pages of some lectures."""
    texts = {}
    for each in lectures:
        texts[TEACH / f"{each.name}-slides.md"] = slides_page(each)
        texts[TEACH / f"{each.name}-lecture.md"] = lecture_page(each)
    return texts
