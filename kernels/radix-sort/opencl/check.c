/* Judges an output in full, on the host: order, stability through the payload, multiset of
 * elements; up to RS_EXACT_LIMIT elements also element by element against the oracle, which shows
 * the stability of bare keys that are sorted by some of their bits. What lies on the device is read
 * back in slices. */
#include "kernels/radix-sort/opencl/data.h"

#include <stdlib.h>
#include <string.h>

/* Elements somewhere: payload is NULL where there is none. */
typedef struct elements {
    bool on_host;
    const void *keys; /* a buffer of the device, or an array */
    const uint32_t *payload;
} elements;

static elements output_of(const gb_job *job)
{
    const gb_problem *p = job->problem;
    if (rs_output_on_host(job)) return (elements){true, p->host_keys_out, p->host_payload_out};
    return (elements){false, p->keys_out, p->payload_out};
}

/* The input that the variant could have changed. */
static elements input_of(const gb_job *job)
{
    const gb_problem *p = job->problem;
    if (p->keys_in && !(job->variant->flags & GB_HOST))
        return (elements){false, p->keys_in, p->payload_in};
    return (elements){true, p->host_keys_in, p->host_payload_in};
}

/* Copies count things of so many bytes, from the one numbered begin, to the host. */
static gb_status fetch_array(const elements *from, const void *array, uint64_t begin,
                             uint64_t count, size_t size, void *to, gb_error *error)
{
    if (count == 0) return GB_OK;
    if (from->on_host) {
        memcpy(to, (const char *)array + begin * size, count * size);
        return GB_OK;
    }
    return gb_opencl_status(clEnqueueReadBuffer(gb_opencl_selected()->queue, rs_buffer(array),
                                                CL_TRUE, begin * size, count * size, to, 0, NULL,
                                                NULL),
                            "reading elements back", error);
}

static gb_status fetch(const rs_shape *shape, const elements *from, uint64_t begin, uint64_t count,
                       void *keys, uint32_t *payload, gb_error *error)
{
    const size_t size = rs_key_bytes(shape->type);
    gb_status status = fetch_array(from, from->keys, begin, count, size, keys, error);
    if (status == GB_OK && from->payload)
        status = fetch_array(from, from->payload, begin, count, 4, payload, error);
    return status;
}

/* ---- looking at an array --------------------------------------------------------------------- */

typedef struct element {
    uint64_t key;
    uint32_t payload;
} element;

/* What was seen of an array: its fingerprint, and the first pair of neighbours that is out of order
 * and the first that is out of its input's order, each by the right one's index; 0: none. */
typedef struct findings {
    rs_hash sum;
    uint64_t misplaced, unstable;
    element misplaced_pair[2], unstable_pair[2];
} findings;

/* Adds element i. before: the one on its left, if i > 0. */
static void look(const rs_shape *shape, uint64_t i, const element *before, const element *now,
                 findings *found)
{
    rs_hash_add(&found->sum, i, now->key, now->payload);
    if (i == 0) return;
    const uint64_t left = rs_field(shape, before->key), right = rs_field(shape, now->key);
    if (left > right && !found->misplaced) {
        found->misplaced = i;
        found->misplaced_pair[0] = *before;
        found->misplaced_pair[1] = *now;
    }
    if (left == right && before->payload >= now->payload && !found->unstable) {
        found->unstable = i;
        found->unstable_pair[0] = *before;
        found->unstable_pair[1] = *now;
    }
}

/* A slice in host memory that all cores look at. */
typedef struct looking {
    const rs_shape *shape;
    uint64_t first; /* the index of its first element */
    element before; /* the one before that, if first > 0 */
    const void *keys;
    const uint32_t *payload; /* or NULL */
    findings found[RS_MOST_THREADS];
} looking;

static element element_of(const looking *l, uint64_t i)
{
    return (element){rs_load_key(l->shape->type, l->keys, i), l->payload ? l->payload[i] : 0};
}

static void look_at_part(void *context, unsigned thread, uint64_t begin, uint64_t end)
{
    looking *l = context;
    findings found = {.sum = {0, 0, 0}};
    element before = begin > 0 ? element_of(l, begin - 1) : l->before;
    for (uint64_t i = begin; i < end; i++) {
        const element now = element_of(l, i);
        look(l->shape, l->first + i, &before, &now, &found);
        before = now;
    }
    l->found[thread] = found;
}

/* Adds what a later part found. */
static void add_findings(findings *all, const findings *part)
{
    all->sum.a += part->sum.a;
    all->sum.b += part->sum.b;
    all->sum.ordered += part->sum.ordered;
    if (!all->misplaced && part->misplaced) {
        all->misplaced = part->misplaced;
        memcpy(all->misplaced_pair, part->misplaced_pair, sizeof all->misplaced_pair);
    }
    if (!all->unstable && part->unstable) {
        all->unstable = part->unstable;
        memcpy(all->unstable_pair, part->unstable_pair, sizeof all->unstable_pair);
    }
}

