# make read    builds the book and serves it
# make test    runs the tests, of each long table a sample
# Both make what they need the first time: a virtual environment, and all of it in .venv.

# LOCKED=1: an environment of its own, in which every package is checked by its hash.
ENV := $(if $(LOCKED),.venvs/locked,.venv)
BIN := $(ENV)/bin
OK := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,\
	$(shell $(p) -c '$(OK)' 2>/dev/null && echo $(p))))
PORT ?= 8000
# One thread a process: tests and chapters run side by side.
export OMP_NUM_THREADS ?= 1
# Hundreds of processes read the package: the first one leaves its bytecode to the rest.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help read test lint book lab generated course lectures quizzes leaderboard cells picture sheet \
	test-book test-thorough test-backends test-elsewhere fuzz bench bench-page bench-peers \
	their-tests records \
	experiments figure-1a mutants pdf zip notebooks links \
	lock release clean
.DELETE_ON_ERROR:
.NOTPARALLEL:

help:
	@echo "make read           build the book and serve it at http://localhost:$(PORT)"
	@echo "make … LOCKED=1     with exactly the versions that were tested, by their hashes"
	@echo "make test           the tests, the browser's too; of each long table a sample"
	@echo "make test CHAPTER=dp-sgd, make book CHAPTER=dp-sgd (or its number)"
	@echo "                    one chapter alone, within a minute"
	@echo "make test-book      a sample of the tests of the whole book; texts need these two"
	@echo "make test-thorough  all tests of the whole book, of the long tables, what takes long"
	@echo "make lint           the checks alone"
	@echo "make book           build the book alone, in book/_build/html"
	@echo "make lab            open the chapters in JupyterLab"
	@echo "make course         the student's and the instructor's pack of a course"
	@echo "make lectures       both packs for the lecture of each chapter"
	@echo "make quizzes        print paper quizzes with their keys: book/_build/quiz.html"
	@echo "make leaderboard FOLDER=submissions  run a contest's entries, and write its board"
	@echo "make generated      write every file that is made from others"
	@echo "make cells          list the cells of chapters that run on their pages"
	@echo "make picture        take the README's picture from the book"
	@echo "make test-backends  tests on PyTorch, JAX, Dask, Parquet, a page's Python (npm)"
	@echo "make test-elsewhere the oldest, newest and Colab's versions, Binder, Firefox, WebKit"
	@echo "make fuzz           random hostile data for every algorithm, for an hour"
	@echo "make sheet          put a picture of every figure on one sheet, light and dark"
	@echo "make bench          measure speed and noise, as ratios; ends with a table of goals"
	@echo "make bench-page     measure the weight and the speed of pages"
	@echo "make bench-peers    measure speed and noise beside other packages"
	@echo "make their-tests    others' tests of prices, with this package as the engine"
	@echo "make records        list the stored records that are stale, and why"
	@echo "make records RENEW=1 makes those anew (hours)"
	@echo "make experiments    compute stored results anew (hours)"
	@echo "make figure-1a MINUTES=60  go on with the runs of the paper's figure 1(a)"
	@echo "make mutants        run tests against small changes to privacy's lines (hours)"
	@echo "make pdf, make zip  the book as one file"
	@echo "make links          ask every other site that the book names whether it is there"
	@echo "make notebooks      the notebooks in plain Markdown, as Colab gets them"
	@echo "make lock           write the versions that are tested here into locked.txt"
	@echo "make release        wheel, zip, PDF, bill of materials, hashes: each checked"
	@echo "make clean          delete what was built"

# --- set-up: a stamp for each set of packages, so that a second call installs nothing

$(ENV)/made:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and was not \
	found. Install it, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv $(ENV) || { echo "Python's venv module is needed: on Debian and \
	Ubuntu, type: apt install python3-venv"; exit 1; }
	@touch $@

PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

ifdef LOCKED
$(ENV)/read: $(ENV)/made locked.txt
	$(PIP) --require-hashes -r locked.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(ENV)/test: $(ENV)/made locked.txt locked-dev.txt
	$(PIP) --require-hashes -r locked.txt -r locked-dev.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@ $(ENV)/read
else
$(ENV)/read: $(ENV)/made pyproject.toml
	$(PIP) -e '.[book]'
	@touch $@

$(ENV)/test: $(ENV)/made pyproject.toml
	$(PIP) -e '.[dev]'
	@touch $@ $(ENV)/read
endif

$(ENV)/lab: $(ENV)/read requirements.txt
	$(PIP) -r requirements.txt
	@touch $@

