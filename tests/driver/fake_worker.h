/* The two halves of the fake worker: its answers, and how it spoils them. */
#ifndef GB_TESTS_DRIVER_FAKE_WORKER_H
#define GB_TESTS_DRIVER_FAKE_WORKER_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* "hang-sample": hangs at its first request for samples. */
typedef struct fake_fault {
    char what[32], when[32];
} fake_fault;

typedef struct fake_job {
    double id;
    fake_fault fault;
    unsigned verified, sampled;
} fake_job;

/* fake_worker.c */
void fake_refuse(cJSON *answer, const char *status, const char *reason);

/* fake_worker_faults.c: the names of all faults, NULL-terminated. */
extern const char *const fake_faults[];
/* Before the answer is made: hangs, dies, floods, refuses. False: send what answer is now. */
bool fake_spoil(const fake_fault *fault, cJSON *answer, unsigned jobs);
/* Changes an answer that is complete into a lie. */
void fake_lie(const fake_fault *fault, cJSON *answer);
/* Sends the answer as the fault has it: half of it, twice, an old one instead. */
void fake_send(const fake_fault *fault, const char *cmd, const cJSON *answer);

#endif
