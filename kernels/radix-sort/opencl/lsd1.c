/* Variant opencl-lsd1: the paper's radix sort in the paper's own technology. A bit a pass, three
 * steps a pass (lsd1.cl): predicate, scan, scatter; everything stays on the device. */
#include "kernels/radix-sort/opencl/data.h"
#include "kernels/radix-sort/variants.h"

#include <stdio.h>
#include <stdlib.h>

/* 2^40 keys take four levels of sums; the last level's own sum goes one further. */
enum { GROUP = 256, TILE = 8 * GROUP, MAX_LEVELS = 6 };

/* A level of the scan: f, or the sums of the tiles of the level before. */
typedef struct level {
    cl_mem values; /* whole tiles */
    uint64_t tiles;
} level;

typedef struct lsd1 {
    cl_program program;
    cl_kernel predicate, scan, scan_sums, add_sums, scatter;
    cl_mem zeros; /* the predicates: a byte for each element of the lowest level */
    level levels[MAX_LEVELS];
    unsigned level_count; /* without the last level's sum */
    cl_mem keys, payload; /* where every other pass writes to */
} lsd1;

const char *rs_opencl_unsupported(const gb_params *params, const gb_device *device)
{
    const rs_type type = rs_shape_of(params).type;
    if (type == RS_I64 || type == RS_F64)
        return "it has no kernels for i64 and f64: u64 is its type of 64 bits";
    return rs_no_wide_payload(params, device);
}

/* ---- before and after ------------------------------------------------------------------------ */

static gb_status build(gb_job *job, lsd1 *s)
{
    static const int images[] = {[RS_U32] = 0, [RS_U64] = 0, [RS_I32] = 1, [RS_F32] = 2};
    const rs_shape *shape = &job->problem->shape;
    char options[160];
    snprintf(options, sizeof options,
             "-DGROUP=%d -DKEY=%s -DIMAGE=%d -DDESCENDING=%d -DPAYLOAD=%d -DCOUNT=%s", GROUP,
             shape->type == RS_U64 ? "ulong" : "uint", images[shape->type], shape->descending,
             shape->payload ? 1 : 0, shape->n < UINT32_MAX ? "uint" : "ulong");
    gb_error *error = &job->error;
    gb_status status =
        gb_opencl_program("kernels/radix-sort/opencl/lsd1.cl", options, &s->program, error);
    if (status == GB_OK) status = gb_opencl_kernel(s->program, "predicate", &s->predicate, error);
    if (status == GB_OK) status = gb_opencl_kernel(s->program, "scan", &s->scan, error);
    if (status == GB_OK) status = gb_opencl_kernel(s->program, "scan_sums", &s->scan_sums, error);
    if (status == GB_OK) status = gb_opencl_kernel(s->program, "add_sums", &s->add_sums, error);
    if (status == GB_OK) status = gb_opencl_kernel(s->program, "scatter", &s->scatter, error);
    return status;
}

static gb_status make_levels(gb_job *job, lsd1 *s)
{
    const uint64_t n = job->problem->shape.n, size = n < UINT32_MAX ? 4 : 8;
    uint64_t tiles = n / TILE + 1; /* one element more than n, at least */
    gb_status status = gb_opencl_job_buffer(job, tiles * TILE, "the predicates", &s->zeros);
    for (bool last = false; status == GB_OK && !last; s->level_count++) {
        level *l = &s->levels[s->level_count];
        l->tiles = tiles;
        status = gb_opencl_job_buffer(job, tiles * TILE * size, "the scan's sums", &l->values);
        last = tiles == 1 && s->level_count > 0;
        tiles = (tiles + TILE - 1) / TILE;
    }
    if (status != GB_OK) return status;
    return gb_opencl_job_buffer(job, size, "the scan's last sum",
                                &s->levels[s->level_count].values);
}

static void cleanup(gb_job *job)
{
    lsd1 *s = job->state;
    if (!s) return;
    cl_kernel kernels[] = {s->predicate, s->scan, s->scan_sums, s->add_sums, s->scatter};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i]) (void)clReleaseKernel(kernels[i]);
    if (s->program) (void)clReleaseProgram(s->program);
    for (unsigned i = 0; i < MAX_LEVELS; i++)
        gb_opencl_release(&s->levels[i].values);
    gb_opencl_release(&s->zeros);
    gb_opencl_release(&s->keys);
    gb_opencl_release(&s->payload);
    free(s);
    job->state = NULL;
}

