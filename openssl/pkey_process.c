/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which process is this?  What a child has from its parent is a copy, in which others may have been in the middle of something.
 *
 * The process's number doesn't tell: in another namespace a child may have the same one as its parent, and it's a system call.  So
 * there is a page that fork() empties for the child (MADV_WIPEONFORK, Linux 4.14).  The child writes a number there that no parent
 * of it has had.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "pkey.h"

static size_t page_len(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static atomic_uint *new_page(void)
{
    const size_t len = page_len();
    void *page = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return NULL;
    /* QEMU's emulation of programs takes any advice, even one that there isn't, and follows none (seen with 7.2). */
    if (madvise(page, len, -1) != 0 && madvise(page, len, MADV_WIPEONFORK) == 0)
        return page;
    munmap(page, len);
    return NULL;
}

unsigned lcp_process(void)
{
    static atomic_uint no_page; /* where the system has none of this kind: the process's number has to do */
    static _Atomic(atomic_uint *) all_page;
    static atomic_uint last; /* of all so far; a child begins with its parent's */
    atomic_uint *page = atomic_load_explicit(&all_page, memory_order_acquire);
    unsigned number = 0, next;

    if (!page) {
        atomic_uint *mine = new_page();

        if (!mine)
            mine = &no_page;
        if (atomic_compare_exchange_strong(&all_page, &page, mine))
            page = mine;
        else if (mine != &no_page)
            munmap(mine, page_len()); /* another thread was faster */
    }
    if (page == &no_page)
        return (unsigned)getpid();
    number = atomic_load_explicit(page, memory_order_relaxed);
    if (number)
        return number;
    next = atomic_fetch_add(&last, 1) + 1;
    return atomic_compare_exchange_strong(page, &number, next) ? next : number;
}
