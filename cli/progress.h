/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A progress bar on stderr, shown only if that is a terminal. */
#ifndef LANECRYPT_PROGRESS_H
#define LANECRYPT_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
    uint64_t total;          /* bytes, or of what `unit` says */
    _Atomic uint64_t done;
    const char *unit;        /* NULL for bytes; it may be set after progress_start() */
    uint64_t started;        /* nanoseconds of CLOCK_MONOTONIC */
    bool shown;
    const char *at_end;      /* what happens when all is done, before the program ends */
    pthread_mutex_t drawing; /* guards `drawn` and the terminal's line */
    uint64_t drawn;          /* when the bar was drawn last; 0: never */
};

/* Start the clock. `quiet` hides the bar even on a terminal.  at_end: see above. */
void progress_start(struct progress *p, uint64_t total, bool quiet, const char *at_end);

/* Count len more bytes or units as done and redraw the bar at most ten times a second. Any thread may call this. */
void progress_add(struct progress *p, uint64_t len);

/* Erase the bar, so that a message can take its line. No thread may be adding any more. */
void progress_finish(struct progress *p);

/* Seconds since progress_start(); never 0, so that a rate can be had from it. */
double progress_seconds(const struct progress *p);

#endif