static gb_status prepare(gb_job *job)
{
    const rs_shape *shape = &job->problem->shape;
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    lsd1 *s = calloc(1, sizeof *s);
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the sort's state");
    job->state = s;
    status = build(job, s);
    if (status == GB_OK) status = make_levels(job, s);
    if (status == GB_OK)
        status = gb_opencl_job_buffer(job, shape->n * rs_key_bytes(shape->type),
                                      "every other pass's keys", &s->keys);
    if (status == GB_OK && shape->payload)
        status = gb_opencl_job_buffer(job, shape->n * 4, "every other pass's payload", &s->payload);
    return status;
}

/* ---- a pass ---------------------------------------------------------------------------------- */

/* Keys and their payload, or NULL. */
typedef struct elements {
    cl_mem keys, payload;
} elements;

static gb_status predicate(gb_job *job, const gb_opencl *cl, const elements *from, cl_uint bit)
{
    const lsd1 *s = job->state;
    const cl_ulong n = job->problem->shape.n;
    const gb_opencl_arg args[] = {GB_CL_ARG(from->keys), GB_CL_ARG(s->zeros), GB_CL_ARG(n),
                                  GB_CL_ARG(bit)};
    return gb_opencl_launch(cl, s->predicate, s->levels[0].tiles, GROUP, args, 4, &job->error);
}

/* Scans the predicates to f, and the tiles of every level above it; then adds, from the top down,
 * each level's scan to the level below, but for f itself. What lies behind a level's last sum is of
 * no use and harms none, for a prefix sum does not look behind itself. */
static gb_status scan(gb_job *job, const gb_opencl *cl)
{
    const lsd1 *s = job->state;
    const gb_opencl_arg lowest[] = {GB_CL_ARG(s->zeros), GB_CL_ARG(s->levels[0].values),
                                    GB_CL_ARG(s->levels[1].values)};
    gb_status status =
        gb_opencl_launch(cl, s->scan, s->levels[0].tiles, GROUP, lowest, 3, &job->error);
    for (unsigned i = 1; status == GB_OK && i < s->level_count; i++) {
        const gb_opencl_arg args[] = {GB_CL_ARG(s->levels[i].values),
                                      GB_CL_ARG(s->levels[i + 1].values)};
        status =
            gb_opencl_launch(cl, s->scan_sums, s->levels[i].tiles, GROUP, args, 2, &job->error);
    }
    for (unsigned i = s->level_count - 1; status == GB_OK && i-- > 1;) {
        const gb_opencl_arg args[] = {GB_CL_ARG(s->levels[i].values),
                                      GB_CL_ARG(s->levels[i + 1].values)};
        status = gb_opencl_launch(cl, s->add_sums, s->levels[i].tiles, GROUP, args, 2, &job->error);
    }
    return status;
}

static gb_status scatter(gb_job *job, const gb_opencl *cl, const elements *from, const elements *to,
                         cl_uint bit)
{
    const lsd1 *s = job->state;
    const cl_ulong n = job->problem->shape.n;
    const gb_opencl_arg args[] = {GB_CL_ARG(from->keys),
                                  GB_CL_ARG(s->levels[0].values),
                                  GB_CL_ARG(s->levels[1].values),
                                  GB_CL_ARG(n),
                                  GB_CL_ARG(bit),
                                  GB_CL_ARG(to->keys),
                                  GB_CL_ARG(from->payload),
                                  GB_CL_ARG(to->payload)};
    return gb_opencl_launch(cl, s->scatter, s->levels[0].tiles, GROUP, args,
                            job->problem->shape.payload ? 8 : 6, &job->error);
}

/* The input is left as it is; the last pass writes the output. */
static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_opencl *cl = gb_opencl_of(stream);
    const gb_problem *p = job->problem;
    const lsd1 *s = job->state;
    const elements output = {rs_buffer(p->keys_out), rs_buffer(p->payload_out)};
    const elements scratch = {s->keys, s->payload};
    elements from = {rs_buffer(p->keys_in), rs_buffer(p->payload_in)};
    gb_status status = GB_OK;
    if (p->shape.n == 0) return GB_OK;
    for (unsigned bit = p->shape.begin_bit; status == GB_OK && bit < p->shape.end_bit; bit++) {
        const elements to = (p->shape.end_bit - bit) % 2 ? output : scratch;
        status = predicate(job, cl, &from, bit);
        if (status == GB_OK) status = scan(job, cl);
        if (status == GB_OK) status = scatter(job, cl, &from, &to, bit);
        from = to;
    }
    return status;
}

const gb_variant rs_opencl_lsd1 = {
    .name = "opencl-lsd1",
    .summary = "the paper's sort in OpenCL: a bit a pass, predicate, scan, scatter",
    .origin = "radix sort paper, model and section 4",
    .flags = GB_STABLE,
    .unsupported = rs_opencl_unsupported,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
    .differs = "the text has no code: the model's three steps, its host side in C where it has "
               "Python; the scan's levels, bytes as predicates and how many keys a thread takes "
               "are ours",
};
