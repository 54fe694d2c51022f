"""What a worker gives up before it runs a student's code, for good.

It stands alone, like the worker: the standard library.
"""

import ctypes
import errno
import os
import platform
import struct
import sys

_NO_NEW_PRIVILEGES, _DIE_WITH_PARENT, _SECCOMP, _KILL = 38, 1, 22, 9
_FILTER, _JOIN_SESSION_KEYRING = 2, 1

# Calls of the kernel that no answer needs, and that lead out of a sandbox or round a
# limit, with their numbers on x86-64 and on the processors that came later.
_REFUSED = {
    # new namespaces and file systems
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    # sockets: those that stay outside a network namespace too
    "socket": (41, 198), "socketpair": (53, 199),
    # keys of the kernel, which no namespace keeps apart
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # memory that no limit counts
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
    "msgget": (68, 186), "semget": (64, 190),
    # other processes, and what has a history of faults
    "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "open_by_handle_at": (304, 265), "perf_event_open": (298, 241), "bpf": (321, 280),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
}  # fmt: skip
_CLONE, _CLONE3 = (56, 220), 435
_NAMESPACES = 0x7E020000  # the flags of clone that ask for a namespace
_KEYCTL = (250, 219)
# Each processor's mark in a filter, and the column of its numbers.
_PROCESSORS = {
    "x86_64": (0xC000003E, 0),
    "aarch64": (0xC00000B7, 1),
    "riscv64": (0xC00000F3, 1),
}


def drop(settings):
    """Take limits, another user, a keyring of one's own, and a filter of kernel calls.

    Parameters
    ----------
    settings : dict
        ``limits`` by name, ``user`` or None, and whether it is ``sandboxed``: then what
        cannot be given up ends the worker.
    """
    import resource  # Windows has none

    for name, most in settings["limits"].items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        lower = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (lower, lower))
        except ValueError:
            if sys.platform == "linux":  # macOS, which has no sandbox, lacks some
                raise
    if os.getuid() == 0 and settings["user"] is not None:
        user = settings["user"]
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    if sys.platform == "linux":
        _drop_on_linux(settings["sandboxed"])


def _drop_on_linux(sandboxed):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    libc.prctl(_DIE_WITH_PARENT, _KILL, 0, 0, 0)
    if not sandboxed:
        return
    mark, column = _PROCESSORS[platform.machine()]
    joined = libc.syscall(_KEYCTL[column], _JOIN_SESSION_KEYRING, None)
    # A kernel or a container without keys has none to hide.
    if joined < 0 and ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):
        raise OSError(ctypes.get_errno(), "no keyring of its own")
    program = filter_program(mark, column)
    kept = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("HP", len(program) // 8, ctypes.addressof(kept))
    if libc.prctl(_SECCOMP, _FILTER, described, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no filter of kernel calls")


def filter_program(mark, column):
    """Write the filter: instructions of 8 bytes, which the kernel runs at each call.

    Parameters
    ----------
    mark : int
        The processor's. Calls in the form of another one end the process.
    column : int
        Which numbers of ``_REFUSED`` are this processor's.

    Returns
    -------
    bytes
        A program that refuses, and allows all else.
    """
    load, equal, at_least, any_bit, give = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, end, refuse = 0x7FFF0000, 0x80000000, 0x00050000
    number, processor, first_argument = 0, 4, 16

    def step(code, value, if_true=0, if_false=0):
        return struct.pack("HBBI", code, if_true, if_false, value)

    program = [
        step(load, processor), step(equal, mark, 1, 0), step(give, end),
        step(load, number),
        # Numbers that begin here are a second set of calls on x86-64.
        step(at_least, 0x40000000, 0, 1), step(give, end),
        # What the filter cannot see into is missing: the library then takes clone.
        step(equal, _CLONE3, 0, 1), step(give, refuse | errno.ENOSYS),
    ]  # fmt: skip
    for numbers in _REFUSED.values():
        program += [
            step(equal, numbers[column], 0, 1), step(give, refuse | errno.EPERM),
        ]  # fmt: skip
    program += [
        step(equal, _CLONE[column], 0, 3), step(load, first_argument),
        step(any_bit, _NAMESPACES, 0, 1), step(give, refuse | errno.EPERM),
        step(give, allow),
    ]  # fmt: skip
    return b"".join(program)
