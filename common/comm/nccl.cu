/* NCCL: see nccl.h. */
#include "common/comm/nccl.h"

#include "common/cuda/set.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__CUDACC__)

static gb_nccl nccl;
static bool tried, there;
static char reason[512];

/* Whether a function is there; POSIX lets dlsym's object pointer be one to a function. */
static bool load(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, size);
    if (!symbol) snprintf(reason, sizeof reason, "the NCCL that is here has no %s", name);
    return symbol != NULL;
}
#define LOAD(member, name) load(library, name, &nccl.member, sizeof nccl.member)

static bool open_library()
{
    const char *named = getenv("GPUBENCH_NCCL");
    const char *path = named && *named ? named : "libnccl.so.2";
    /* Multicast over NVLink takes memory of the whole switch: only who wants it has it. */
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        snprintf(reason, sizeof reason,
                 "NCCL is not here (%s): install it, or name its libnccl.so.2 by GPUBENCH_NCCL",
                 why ? why : path);
        return false;
    }
    return LOAD(version, "ncclGetVersion") && LOAD(error_string, "ncclGetErrorString") &&
           LOAD(init_all, "ncclCommInitAll") && LOAD(make_id, "ncclGetUniqueId") &&
           LOAD(init_rank, "ncclCommInitRank") && LOAD(destroy, "ncclCommDestroy") &&
           LOAD(abort, "ncclCommAbort") && LOAD(group_start, "ncclGroupStart") &&
           LOAD(group_end, "ncclGroupEnd") && LOAD(send, "ncclSend") && LOAD(receive, "ncclRecv") &&
           LOAD(all_gather, "ncclAllGather") && LOAD(all_reduce, "ncclAllReduce");
}

const gb_nccl *gb_nccl_get(const char **why)
{
    if (!tried) there = open_library();
    tried = true;
    *why = there ? "" : reason;
    return there ? &nccl : NULL;
}

gb_status gb_nccl_status(int result, const char *what, gb_error *error)
{
    if (!result) return GB_OK;
    return gb_fail(error, GB_CRASHED, "%s by NCCL: %s", what, nccl.error_string(result));
}

gb_status gb_nccl_open(const int *devices, unsigned count, gb_nccl_comm **out, gb_error *error)
{
    typedef struct made {
        int devices[GB_MOST_RANKS];
        gb_nccl_comm comms[GB_MOST_RANKS];
    } made;
    static made *known[GB_MOST_RANKS + 1]; /* by how many there are */
    const char *why;
    *out = NULL;
    if (!gb_nccl_get(&why)) return gb_fail(error, GB_UNSUPPORTED, "%s", why);
    made *m = known[count];
    if (m && memcmp(m->devices, devices, count * sizeof *devices) == 0) {
        *out = m->comms;
        return GB_OK;
    }
    for (unsigned i = 0; m && i < count; i++)
        (void)nccl.destroy(m->comms[i]);
    free(m);
    known[count] = NULL;
    m = static_cast<made *>(calloc(1, sizeof *m));
    if (!m) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for NCCL's communicators");
    memcpy(m->devices, devices, count * sizeof *devices);
    gb_status status =
        gb_nccl_status(nccl.init_all(m->comms, (int)count, devices), "making communicators", error);
    if (status != GB_OK) {
        free(m);
        return status;
    }
    known[count] = m;
    *out = m->comms;
    return GB_OK;
}

#else

/* The simt device passes data by copies, whoever is asked to carry them. */
const gb_nccl *gb_nccl_get(const char **why)
{
    *why = "";
    return NULL;
}

gb_status gb_nccl_status(int, const char *, gb_error *)
{
    return GB_OK;
}

gb_status gb_nccl_open(const int *, unsigned, gb_nccl_comm **out, gb_error *)
{
    *out = NULL;
    return GB_OK;
}

#endif
