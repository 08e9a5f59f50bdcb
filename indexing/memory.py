"""Give memory back to the system that the allocator keeps for what may come next."""

import ctypes

LARGE_BYTES = 2 << 20

_MMAP_THRESHOLD = -3  # M_MMAP_THRESHOLD of malloc.h
_THP_DISABLE = 41  # PR_SET_THP_DISABLE of Linux's prctl.h
_PURGE_ALL = b"arena.4096.purge"  # MALLCTL_ARENAS_ALL of jemalloc.h


def give_back() -> None:
    """Give back what is free, some milliseconds of work; other threads run meanwhile.

    To be called behind what takes much and needs it no more.
    """
    # Only the GNU C library and jemalloc, which readers use, keep so much. Each has a function for
    # it, that of the library stays beside that of jemalloc.
    process = ctypes.CDLL(None)
    purge = getattr(process, "mallctl", None)
    trim = getattr(process, "malloc_trim", None)
    if purge is not None:
        purge(_PURGE_ALL, None, None, None, ctypes.c_size_t(0))
    elif trim is not None:
        trim(0)


def keep_no_large_pieces() -> None:
    """Let this process and its forks give large pieces back as soon as each is free.

    Else the C library learns from the first of them to keep them: recognising a page then takes
    270 MB and holds 110 of them, in place of 180 and 13, in the same time; and the API holds
    another 12 MB, of its model and of an upload.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_MMAP_THRESHOLD, LARGE_BYTES)


def take_small_pages() -> None:
    """Let the system give this process no huge pages any more, of which some stay half empty."""
    set_option = getattr(ctypes.CDLL(None), "prctl", None)
    if set_option is not None:
        set_option(_THP_DISABLE, 1, 0, 0, 0)
