"""What a hostile student may hand in: code, and what must come of it.

Each attack defines ``clip`` or ``private_step``, wrongly, and does harm while it is
loaded or called. It must not pass, and the report must match the pattern. Where an
attack tries to see or to change something, its error says how that went.
"""

RIGHT_CLIP = """\
import numpy as np


def clip(G, C):
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    return G * np.minimum(1.0, C / np.maximum(norms, C))
"""
RIGHT_DELTA = """\
import numpy as np


def exact_delta(P, Q, eps):
    there = np.maximum(P - np.exp(eps) * Q, 0.0).sum()
    return max(there, np.maximum(Q - np.exp(eps) * P, 0.0).sum())
"""
RIGHT_STEP = """\
import numpy as np


def private_step(w, X, y, C, sigma, lr, batch, rng):
    G = (X @ w - y)[:, None] * X
    G = G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True) / C, 1.0)
    noise = C * sigma * rng.standard_normal(len(w))
    return w - lr / batch * (G.sum(axis=0) + noise)
"""
# A step whose noise is right only where NOISY is true.
_STEP = """\
import numpy as np

STATE = {"calls": 0}


def private_step(w, X, y, C, sigma, lr, batch, rng):
    STATE["calls"] += 1
    G = (X @ w - y)[:, None] * X
    G = G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True) / C, 1.0)
    z = rng.standard_normal(len(w))
    noise = C * sigma * z if NOISY else 1e-9 * z
    return w - lr / batch * (G.sum(axis=0) + noise)
"""


def _step(noisy):
    return _STEP.replace("NOISY", noisy)


def _try(code):
    """Let ``clip`` do something, and tell in an error how it went."""
    body = "\n".join(f"    {line}" for line in code.strip().splitlines())
    return f"import os, socket, sys, ctypes\ndef clip(G, C):\n{body}\n"


_GONE = "the end of the process"
_LATE = "no result after 1 s"
_UNREADABLE = "FileNotFoundError|NotADirectoryError|PermissionError"