# The path of a Chromium. $$CHROMIUM, chromium, google-chrome, or else install one.
$(ENV)/chromium: $(ENV)/test book/_tools/chromium.py
	$(BIN)/python book/_tools/chromium.py > $@

CHROMIUM_HERE = CHROMIUM="$$(cat $(ENV)/chromium)"

# --- read

read: book
	$(BIN)/python book/_tools/serve.py book/_build/html $(PORT)

book: $(ENV)/read
	$(BIN)/python book/_tools/build.py $(if $(CHAPTER),--chapter $(CHAPTER))

lab: $(ENV)/lab
	$(BIN)/jupyter lab --notebook-dir=. chapters

# --- test

# The checks are tests too, so that they are written once.
lint: $(ENV)/test
	$(BIN)/python -m pytest -q -m "" tests/test_style.py tests/test_floors.py

# A worker that has no more to do takes from another one's end. The workers share the
# processors: no threads of their own.
PYTEST = $(CHROMIUM_HERE) OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -n auto \
	--maxprocesses 5 --dist worksteal

ifdef CHAPTER
# Its tests are short, and many are of one file; all its figures are looked at.
test: $(ENV)/test
	@own=$$($(BIN)/python book/_tools/chapter.py $(CHAPTER)) && \
	$(BIN)/ruff check --quiet $$own && $(BIN)/ruff format --quiet --check $$own && \
	$(BIN)/python -m pytest -q -n auto --maxprocesses 5 -m "" --chapter $(CHAPTER)
else
test: $(ENV)/test $(ENV)/chromium
	@$(PYTEST)
endif

# Of the whole book, what each change of a text needs: its links, its ids, some pages.
test-book: $(ENV)/test $(ENV)/chromium
	@$(BIN)/python book/_tools/build.py && $(PYTEST) -m "whole_book and not thorough"

# All of the whole book, which is built meanwhile. Of many cases of one kind, the rest:
# every page, chapter and figure; a class of students from end to end, the recipe for an
# addition, installations, and prices that take long. MARKS="not built" takes the usual
# tests, too.
MARKS ?= thorough or whole_book

test-thorough: $(ENV)/test $(ENV)/chromium
	@$(BIN)/python book/_tools/build.py & $(PYTEST) -m "$(MARKS)"; \
	failed=$$?; wait; exit $$failed

# An environment of their own: the libraries are large. The newest PyTorch brings a CUDA
# build of gigabytes; this one is also to be had for the CPU alone.
TORCH ?= torch==2.13.0

.venvs/backends/made: pyproject.toml $(ENV)/made
	$(PYTHON) -m venv .venvs/backends
	.venvs/backends/bin/python -m pip install --quiet --disable-pip-version-check \
	-e '.[figures,jax,cluster,parquet]' $(TORCH) pytest hypothesis array-api-strict beautifulsoup4 nbformat pandas polars
	@touch $@

# A page's Python prints what the built book shows. Its verdicts take a core for minutes;
# the other one has the rest meanwhile.
BACKENDS = .venvs/backends/bin/python -m pytest -q tests/backends

test-backends: .venvs/backends/made book
	@DPTEACH_BACKENDS=pyodide $(BACKENDS)/test_pyodide.py & \
	DPTEACH_BACKENDS=torch,jax,pyodide,dask $(BACKENDS) \
	--ignore tests/backends/test_pyodide.py; failed=$$?; wait $$! && exit $$failed

# What needs other Pythons (3.12 and 3.13, say), Firefox, WebKitGTK, and half an hour on two cores.
test-elsewhere: $(ENV)/test $(ENV)/chromium book
	@for each in firefox webkit versions binder; do echo "# $$each"; $(CHROMIUM_HERE) \
	PATH="$$PWD/$(BIN):$$PATH" PYTHONPATH=.:book/_tools \
	$(BIN)/python tests/elsewhere/$$each.py || exit 1; done

# Random hostile data for every algorithm, and the scoreboard of the status page.
SECONDS ?= 3600
fuzz: $(ENV)/test
	$(BIN)/python tests/elsewhere/fuzz.py --seconds $(SECONDS) --out book/fuzz.json

# --- generated files

# Notebooks in their stored form, those of the exercises, and lists of algorithms and of
# exercises. What git does not keep, the build writes.
generated: $(ENV)/read
	PYTHONPATH=book/_ext $(BIN)/python book/_tools/generated.py

# The two downloads of a course: make course COURSE=my-course.yml
course: $(ENV)/read
	PYTHONPATH=book/_ext $(BIN)/python book/_tools/course.py $(if $(COURSE),"$(COURSE)")

