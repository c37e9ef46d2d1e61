/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#define _GNU_SOURCE
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_NS 100000000 /* ten times a second */
#define BAR_WIDTH 20

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void progress_start(struct progress *p, uint64_t total, bool quiet, const char *at_end)
{
    p->total = total;
    p->at_end = at_end;
    p->unit = NULL;
    atomic_init(&p->done, 0);
    p->started = now_ns();
    p->shown = !quiet && isatty(STDERR_FILENO);
    pthread_mutex_init(&p->drawing, NULL);
    p->drawn = 0;
}

double progress_seconds(const struct progress *p)
{
    uint64_t ns = now_ns() - p->started;

    return (double)(ns ? ns : 1) / 1e9;
}

static void draw(const struct progress *p, uint64_t done)
{
    static const char full[] = "####################", empty[] = "....................";
    double share = (double)done / (double)p->total;
    double unit = p->unit ? 1 : p->total < 100000000 ? 1e6 : 1e9;
    const char *name = p->unit ? p->unit : p->total < 100000000 ? "MB" : "GB";
    const int digits = p->unit ? 0 : 2;
    double rate = (double)done / progress_seconds(p);
    uint64_t left = rate > 0 ? (uint64_t)((double)(p->total - done) / rate) : 0;
    int filled = (int)(share * BAR_WIDTH);
    char line[160], eta[40];
    struct winsize window;
    size_t columns = 80;

    /* Say why the program is not ending. */
    if (done == p->total)
        snprintf(eta, sizeof(eta), "%s", p->at_end);
    else
        snprintf(eta, sizeof(eta), "ETA %u:%02u:%02u", (unsigned)(left / 3600), (unsigned)(left / 60 % 60), (unsigned)(left % 60));
    snprintf(line, sizeof(line), "[%.*s%.*s] %3d%%  %.*f/%.*f %s  %.*f %s/s  %s", filled, full, BAR_WIDTH - filled, empty,
             (int)(share * 100), digits, (double)done / unit, digits, (double)p->total / unit, name, digits, rate / unit, name,
             eta);

    /* A line that wraps could not be drawn over: cut it to the terminal's width. */
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        columns = window.ws_col;
    if (columns <= strlen(line))
        line[columns - 1] = '\0';
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

void progress_add(struct progress *p, uint64_t len)
{
    uint64_t done = atomic_fetch_add(&p->done, len) + len;
    uint64_t now;

    if (done > p->total) /* a file that grows */
        done = p->total;

    /* Whoever finds another thread drawing goes back to work; only the very last bytes wait for it. */
    if (!p->shown)
        return;
    if (done == p->total)
        pthread_mutex_lock(&p->drawing);
    else if (pthread_mutex_trylock(&p->drawing) != 0)
        return;
    now = now_ns();
    if (p->drawn == 0 || now - p->drawn >= REDRAW_NS || done == p->total) {
        p->drawn = now;
        draw(p, done);
    }
    pthread_mutex_unlock(&p->drawing);
}

void progress_finish(struct progress *p)
{
    if (p->shown && p->drawn != 0)
        fputs("\r\033[K", stderr);
    pthread_mutex_destroy(&p->drawing);
}