# Name: the exercise, the code, and a pattern of the report.
ATTACKS = {
    # The grader itself
    "import the package": ("clip", _try("import dpteach"), "No module named 'dpteach'"),
    "import a reference": (
        "clip",
        _try("from dpteach.arrays import clip as c\nreturn c(G, C)"),
        "ModuleNotFoundError",
    ),
    "a package of that name": (
        "clip",
        "import sys, types\nsys.modules['dpteach'] = types.ModuleType('dpteach')\n"
        "sys.modules['dpteach'].check = lambda *_: True\n"
        "def clip(G, C):\n    return G",
        "✗",
    ),
    "patch what compares": (
        "clip",
        "import numpy as np\nnp.allclose = lambda *a, **k: True\n"
        "np.array_equal = lambda *a, **k: True\nnp.abs = lambda x: 0 * x\n"
        "np.linalg.norm = lambda *a, **k: 0.0\n"
        "def clip(G, C):\n    return G",
        "✗",
    ),
    "patch the worker": (
        "clip",
        "import __main__, json\n"
        "__main__.answer = lambda *_: ({'passed': True, 'score': 100}, b'')\n"
        "def clip(G, C):\n    return G",
        "malformed answer|Wanted",
    ),
    "patch the worker's own JSON": (
        "clip",
        "import json\njson.dumps = lambda *_: '{}'\ndef clip(G, C):\n    return G",
        "malformed answer|Wanted",
    ),
    "an error that no file can hold": (
        "clip",
        "def clip(G, C):\n    raise ValueError('<b>\\x1b[31m \\ud800')",
        "ValueError: <b>\N{REPLACEMENT CHARACTER}",
    ),
    "find the grader on the stack": (
        "clip",
        _try(
            "frame, names = sys._getframe(), []\n"
            "while frame:\n"
            "    names += list(frame.f_locals) + list(frame.f_globals)\n"
            "    frame = frame.f_back\n"
            "found = [n for n in names if n in ('checks', 'exercise', 'seed', 'key')]\n"
            "raise RuntimeError(f'found {found}')"
        ),
        r"found \[\]",
    ),
    "exceptions of the checks' names": (
        "private_step",
        "class NotGaussian(ValueError):\n    pass\n"
        "class Fault(Exception):\n    pass\n"
        "def private_step(w, X, y, C, sigma, lr, batch, rng):\n"
        "    raise (NotGaussian if sigma else Fault)('measure me')",
        "Fault: measure me",
    ),
    # What is returned
    "equal to everything": (
        "clip",
        "class Same:\n    __eq__ = lambda *_: True\n    __le__ = __ge__ = __eq__\n"
        "    shape = (8, 5)\n    def __array_ufunc__(self, *a, **k): return True\n"
        "def clip(G, C):\n    return Same()",
        "a Same",
    ),
    "a pickle with a command": (
        "clip",
        "import os\nclass Evil:\n    def __reduce__(self):\n"
        "        return os.system, ('touch /tmp/owned',)\n"
        "def clip(G, C):\n    return Evil()",
        "a Evil",
    ),
    "an array that ends the process": (
        "clip",
        "import os\nclass Evil:\n    def __array__(self, *a, **k):\n"
        "        os._exit(0)\ndef clip(G, C):\n    return Evil()",
        _GONE,
    ),
    "an array of objects": (
        "clip",
        "import numpy as np\ndef clip(G, C):\n    return G.astype(object)",
        "of object",
    ),
    "more than may be sent": (
        "clip",
        _try("import numpy as np\nreturn np.zeros(1 << 23)"),
        "many megabytes|MemoryError",
    ),
    "a whole number without end": ("clip", _try("return 10**5000"), "✗"),
    "nested without end": (
        "clip",
        _try("x = []\nx.append(x)\nreturn x"),
        "✗",
    ),
    # Forged frames
    "a forged result": (
        "clip",
        "import json, os, struct\n"
        "def clip(G, C):\n"
        "    text = json.dumps({'passed': True, 'result': {'plain': 1.0},\n"
        "                       'global': [], 'changed': []}).encode()\n"
        "    for fd in range(3, 64):\n"
        "        try:\n"
        "            os.write(fd, struct.pack('<II', len(text), 0) + text)\n"
        "        except OSError:\n"
        "            pass\n"
        "    return G",
        "✗",
    ),
    "a frame of four gigabytes": (
        "clip",
        "import os\ndef clip(G, C):\n"
        "    for fd in range(3, 64):\n"
        "        try:\n            os.write(fd, b'\\xff' * 8)\n"
        "        except OSError:\n            pass\n    return G",
        "malformed answer",
    ),
    "an array that is not there": (
        "clip",
        "import __main__\n"
        "__main__.packed = lambda *_: ({'array': '<f8', 'shape': [8, 5], 'start': 0,\n"
        "                             'scalar': False}, b'')\n"
        "def clip(G, C):\n    return G",
        "malformed answer",
    ),
    "shapes that overflow": (
        "clip",
        "import __main__\n"
        "__main__.packed = lambda *_: ({'array': 'f8', 'shape': [2**62, 4],\n"
        "                             'start': -8,\n"
        "                             'scalar': False}, b'')\n"
        "def clip(G, C):\n    return G",
        "malformed answer",
    ),
    "objects by their dtype": (
        "clip",
        "import __main__\n"
        "__main__.packed = lambda *_: ({'array': 'O', 'shape': [1], 'start': 0,\n"
        "                             'scalar': False}, b'\\0' * 64)\n"
        "def clip(G, C):\n    return G",
        "malformed answer",
    ),
    "draws without end": (
        "private_step",
        "def private_step(w, X, y, C, sigma, lr, batch, rng):\n"
        "    while True:\n        rng.standard_normal()",
        _LATE,
    ),
    "endless draws of the tape": (
        "private_step",
        RIGHT_STEP.replace("    noise =", "    while sigma: rng.normal()\n    noise ="),
        _LATE,
    ),
    "a draw too large for the judge": (
        "private_step",
        RIGHT_STEP.replace(
            "    noise =",
            "    if type(rng).__init__ is not np.random.Generator.__init__:\n"
            "        rng.standard_normal((10**6, 10**6))\n    noise =",
        ),
        "MemoryError",
    ),
    "methods that a tape has not": (
        "private_step",
        RIGHT_STEP.replace(
            "    noise =", "    rng.__class__.spawn(rng, 10**9)\n    noise ="
        ),
        "✗",
    ),
    # The tape
    "tell the tape by its type": (
        "private_step",
        _step("type(rng).__init__ is not np.random.Generator.__init__ or sigma == 0"),
        "the same result|standard deviation",
    ),
    "tell the tape by its name": (
        "private_step",
        _step('type(rng).__name__ == "Tape"'),
        "✗",
    ),
    "tell the tape by its bits": (
        "private_step",
        "import numpy as np\ndef taped(rng):\n"
        "    try:\n        return not rng.bit_generator\n"
        "    except Exception:\n        return True\n"
        + _step("taped(rng) or STATE['calls'] < 20"),
        "standard deviation",
    ),
    "noise that has a bound": (
        "private_step",
        _step("True").replace(
            "rng.standard_normal(len(w))", "rng.random((len(w), 12)).sum(axis=1) - 6"
        ),
        "a weighted sum of the uniform numbers",
    ),
    "tell the tape by its draws": (
        "private_step",
        _step("abs(z).max() in (0, 1) or STATE['calls'] < 20"),
        "standard deviation|50 deviations from 0",
    ),
    "be good for some calls": (
        "private_step",
        _step("STATE['calls'] < 66"),
        "standard deviation",
    ),
    # Ends and loops
    "leave by os._exit": ("clip", _try("os._exit(0)"), _GONE),
    "leave by sys.exit": ("clip", _try("sys.exit('bye')"), "SystemExit: bye"),
    "leave while loading": (
        "clip",
        "import os\nos._exit(0)\ndef clip(G, C):\n    return G",
        "✗",
    ),
    "crash": ("clip", _try("ctypes.string_at(0)"), _GONE),
    "recur without end": (
        "clip",
        "import sys\nsys.setrecursionlimit(10**9)\ndef clip(G, C):\n"
        "    return clip(G, C)",
        f"{_GONE}|RecursionError|MemoryError|{_LATE}",
    ),
    "loop": ("clip", _try("while True: pass"), _LATE),
    "loop and catch all": (
        "clip",
        _try(
            "while True:\n    try:\n        while True: pass\n"
            "    except BaseException: pass"
        ),
        _LATE,
    ),
    "stop yourself": (
        "clip",
        _try("os.kill(os.getpid(), 19)\nwhile True: pass"),
        f"{_LATE}|{_GONE}",
    ),
    "wait": ("clip", _try("import time\ntime.sleep(1000)"), _LATE),
    "print a flood": (
        "clip",
        _try("for _ in range(10**6): print('x' * 100)\nreturn G"),
        f"✗|{_LATE}",
    ),
    "write a flood to the standard error": (
        "clip",
        _try("while True: os.write(2, b'x' * 10**6)"),
        f"{_LATE}|OSError",
    ),
    # What it may use
    "much memory": ("clip", _try("import numpy as np\nreturn np.ones(10**10)"),
                    "MemoryError"),
    "memory bit by bit": (
        "clip",
        _try("kept = []\nwhile True: kept.append(bytearray(1 << 24))"),
        f"MemoryError|{_GONE}|{_LATE}",
    ),
    "many processes": (
        "clip",
        _try("while True: os.fork()"),
        f"BlockingIOError|{_GONE}|{_LATE}|malformed",
    ),
    "many threads": (
        "clip",
        _try(
            "import threading, time\nfor _ in range(1000):\n"
            "    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
        ),
        f"start new thread|{_GONE}|MemoryError",
    ),
    "one large file": (
        "clip",
        _try("with open('/tmp/x', 'wb') as f:\n    while True: f.write(b'x' * 10**6)"),
        f"OSError|{_GONE}",
    ),
    "many files": (
        "clip",
        _try(
            "for k in range(100):\n    with open(f'/tmp/{k}', 'wb') as f:\n"
            "        f.write(b'x' * 10**6)"
        ),
        "No space left",
    ),
    "many open files": (
        "clip",
        _try("kept = [open('/dev/null') for _ in range(1000)]"),
        "Too many open files",
    ),
    # What it may see and change
    "read the machine's users": (
        "clip", _try("raise RuntimeError(open('/etc/passwd').read())"), _UNREADABLE,
    ),
    "read the machine's users by a link": (
        "clip",
        _try(
            "os.symlink('/etc/passwd', '/tmp/l')\n"
            "raise RuntimeError(open('/tmp/l').read())"
        ),
        _UNREADABLE,
    ),
    "read the judge": (
        "clip",
        _try("raise RuntimeError(open({judge!r}).read())"),
        _UNREADABLE,
    ),
    "look at processes": (
        "clip",
        _try("raise RuntimeError('seen ' + str(os.listdir('/proc')))"),
        _UNREADABLE + r"|seen \[\]",
    ),
    "read the environment": (
        "clip",
        _try("raise RuntimeError('seen ' + ' '.join(sorted(os.environ)))"),
        "seen HOME LANG OMP_NUM_THREADS OPENBLAS_NUM_THREADS PATH( PWD)?,",
    ),
    "read the command line": (
        "clip",
        _try("raise RuntimeError('seen ' + ' '.join(sys.argv))"),
        "seen /judge/worker.py",
    ),
    "write beside the packages": (
        "clip",
        _try("open(os.path.dirname(__import__('numpy').__file__) + '/x', 'w')"),
        "Read-only file system|Permission denied",
    ),
    "write into the worker": (
        "clip", _try("open('/judge/worker.py', 'w')"), "Read-only|Permission denied",
    ),
    "write into the root": (
        "clip", _try("open('/x', 'w')"), "Read-only file system|Permission denied",
    ),
    "mount anew, writable": (
        "clip",
        _try(
            "libc = ctypes.CDLL(None, use_errno=True)\n"
            "libc.unshare(0x10000000 | 0x20000)\n"
            "done = libc.mount(None, b'/usr', None, 32 | 4096, None)\n"
            "raise RuntimeError(f'mounted {done}')"
        ),
        "mounted -1",
    ),
    "become root": (
        "clip",
        _try("os.setuid(0)\nraise RuntimeError('root')"),
        "PermissionError|OSError",
    ),
    "the network": (
        "clip",
        _try("socket.create_connection(('1.1.1.1', 53), 3)"),
        "PermissionError",
    ),
    "a service of this machine": (
        "clip",
        _try("socket.create_connection(('127.0.0.1', {port}), 3)\n"
             "raise RuntimeError('connected')"),
        "PermissionError",
    ),
    "look up a name": (
        "clip",
        _try("raise RuntimeError(socket.gethostbyname('example.org'))"),
        "gaierror|herror",
    ),
    "kill the parent": (
        "clip",
        _try("os.kill(os.getppid() or 1, 9)\nraise RuntimeError('still here')"),
        f"still here|{_GONE}|PermissionError",
    ),
    "kill everybody": (
        "clip",
        _try("os.kill(-1, 9)\nraise RuntimeError('still here')"),
        f"still here|{_GONE}|ProcessLookupError",
    ),
    "outlive the judge": (
        "clip",
        _try(
            "import time\nif os.fork() == 0:\n    os.setsid()\n"
            "    if os.fork() == 0:\n        time.sleep(600)\n    os._exit(0)\n"
            "raise RuntimeError('forked')"
        ),
        "forked",
    ),
}  # fmt: skip

