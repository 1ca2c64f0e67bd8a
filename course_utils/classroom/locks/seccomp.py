"""Refuse system calls: no process, no network, no signal, no debugger, no change of a file's owner.

A filter of seccomp, written as the kernel reads it. It cannot be taken off again, and it holds for
everything that runs later in this process. Numbers are those of Linux on x86_64 and aarch64.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys

NATIVE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH of linux/audit.h
COLUMN = {"x86_64": 0, "aarch64": 1}
REFUSED = {  # name: (x86_64, aarch64), None where the architecture has no such call
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200),
    "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "kcmp": (312, 272), "setsid": (112, 157),
    "setpgid": (109, 154), "setpriority": (141, 140), "sched_setscheduler": (144, 119),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "open_tree": (428, 428),
    "move_mount": (429, 429), "fsopen": (430, 430), "mount_setattr": (442, 442),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "setrlimit": (160, 164), "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53),
    "fchmodat2": (452, 452), "chown": (92, None), "fchown": (93, 55), "lchown": (94, None),
    "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None), "futimesat": (261, None),
    "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "shmget": (29, 194), "shmat": (30, 196), "semget": (64, 190), "msgget": (68, 186),
    "mq_open": (240, 180), "open_by_handle_at": (304, 265), "reboot": (169, 142),
    "truncate": (76, 45), "kexec_load": (246, 104),
    "init_module": (175, 105), "finit_module": (313, 273),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30), "migrate_pages": (256, 238), "move_pages": (279, 239),
    "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171),
    "clock_adjtime": (305, 266), "sethostname": (170, 161), "setdomainname": (171, 162),
    "swapon": (167, 224), "swapoff": (168, 225), "iopl": (172, None), "ioperm": (173, None),
    "delete_module": (176, 106), "kexec_file_load": (320, 294), "acct": (163, 89),
    "syslog": (103, 116), "quotactl": (179, 60), "mknod": (133, None), "mknodat": (259, 33),
    "setuid": (105, 146), "setgid": (106, 144), "capset": (126, 91), "personality": (135, 92),
}  # fmt: skip
CLONE, CLONE3, PRLIMIT, FCNTL = (56, 220), (435, 435), (302, 261), (72, 25)
CLONE_THREAD = 0x10000
SIGNALLING = (8, 10, 15, 1024, 1026)  # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # of linux/bpf_common.h
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
CALL, ARCHITECTURE, FIRST, SECOND, THIRD = 0, 4, 16, 24, 32  # places in struct seccomp_data
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER = 22, 38, 2
Step = tuple[int, int, int, int]  # what, how far to go if so, if not, with which number


def refuse_calls() -> bool:
    """Refuse the calls from now on; return whether this system can."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in NATIVE:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return False
    steps = b"".join(struct.pack("HBBI", *step) for step in program(machine))
    code = ctypes.create_string_buffer(steps)
    length = len(steps) // 8
    head = struct.pack("HxxxxxxQ", length, ctypes.addressof(code))
    return not libc.prctl(PR_SET_SECCOMP, FILTER, ctypes.create_string_buffer(head), 0, 0)


def program(machine: str) -> list[Step]:
    """Return the filter's steps for an architecture."""
    column = COLUMN[machine]
    steps: list[Step] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, NATIVE[machine]),
        (RETURN, 0, 0, KILL),  # another architecture's numbers mean other calls
        (LOAD, 0, 0, CALL),
    ]
    if machine == "x86_64":
        steps += [(AT_LEAST, 0, 1, 0x40000000), (RETURN, 0, 0, KILL)]  # x32's numbers
    for numbers in REFUSED.values():
        if (number := numbers[column]) is not None:
            steps += [(EQUAL, 0, 1, number), _error(errno.EPERM)]
    return [
        *steps,
        (EQUAL, 0, 1, CLONE3[column]),
        _error(errno.ENOSYS),  # libc then takes clone, whose flags can be seen
        (EQUAL, 0, 4, CLONE[column]),
        (LOAD, 0, 0, FIRST),
        (ANY_BIT, 0, 1, CLONE_THREAD),
        (RETURN, 0, 0, ALLOW),  # a thread of this process
        _error(errno.EPERM),
        (EQUAL, 0, len(SIGNALLING) + 3, FCNTL[column]),
        (LOAD, 0, 0, SECOND),
        *((EQUAL, len(SIGNALLING) - k, 0, what) for k, what in enumerate(SIGNALLING)),
        (RETURN, 0, 0, ALLOW),
        _error(errno.EPERM),  # a file that sends its owner's signals, or keeps others waiting
        (EQUAL, 0, 5, PRLIMIT[column]),
        (LOAD, 0, 0, THIRD),
        (EQUAL, 0, 2, 0),
        (LOAD, 0, 0, THIRD + 4),
        (EQUAL, 1, 0, 0),
        _error(errno.EPERM),  # limits may be read, not set
        (RETURN, 0, 0, ALLOW),
    ]


def _error(number: int) -> Step:
    return RETURN, 0, 0, ERRNO | number
