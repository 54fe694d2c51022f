"""The server of ``make read`` answers its own machine, from the book's folder only."""

import http.client
import socket
import struct
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from serve import Handler, main, server


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Serve a folder with a secret beside it, and links that lead there."""
    tmp_path = tmp_path_factory.mktemp("served")
    book, beside = tmp_path / "book", tmp_path / "beside"
    book.mkdir()
    beside.mkdir()
    (book / "index.html").write_text("the book")
    (book / "404.html").write_text("no such page")
    (beside / "secret.txt").write_text("secret")
    (beside / "index.html").write_text("secret")
    (book / "file.txt").symlink_to(beside / "secret.txt")
    (book / "folder").symlink_to(beside)
    (book / "inside.html").symlink_to(book / "index.html")
    made = server(book)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def asked(site, path: str, host: str = "", method: str = "GET") -> tuple[int, bytes]:
    """Ask for a path as it stands, which no browser would send; in the name of a host.

    A server of one machine is never asked for another's name, unless a page elsewhere
    has pointed its own name at this machine.
    """
    there = http.client.HTTPConnection("127.0.0.1", site.server_port, timeout=5)
    with closing(there) as connection:
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"localhost:{site.server_port}")
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_it_listens_to_this_machine_alone(site):
    assert site.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:8000", "[::1]:1", "LocalHost"]
)
def test_it_answers_in_its_own_name(site, host):
    assert asked(site, "/", host) == (200, b"the book")
    assert asked(site, "/inside.html", host) == (200, b"the book")


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example:8000", "127.0.0.1.nip.io", "[::"]
)
def test_it_does_not_answer_in_the_name_of_another(site, host, method):
    status, body = asked(site, "/", host, method)
    assert status == 421
    assert b"the book" not in body


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "path",
    [
        "/../beside/secret.txt",
        "/%2e%2e/beside/secret.txt",
        "/..%2fbeside/secret.txt",
        "//../beside/secret.txt",
        "/file.txt",
        "/folder/",
        "/folder/secret.txt",
        "/%00",
        "/" + "long" * 2000,
    ],
)
def test_what_lies_outside_of_its_folder_is_not_there(site, path, method):
    status, body = asked(site, path, method=method)
    assert status == 404
    assert body == (b"" if method == "HEAD" else b"no such page")


def test_a_class_of_two_hundred_is_answered(site):
    def reader(_) -> set:
        return {asked(site, "/") for _ in range(10)}

    with ThreadPoolExecutor(200) as readers:
        answers = set().union(*readers.map(reader, range(200)))
    assert answers == {(200, b"the book")}


def test_who_leaves_in_the_middle_leaves_no_traceback(site, capfd):
    host = site.server_address[:2]
    for sent in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        leaves = socket.create_connection(host)
        leaves.sendall(sent)
        leaves.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        leaves.close()  # a reset, no good-bye
    assert asked(site, "/") == (200, b"the book")
    assert capfd.readouterr().err == ""


def test_a_fault_of_its_own_is_shown(site, capfd, monkeypatch):
    def broken(_) -> None:
        raise AssertionError("broken")

    monkeypatch.setattr(Handler, "do_GET", broken)
    with pytest.raises(http.client.HTTPException):
        asked(site, "/")
    assert "AssertionError: broken" in capfd.readouterr().err


def test_who_says_nothing_is_left(site, monkeypatch):
    monkeypatch.setattr(Handler, "timeout", 0.2)
    with socket.create_connection(site.server_address[:2], timeout=10) as silent:
        silent.sendall(b"GET / HT")
        assert silent.recv(1) == b""


@pytest.mark.parametrize("port", ["abc", "-1", "8000.5", ""])
def test_a_port_that_is_no_number_is_named(tmp_path, monkeypatch, port):
    monkeypatch.setattr("sys.argv", ["serve.py", str(tmp_path), port])
    with pytest.raises(SystemExit, match="A port is a number"):
        main()
