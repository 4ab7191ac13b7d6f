/* The host's side of sweep.cl. */
#include "common/opencl/backend.h"

#include <stdio.h>

gb_status gb_sweeps_open(gb_backend *backend, gb_error *error)
{
    gb_sweeps *s = &backend->sweeps;
    char options[32];
    if (s->nothing) return GB_OK;
    snprintf(options, sizeof options, "-DGROUP=%d", GB_SWEEP_GROUP);
    gb_status status = GB_OK;
    if (!backend->sink)
        status = gb_opencl_buffer(sizeof(cl_uint), "a word for sweeps", &backend->sink, error);
    if (status == GB_OK && !s->program)
        status = gb_opencl_program("common/opencl/sweep.cl", options, &s->program, error);
    if (status == GB_OK && !s->read)
        status = gb_opencl_kernel(s->program, "sweep_read", &s->read, error);
    if (status == GB_OK && !s->write)
        status = gb_opencl_kernel(s->program, "sweep_write", &s->write, error);
    if (status == GB_OK && !s->copy)
        status = gb_opencl_kernel(s->program, "sweep_copy", &s->copy, error);
    if (status == GB_OK) status = gb_opencl_kernel(s->program, "sweep_nothing", &s->nothing, error);
    return status;
}

void gb_sweeps_close(gb_backend *backend)
{
    gb_sweeps *s = &backend->sweeps;
    cl_kernel kernels[] = {s->read, s->write, s->copy, s->nothing};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i]) (void)clReleaseKernel(kernels[i]);
    if (s->program) (void)clReleaseProgram(s->program);
    *s = (gb_sweeps){.program = NULL};
    gb_opencl_release(&backend->sink);
}

gb_status gb_sweep_read(gb_backend *backend, cl_mem source, uint64_t tiles, gb_error *error)
{
    const gb_opencl_arg args[] = {GB_CL_ARG(source), GB_CL_ARG(backend->sink)};
    return gb_opencl_launch(&backend->cl, backend->sweeps.read, tiles, GB_SWEEP_GROUP, args, 2,
                            error);
}

gb_status gb_sweep_write(gb_backend *backend, cl_mem target, uint64_t tiles, gb_error *error)
{
    const cl_uint value = 0;
    const gb_opencl_arg args[] = {GB_CL_ARG(target), GB_CL_ARG(value)};
    return gb_opencl_launch(&backend->cl, backend->sweeps.write, tiles, GB_SWEEP_GROUP, args, 2,
                            error);
}

gb_status gb_sweep_copy(gb_backend *backend, cl_mem source, cl_mem target, uint64_t tiles,
                        gb_error *error)
{
    const gb_opencl_arg args[] = {GB_CL_ARG(source), GB_CL_ARG(target)};
    return gb_opencl_launch(&backend->cl, backend->sweeps.copy, tiles, GB_SWEEP_GROUP, args, 2,
                            error);
}

gb_status gb_sweep_nothing(gb_backend *backend, gb_error *error)
{
    return gb_opencl_launch(&backend->cl, backend->sweeps.nothing, 1, 1, NULL, 0, error);
}