static gb_status look_at(const gb_problem *p, const elements *all, findings *found, gb_error *error)
{
    const uint64_t n = p->shape.n, slice = n < RS_SLICE ? n : (uint64_t)RS_SLICE;
    const size_t size = rs_key_bytes(p->shape.type);
    looking l = {.shape = &p->shape};
    *found = (findings){.sum = {0, 0, 0}};
    char *keys = malloc(slice * (size + 4) + 8);
    if (!keys) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to check");
    uint32_t *payload = (uint32_t *)(void *)(keys + slice * size);
    gb_status status = GB_OK;
    for (uint64_t begin = 0; status == GB_OK && begin < n; begin += slice) {
        const uint64_t count = n - begin < slice ? n - begin : slice;
        status = fetch(&p->shape, all, begin, count, keys, payload, error);
        l.first = begin;
        l.keys = keys;
        l.payload = all->payload ? payload : NULL;
        memset(l.found, 0, sizeof l.found);
        if (status == GB_OK) status = rs_share_out(count, look_at_part, &l, error);
        if (status != GB_OK) break;
        for (unsigned i = 0; i < RS_MOST_THREADS; i++)
            add_findings(found, &l.found[i]);
        l.before = element_of(&l, count - 1);
    }
    free(keys);
    return status;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Other variants use the same input: one that changed it is named and the input made again. */
static gb_status check_input(gb_job *job)
{
    const gb_problem *p = job->problem;
    const rs_data *data = p->checker;
    const elements input = input_of(job);
    findings now;
    if (!input.keys)
        return gb_fail(&job->error, GB_CRASHED, "%s asked for no data", job->variant->name);
    gb_status status = look_at(p, &input, &now, &job->error);
    if (status != GB_OK) return status;
    if (memcmp(&now.sum, &data->truth, sizeof now.sum) == 0) return GB_OK;
    status = input.on_host
                 ? rs_make_slice(p, 0, p->shape.n, p->host_keys_in, p->host_payload_in, &job->error)
                 : rs_fill_device(p, &job->error);
    if (status != GB_OK) return status;
    return gb_fail(&job->error, GB_WRONG, "%s changed its input, which others share",
                   job->variant->name);
}

static gb_status refuse_order(gb_job *job, const findings *found)
{
    const int digits = (int)(2 * rs_key_bytes(job->problem->shape.type));
    const unsigned long long at = found->misplaced;
    return gb_fail(&job->error, GB_WRONG,
                   "not sorted: keys_out[%llu] = 0x%0*llx belongs before keys_out[%llu] = 0x%0*llx",
                   at, digits, (unsigned long long)found->misplaced_pair[1].key, at - 1, digits,
                   (unsigned long long)found->misplaced_pair[0].key);
}

/* Element by element, against the oracle: a stable variant must give its sequence. Others agree
 * with it in the fields alone, and that was seen already. */
static gb_status compare(const gb_problem *p, const elements *output, char *memory, gb_error *error)
{
    const uint64_t n = p->shape.n;
    char *right = memory, *found = right + n * 8, *scratch = found + n * 8;
    uint32_t *right_payload = (uint32_t *)(void *)(scratch + n * 32);
    uint32_t *found_payload = right_payload + n;
    gb_status status = rs_make_slice(p, 0, n, right, right_payload, error);
    if (status != GB_OK) return status;
    rs_oracle(&p->shape, right, output->payload ? right_payload : NULL, scratch);
    status = fetch(&p->shape, output, 0, n, found, found_payload, error);
    for (uint64_t i = 0; status == GB_OK && i < n; i++) {
        const unsigned long long at = i, key = rs_load_key(p->shape.type, found, i);
        const unsigned long long expected = rs_load_key(p->shape.type, right, i);
        if (key != expected)
            status =
                gb_fail(error, GB_WRONG, "keys_out[%llu] = 0x%llx, not 0x%llx", at, key, expected);
        else if (output->payload && found_payload[i] != right_payload[i])
            status = gb_fail(error, GB_WRONG, "payload_out[%llu] = %u, not %u", at,
                             found_payload[i], right_payload[i]);
    }
    return status;
}

static gb_status check_exactly(gb_job *job, const elements *output)
{
    const gb_problem *p = job->problem;
    if (p->shape.n > RS_EXACT_LIMIT || !(job->variant->flags & GB_STABLE)) return GB_OK;
    char *memory = malloc(p->shape.n * (2 * 8 + 32 + 2 * 4) + 8);
    if (!memory) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    gb_status status = compare(p, output, memory, &job->error);
    free(memory);
    return status;
}

gb_status rs_check(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const rs_data *data = p->checker;
    const elements output = output_of(job);
    findings found;
    GB_CL_TRY(clFinish(gb_opencl_of(stream)->queue), &job->error);
    gb_status status = check_input(job);
    if (status != GB_OK) return status;
    if (!output.keys)
        return gb_fail(&job->error, GB_CRASHED, "%s left no output", job->variant->name);
    status = look_at(p, &output, &found, &job->error);
    if (status != GB_OK) return status;
    if (found.misplaced) return refuse_order(job, &found);
    if (found.sum.a != data->truth.a || found.sum.b != data->truth.b)
        return gb_fail(&job->error, GB_WRONG,
                       "the output is sorted but is no permutation of the input: %s were lost, "
                       "repeated or changed",
                       output.payload ? "keys or payloads" : "keys");
    if ((job->variant->flags & GB_STABLE) && output.payload && found.unstable)
        return gb_fail(&job->error, GB_WRONG,
                       "not stable: payload_out[%llu] = %u follows %u, though their keys are equal "
                       "(payloads are input positions)",
                       (unsigned long long)found.unstable, found.unstable_pair[1].payload,
                       found.unstable_pair[0].payload);
    return check_exactly(job, &output);
}