# Both downloads of each lecture's lab and homework, or of one: make lectures CHAPTER=9
lectures: $(ENV)/read
	PYTHONPATH=book/_ext $(BIN)/python book/_tools/lecture_packs.py $(CHAPTER)

# Paper quizzes: make quizzes ARGS="--variants 6 --chapters 1,9"
quizzes: $(ENV)/read
	$(BIN)/python book/_tools/quizzes.py $(ARGS)

# A board of a contest: make leaderboard FOLDER=submissions OUT=board
leaderboard: $(ENV)/read
	$(if $(FOLDER),,$(error Say where the entries are: make leaderboard FOLDER=submissions))
	$(BIN)/python -m dpteach.chapters.contest "$(FOLDER)" --out "$(or $(OUT),board)"

# Which cells run under the Python of a page, and print there what the book prints.
cells: $(ENV)/test book
	$(BIN)/python book/_tools/chapter_cells.py

sheet: $(ENV)/test $(ENV)/chromium book
	$(CHROMIUM_HERE) $(BIN)/python book/_tools/sheet.py

picture: $(ENV)/test $(ENV)/chromium book
	$(CHROMIUM_HERE) $(BIN)/python book/_tools/picture.py

# --- measure and recompute

MEASURE = PYTHONPATH=.:book/_tools $(BIN)/python tests/bench/run.py
PAGES = tests/bench/page.py tests/bench/page_python.py tests/bench/chapter_unit.py

bench: $(ENV)/test
	@$(MEASURE) $(filter-out %/harness.py %/run.py %/gpu.py $(PAGES),$(wildcard tests/bench/*.py))

bench-page: $(ENV)/test $(ENV)/chromium book
	@$(CHROMIUM_HERE) $(MEASURE) $(PAGES)

# A virtual environment for each peer: their dependencies contradict one another.
bench-peers: $(ENV)/test
	@for list in tests/bench/peers/*.txt; do name=$$(basename $$list .txt); \
	test -d .venvs/$$name || $(PYTHON) -m venv .venvs/$$name; \
	.venvs/$$name/bin/python -m pip install --quiet -e . -r $$list || exit 1; \
	echo "# $$name"; PYTHONPATH=. .venvs/$$name/bin/python tests/bench/peers/$$name.py \
	|| exit 1; done

# Others' tests of their accountants, with dpteach in the place of their engines.
.venvs/theirs/made: tests/elsewhere/theirs/requirements.txt $(ENV)/made
	$(PYTHON) -m venv .venvs/theirs
	.venvs/theirs/bin/python -m pip install --quiet -e . -r $<
	@touch $@

their-tests: .venvs/theirs/made
	.venvs/theirs/bin/python tests/elsewhere/theirs/run.py --out book/their-tests.json

# Stored results, claims and graded answers. No commit needs them fresh, a release does.
records: $(ENV)/test
	PYTHONPATH=. $(BIN)/python book/_tools/records.py $(if $(RENEW),--renew)

experiments: $(ENV)/test
	$(BIN)/python book/_tools/experiments.py $(NAMES)
	$(BIN)/python book/_tools/verify.py

# The DP-FTRL paper's figure 1(a): six hours of runs, each kept when it is finished.
figure-1a: $(ENV)/test
	$(BIN)/python book/_tools/figure_1a.py $(MINUTES) $(if $(BATCH),--batch $(BATCH)) \
	$(if $(DATA),--data $(DATA))

# make mutants NAMES="accounting/rules/renyi" runs those anew; else what was edited since.
mutants: $(ENV)/test
	PYTHONPATH=.:book/_tools $(BIN)/python tests/mutants/run.py $(NAMES)
	PYTHONPATH=.:book/_tools $(BIN)/python tests/mutants/table.py

# --- the book as one file

pdf: $(ENV)/test $(ENV)/chromium book
	$(CHROMIUM_HERE) $(BIN)/python book/_tools/pdf.py

zip: book
	$(BIN)/python book/_tools/offline.py

# Links to other sites, each asked whether it is there.
links: book
	$(BIN)/jupyter-book build . --toc book/_toc.yml --path-output book --builder linkcheck

notebooks: book
	@echo "They are in book/_build/html/notebooks"

# --- a release

# uv locks, and cyclonedx-py writes the bill of materials.
lock: $(ENV)/test
	PATH="$$PWD/$(BIN):$$PATH" $(BIN)/python book/_tools/lock.py

release: records pdf
	$(CHROMIUM_HERE) PATH="$$PWD/$(BIN):$$PATH" $(BIN)/python book/_tools/release.py $(TAG)

clean:
	rm -rf book/_build dist build .hypothesis .ruff_cache .import_linter_cache
