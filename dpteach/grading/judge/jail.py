"""Builds a sandbox out of Linux namespaces, and runs a command in it.

For machines without bubblewrap. The command sees a file system that is read-only and
holds what Python needs, a small folder of its own for files, no network, and no other
process. It stands alone: the standard library, nothing of dpteach.
"""

import ctypes
import json
import os
import signal
import sys

_NEW_FILES, _NEW_NAMES, _NEW_IPC = 0x00020000, 0x04000000, 0x08000000
_NEW_USER, _NEW_PROCESSES, _NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
_NO_SETUID, _NO_DEVICES, _BIND, _RECURSIVE, _PRIVATE = 2, 4, 4096, 16384, 1 << 18
_READ_ONLY, _MOUNT_SETATTR, _HERE, _ALL = 1, 442, -100, 0x8000
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}
_DIE_WITH_PARENT = 1

_libc = ctypes.CDLL(None, use_errno=True)


def _demand(result, what):
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")


def _mount(source, target, kind, flags, options=""):
    texts = (each.encode() if each else None for each in (source, target, kind))
    _demand(_libc.mount(*texts, flags, options.encode()), f"mount on {target}")


def _leave():
    """Enter namespaces of our own: as root by right, else as nobody in a user's."""
    flags = _NEW_FILES | _NEW_NAMES | _NEW_IPC | _NEW_PROCESSES | _NEW_NETWORK
    user, group = os.getuid(), os.getgid()
    if user == 0:
        _demand(_libc.unshare(flags), "unshare")
        return
    _demand(_libc.unshare(flags | _NEW_USER), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"65534 {user} 1"),
        ("gid_map", f"65534 {group} 1"),
    ):  # fmt: skip
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _show(root, source, target, writable=False):
    """Let a file or a folder be seen inside."""
    place = root + target
    if os.path.isdir(source):
        os.makedirs(place, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.close(os.open(place, os.O_CREAT, 0o444))
    _mount(source, place, "", _BIND | _RECURSIVE)
    if not writable:
        # struct mount_attr: what is set, what is cleared, propagation, user namespace
        attributes = (ctypes.c_uint64 * 4)(_READ_ONLY, 0, 0, 0)
        done = _libc.syscall(
            _MOUNT_SETATTR, _HERE, place.encode(), _ALL, ctypes.byref(attributes), 32
        )
        _demand(done, f"make {target} read-only")


def _furnish(root, settings):
    """Make a file system of what is to be seen."""
    _mount("", "/", "", _RECURSIVE | _PRIVATE)
    _mount("tmpfs", root, "tmpfs", _NO_SETUID | _NO_DEVICES, "size=16m,mode=755")
    for source, target in settings["shown"]:
        _show(root, source, target)
    for target in settings["hidden"]:
        _mount("tmpfs", root + target, "tmpfs", _READ_ONLY, "size=4k,mode=755")
    for target, source in settings["links"]:
        os.symlink(source, root + target)
    for name in ("null", "zero", "random", "urandom"):
        _show(root, f"/dev/{name}", f"/dev/{name}", writable=True)
    os.makedirs(f"{root}/tmp", exist_ok=True)
    os.makedirs(f"{root}/old")
    options = "size=16m,mode=1777"
    _mount("tmpfs", f"{root}/tmp", "tmpfs", _NO_SETUID | _NO_DEVICES, options)
    number = _PIVOT_ROOT[os.uname().machine]
    done = _libc.syscall(number, root.encode(), f"{root}/old".encode())
    _demand(done, "pivot_root")
    os.chdir("/tmp")
    _demand(_libc.umount2(b"/old", 2), "leave the old root")
    _demand(
        _libc.mount(None, b"/", None, 32 | _READ_ONLY | _BIND, None), "read-only root"
    )


def main():
    """Run ``jail.py SETTINGS COMMAND...``; end as the command ends."""
    settings, command = json.loads(sys.argv[1]), sys.argv[2:]
    _leave()
    child = os.fork()
    if child == 0:
        _libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        _furnish(settings["root"], settings)
        os.execve(command[0], command, settings["environment"])
    for standard in (0, 1):  # or the judge would not see that the command has ended
        os.close(standard)
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


if __name__ == "__main__":
    main()
