/* A session: a device, and the worker that serves it. */
#ifndef GB_WORKER_DEVICES_H
#define GB_WORKER_DEVICES_H

#include "bench/worker/search.h"

typedef struct gb_session gb_session;

struct gb_session {
    gb_worker *worker;       /* alive and selected; NULL while it rests */
    gb_catalogue *catalogue; /* of this worker */
    const gb_catalogue_device *device;
    gb_device_set set; /* the devices that work together, of which it is the first; empty: alone */
    gb_under under;    /* the conditions that the device is used under */
    char command[GB_WORKER_COMMAND];
    cJSON *ceilings;          /* the answer to `select`, kept for the meta file */
    cJSON *links;             /* what was measured between the set's devices; NULL: not asked yet */
    double copy_bytes_per_s;  /* 0: unknown */
    double blocks_per_s;      /* likewise */
    double memory_free_bytes; /* of the device with no job open; 0: unknown */
    char note[320];           /* what a restart had to do about trouble; empty: nothing */
    bool used, used_up;       /* the worker has had a job; one that nobody may follow */
    gb_session *other;        /* another worker on the same device (other_worker.h); NULL: none */
    char no_other[400];       /* why there is none, where one was looked for */
    cJSON *tuning; /* what variants that choose go by (tuning.h); NULL: no worker was told yet */
    cJSON *tuning_requests; /* by which it was told */
    const cJSON *provided;  /* what its worker has made a primitive from (provide.h); NULL: none */
};

/* Opens the device that a wish names, of the worker that search.h chooses; what people should know
 * of the choice goes to stderr. False and *error, whose status search.h has. */
bool gb_session_open(gb_session *session, const gb_wish *wish, gb_error *error);
/* The same without selecting the device, which measures its ceilings: for looking at it only. */
bool gb_session_find(gb_session *session, const gb_wish *wish, gb_error *error);
/* Makes a session of a choice among workers that were asked, whose worker it takes over. */
void gb_session_take(gb_session *session, gb_asked *asked, const gb_worker_choice *choice);
/* What lies between the two: selects the device of a session that was found. */
bool gb_session_select(gb_session *session, gb_error *error);
/* The request by which it does; the caller deletes it. */
cJSON *gb_select_request(const gb_session *session);
/* Has the selected worker measure what passes between the devices of the set (of the simt device:
 * its simulated ones): session->links, which has `reason` alone where there is no answer to that.
 * Asked once. False and *error where the worker has not lived through it. */
bool gb_session_measure_links(gb_session *session, gb_error *error);
/* Stops the worker, so that it holds nothing of the device while others are measured. */
void gb_session_rest(gb_session *session);
/* The device's name, and behind it the conditions that it is used under: "NVIDIA H200 (64
 * multiprocessors)". Returns text. */
enum { GB_SESSION_DEVICE = 256 };
char *gb_session_device(const gb_session *session, char text[GB_SESSION_DEVICE]);
/* Has the worker there and the device selected, whether it rested or was only found. */
bool gb_session_wake(gb_session *session, gb_error *error);
/* Replaces the worker by a fresh one on the same device. A device whose last process was killed may
 * not be there at once: a few attempts, some seconds apart at last, and some seconds more for
 * memory that is still taken; session->note says so. False and *error after that: session->worker
 * is NULL. */
bool gb_session_restart(gb_session *session, gb_error *error);
/* Whether a job needs a worker that is fresher than this one: one was here that nobody may follow,
 * or it wants a worker of its own (gb_catalogue_variant.fresh_worker) and another was here. */
bool gb_session_too_used(const gb_session *session, bool wants_fresh);
/* To be said before every job. A restart forgets it. */
void gb_session_use(gb_session *session, bool wants_fresh);
/* True if so much less memory is free than with no job open before that it matters. */
bool gb_session_lacks_memory(const gb_session *session, double free_bytes);
void gb_session_close(gb_session *session);

#endif