# Trouble that is no answer's fault, beside a right one, which must still pass.
BESIDE = {
    "an endless loop while loading": "while True: pass",
    "the end of Python while loading": "import os\nos._exit(3)",
    "an error while loading": "1 / 0",
    "a cell that is no Python": "this is no Python",
    "commands for the notebook": "%pip install dpteach\n!ls\n%%bash\nls",
    "a magic cell": "%%timeit\nclip(1, 2)",
    "the package": "from dpteach import check\ncheck('clip', clip)",
    "a null byte": "x = '\\0'\0",
    "brackets without end": "(" * 100_000,
    "a deep sum": "x = " + "+".join("1" for _ in range(100_000)),
    "a flood of prints": "for _ in range(10**6): print('x' * 100)",
    "a helper of another name": "def helper(x):\n    return x",
    "NumPy changed": "import numpy as np\nnp.linalg.norm = lambda *a, **k: 0.0",
    "NumPy changed by a call": "import numpy as np\nsetattr(np, 'minimum', np.maximum)",
    "Python changed": "import builtins\nbuiltins.__dict__['len'] = lambda x: 0",
    "what sends answers, changed": "import json\njson.dumps = lambda *_: '{}'",
    "the end of Python a little later": "import os, threading\n"
    "threading.Timer(0.02, os._exit, (3,)).start()",
    "errors for rounding": "import numpy as np\nnp.seterr(all='raise')",
    "seeds the global generator": "import numpy as np\nnp.random.seed(0)",
}
