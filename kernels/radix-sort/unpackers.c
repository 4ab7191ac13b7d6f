/* The threads that unpack, and the queue between them and the one that drives the device. */
#include "kernels/radix-sort/unpackers.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 256 };

struct rs_unpackers {
    rs_shape shape;
    bool (*arrive)(void *context, unsigned seat);
    void *context;
    unsigned seats;
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    /* all below under the lock */
    rs_slice *queue;         /* a ring of `seats` slices */
    unsigned first, waiting; /* of the queue */
    unsigned *free_seats, free_count;
    unsigned busy; /* slices that a thread has taken up */
    bool lost, quit;
    unsigned thread_count;
    pthread_t threads[MOST_THREADS];
};

static void *unpack_slices(void *argument)
{
    rs_unpackers *u = argument;
    pthread_mutex_lock(&u->lock);
    for (;;) {
        while (u->waiting == 0 && !u->quit)
            pthread_cond_wait(&u->work, &u->lock);
        if (u->waiting == 0) break;
        const rs_slice slice = u->queue[u->first];
        u->first = (u->first + 1) % u->seats;
        u->waiting--;
        u->busy++;
        pthread_mutex_unlock(&u->lock);

        bool there = u->arrive(u->context, slice.seat);
        if (there) rs_unpack(&u->shape, slice.records, slice.count, slice.keys);

        pthread_mutex_lock(&u->lock);
        u->lost |= !there;
        u->free_seats[u->free_count++] = slice.seat;
        if (--u->busy == 0 && u->waiting == 0) pthread_cond_broadcast(&u->idle);
    }
    pthread_mutex_unlock(&u->lock);
    return NULL;
}

int rs_unpackers_take_seat(rs_unpackers *u)
{
    pthread_mutex_lock(&u->lock);
    int seat = u->free_count > 0 ? (int)u->free_seats[--u->free_count] : -1;
    pthread_mutex_unlock(&u->lock);
    return seat;
}

void rs_unpackers_add(rs_unpackers *u, const rs_slice *slice)
{
    pthread_mutex_lock(&u->lock);
    u->queue[(u->first + u->waiting) % u->seats] = *slice;
    u->waiting++;
    pthread_cond_signal(&u->work);
    pthread_mutex_unlock(&u->lock);
}

bool rs_unpackers_drain(rs_unpackers *u)
{
    pthread_mutex_lock(&u->lock);
    while (u->waiting > 0 || u->busy > 0)
        pthread_cond_wait(&u->idle, &u->lock);
    bool all = !u->lost;
    pthread_mutex_unlock(&u->lock);
    return all;
}

static unsigned wanted_threads(void)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    if (cores > MOST_THREADS) cores = MOST_THREADS;
    return cores > 1 ? (unsigned)cores - 1 : 1;
}

gb_status rs_unpackers_start(const rs_shape *shape, unsigned seats,
                             bool (*arrive)(void *context, unsigned seat), void *context,
                             rs_unpackers **out, gb_error *error)
{
    rs_unpackers *u = calloc(1, sizeof *u);
    *out = NULL;
    if (!u) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the unpacking threads");
    u->shape = *shape;
    u->arrive = arrive;
    u->context = context;
    u->seats = u->free_count = seats;
    pthread_mutex_init(&u->lock, NULL);
    pthread_cond_init(&u->work, NULL);
    pthread_cond_init(&u->idle, NULL);
    u->queue = calloc(seats, sizeof *u->queue);
    u->free_seats = calloc(seats, sizeof *u->free_seats);
    if (!u->queue || !u->free_seats) {
        rs_unpackers_stop(u);
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the unpacking threads");
    }
    for (unsigned i = 0; i < seats; i++)
        u->free_seats[i] = i;
    for (unsigned wanted = wanted_threads(); u->thread_count < wanted; u->thread_count++) {
        int code = pthread_create(&u->threads[u->thread_count], NULL, unpack_slices, u);
        if (code == 0) continue;
        rs_unpackers_stop(u);
        return gb_fail(error, GB_OUT_OF_MEMORY, "no thread to unpack with: %s", strerror(code));
    }
    *out = u;
    return GB_OK;
}

void rs_unpackers_stop(rs_unpackers *u)
{
    if (!u) return;
    pthread_mutex_lock(&u->lock);
    u->quit = true;
    pthread_cond_broadcast(&u->work);
    pthread_mutex_unlock(&u->lock);
    for (unsigned i = 0; i < u->thread_count; i++)
        pthread_join(u->threads[i], NULL);
    pthread_cond_destroy(&u->idle);
    pthread_cond_destroy(&u->work);
    pthread_mutex_destroy(&u->lock);
    free(u->queue);
    free(u->free_seats);
    free(u);
}
