"""What the sandbox keeps out of reach, and the true reason where it does not start."""

import os
import resource
import shutil
import subprocess
import sys

import pytest

from dpteach.grading.judge import rights, sandbox
from dpteach.grading.judge.isolation import Limits
from dpteach.grading.judge.rights import filter_program
from dpteach.grading.judge.wire import NotLoaded, Worker
from tests.public import ROOT

needs_sandbox = pytest.mark.usefixtures("sandbox")

# A call of the kernel that must be refused, by its number on x86-64.
CALL = """\
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
def outcome(*call):
    done = libc.syscall(*call)
    return done, ctypes.get_errno()
"""
REFUSED = {
    "read a key of the session": "(250, 0, 0)",
    "add a key to the session's": "(248, b'user', b'name', b'secret', 6, -3)",
    "memory that no limit counts": "(319, b'name', 0)",
    "shared memory": "(29, 0, 1 << 20, 0o1600)",
    "a user namespace": "(272, 0x10000000)",
    "a user namespace by clone": "(56, 0x10000000 | 17, 0, 0, 0, 0)",
    "a file system": "(165, b'tmpfs', b'/tmp', b'tmpfs', 0, 0)",
    "a socket of the kernel": "(41, 16, 3, 0)",
    "a socket of the hypervisor": "(41, 40, 1, 0)",
    "look into another process": "(101, 16, 1, 0, 0)",
    "the kernel's rings": "(425, 4, 0)",
    "the kernel's counters": "(298, 0, 0, -1, -1, 0)",
}


@needs_sandbox
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are x86-64's")
@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_a_call_of_the_kernel_is_refused(call):
    cell = f"{CALL}done, error = outcome{call}\nrefused = (done, error) == (-1, 1)"
    with Worker([cell], isolation="bubblewrap") as worker:
        assert worker.errors == []
        assert worker.value("refused") is True


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers are x86-64's")
@pytest.mark.parametrize("name", ["add a key to the session's", "a user namespace"])
def test_without_the_filter_it_would_not_be(name):
    """Power: the same calls, in a process that is not kept apart."""
    cell = f"{CALL}done, error = outcome{REFUSED[name]}\nallowed = done >= 0"
    with Worker([cell], isolation="none") as worker:
        assert worker.value("allowed") is True


@needs_sandbox
def test_an_answer_may_start_threads_and_processes():
    cell = (
        "import os, threading\nthread = threading.Thread(target=int)\n"
        "thread.start(); thread.join()\n"
        "child = os.fork()\nif child == 0: os._exit(7)\n"
        "status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])"
    )
    with Worker([cell], isolation="bubblewrap") as worker:
        assert worker.errors == []
        assert worker.value("status") == 7


@needs_sandbox
def test_no_memory_is_had_as_a_file():
    """All folders that can be written to have 16 MiB together."""
    cell = (
        "import os\nwritten = []\n"
        "for folder, _, _ in os.walk('/'):\n"
        "    try:\n        file = open(os.path.join(folder, 'x'), 'w')\n"
        "    except OSError:\n        continue\n    written.append(folder)\n"
        "written = ' '.join(written)"
    )
    with Worker([cell], isolation="bubblewrap") as worker:
        assert worker.value("written") == "/tmp"


def test_a_filter_ends_with_what_it_allows():
    """Each jump stays inside the program, whose last instruction gives an answer."""
    for column in (0, 1):
        program = filter_program(0xC000003E, column)
        steps = [program[k : k + 8] for k in range(0, len(program), 8)]
        for place, step in enumerate(steps):
            if step[0] & 7 == 5:  # a jump
                assert place + 1 + max(step[2], step[3]) < len(steps)
        assert steps[-1][0] == 6


# Why it does not start ---------------------------------------------------------------


@pytest.fixture
def anew():
    """Let the sandbox be tried once more, and again afterwards."""
    sandbox.obstacle.cache_clear()
    yield
    sandbox.obstacle.cache_clear()


@pytest.mark.usefixtures("anew")
def test_what_is_not_installed_is_named_with_how_to_install_it(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert "apt install bubblewrap" in sandbox.obstacle()
    monkeypatch.setattr(sys, "platform", "darwin")
    sandbox.obstacle.cache_clear()
    assert "needs Linux" in sandbox.obstacle()


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NotLoaded("the end of the process", "bwrap: setting up uid map: no"),
         "setting up uid map: no. Ubuntu from 23.10 on forbids it"),
        (NotLoaded("it did not end within 10 s", ""), "did not end within 10 s"),
        (OSError(24, "Too many open files"), "Too many open files"),
    ],
)  # fmt: skip
def test_the_true_reason_is_told(monkeypatch, error, reason):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(sandbox.shutil, "which", lambda _: "/usr/bin/bwrap")
    monkeypatch.setattr(sandbox, "Worker", fail)
    assert reason in sandbox.obstacle()


CODE = "from dpteach.grading.judge.sandbox import obstacle; print(obstacle())"


def tried(setting):
    """Try the sandbox in a shell of such a setting."""
    command = f"{setting}; exec {sys.executable} -c '{CODE}'"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@needs_sandbox
@pytest.mark.parametrize("setting", ["umask 077", "ulimit -v 300000", "ulimit -n 16"])
def test_a_strict_setting_does_not_keep_it_from_starting(setting):
    assert tried(setting) == ""


@needs_sandbox
def test_what_is_too_strict_is_named():
    assert "Too many open files" in tried("ulimit -n 8")


def test_a_limit_is_never_above_what_the_judge_itself_may_use(monkeypatch):
    limits = {}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, 1000))
    monkeypatch.setattr(resource, "setrlimit", limits.__setitem__)
    monkeypatch.setattr(rights.sys, "platform", "elsewhere")
    settings = {"limits": {"AS": 5000, "CPU": 60}, "user": None, "sandboxed": False}
    rights.drop(settings)
    assert limits == {resource.RLIMIT_AS: (1000, 1000), resource.RLIMIT_CPU: (60, 60)}
    assert Limits().settings(sandboxed=True)["limits"]["CORE"] == 0
