/* The device in use, failed calls as errors, buffers, programs, launches. */
#include "common/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A worker owns one device. */
static const gb_opencl *selected;

const gb_opencl *gb_opencl_selected(void)
{
    return selected;
}

void gb_opencl_select(const gb_opencl *cl)
{
    selected = cl;
}

/* ---- errors ---------------------------------------------------------------------------------- */

#define CODE(name)  \
    {               \
        name, #name \
    }

static const struct {
    cl_int code;
    const char *name;
} codes[] = {
    CODE(CL_DEVICE_NOT_FOUND),
    CODE(CL_DEVICE_NOT_AVAILABLE),
    CODE(CL_COMPILER_NOT_AVAILABLE),
    CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    CODE(CL_OUT_OF_RESOURCES),
    CODE(CL_OUT_OF_HOST_MEMORY),
    CODE(CL_PROFILING_INFO_NOT_AVAILABLE),
    CODE(CL_BUILD_PROGRAM_FAILURE),
    CODE(CL_MAP_FAILURE),
    CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    CODE(CL_INVALID_VALUE),
    CODE(CL_INVALID_DEVICE),
    CODE(CL_INVALID_CONTEXT),
    CODE(CL_INVALID_COMMAND_QUEUE),
    CODE(CL_INVALID_MEM_OBJECT),
    CODE(CL_INVALID_BUILD_OPTIONS),
    CODE(CL_INVALID_PROGRAM),
    CODE(CL_INVALID_PROGRAM_EXECUTABLE),
    CODE(CL_INVALID_KERNEL_NAME),
    CODE(CL_INVALID_KERNEL),
    CODE(CL_INVALID_ARG_INDEX),
    CODE(CL_INVALID_ARG_VALUE),
    CODE(CL_INVALID_ARG_SIZE),
    CODE(CL_INVALID_KERNEL_ARGS),
    CODE(CL_INVALID_WORK_DIMENSION),
    CODE(CL_INVALID_WORK_GROUP_SIZE),
    CODE(CL_INVALID_WORK_ITEM_SIZE),
    CODE(CL_INVALID_EVENT),
    CODE(CL_INVALID_OPERATION),
    CODE(CL_INVALID_BUFFER_SIZE),
    CODE(CL_INVALID_GLOBAL_WORK_SIZE),
};

const char *gb_opencl_name(cl_int code)
{
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        if (codes[i].code == code) return codes[i].name;
    }
    return gb_reason("OpenCL error %d", (int)code);
}

static bool is_lack_of_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
}

gb_status gb_opencl_status(cl_int code, const char *what, gb_error *error)
{
    if (code == CL_SUCCESS) return GB_OK;
    return gb_fail(error, is_lack_of_memory(code) ? GB_OUT_OF_MEMORY : GB_CRASHED, "%.200s: %s",
                   what, gb_opencl_name(code));
}

/* ---- memory ---------------------------------------------------------------------------------- */

static gb_status refuse_memory(const gb_opencl *cl, uint64_t bytes, const char *what, cl_int code,
                               gb_error *error)
{
    cl_ulong most = 0, all = 0;
    (void)clGetDeviceInfo(cl->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    (void)clGetDeviceInfo(cl->device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all, &all, NULL);
    return gb_fail(error, GB_OUT_OF_MEMORY,
                   "%s: %llu bytes of device memory asked for; the device has %llu and gives %llu "
                   "at a time (%s)",
                   what, (unsigned long long)bytes, (unsigned long long)all,
                   (unsigned long long)most, gb_opencl_name(code));
}

gb_status gb_opencl_buffer(uint64_t bytes, const char *what, cl_mem *out, gb_error *error)
{
    const gb_opencl *cl = gb_opencl_selected();
    const cl_uint zero = 0;
    cl_int code;
    *out = NULL;
    if (!cl) return gb_fail(error, GB_CRASHED, "%s: no device is selected", what);
    bytes = bytes < sizeof zero ? sizeof zero : (bytes + 3) / 4 * 4; /* fills go by whole words */
    cl_mem buffer = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (!buffer && (code == CL_INVALID_BUFFER_SIZE || is_lack_of_memory(code)))
        return refuse_memory(cl, bytes, what, code, error);
    if (!buffer) return gb_opencl_status(code, what, error);
    code = clEnqueueFillBuffer(cl->queue, buffer, &zero, sizeof zero, 0, bytes, 0, NULL, NULL);
    if (code == CL_SUCCESS) code = clFinish(cl->queue);
    if (code == CL_SUCCESS) {
        *out = buffer;
        return GB_OK;
    }
    (void)clReleaseMemObject(buffer);
    /* Nothing but the fill was queued: lacking resources, it lacked memory. */
    if (is_lack_of_memory(code) || code == CL_OUT_OF_RESOURCES)
        return refuse_memory(cl, bytes, what, code, error);
    return gb_opencl_status(code, what, error);
}

gb_status gb_opencl_job_buffer(gb_job *job, uint64_t bytes, const char *what, cl_mem *out)
{
    *out = NULL;
    gb_status status = gb_job_charge(job, bytes, what);
    if (status != GB_OK) return status;
    status = gb_opencl_buffer(bytes, what, out, &job->error);
    if (status != GB_OK) gb_job_discharge(job, bytes);
    return status;
}

void gb_opencl_release(cl_mem *buffer)
{
    if (*buffer) (void)clReleaseMemObject(*buffer);
    *buffer = NULL;
}

/* ---- programs -------------------------------------------------------------------------------- */

static const gb_opencl_source *find_source(const char *path)
{
    for (const gb_opencl_source *source = gb_opencl_sources; source->path; source++) {
        if (strcmp(source->path, path) == 0) return source;
    }
    return NULL;
}

/* The compiler's log on stderr, and its first words in the error. That a device has no compiler was
 * seen before: this is a mistake in the source or in the compiler, and no reason to pass over it.
 */
static gb_status explain_build(const gb_opencl *cl, cl_program program, const char *path,
                               cl_int code, gb_error *error)
{
    size_t size = 0;
    (void)clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    if (log)
        (void)clGetProgramBuildInfo(program, cl->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    const char *text = log ? log + strspn(log, " \t\r\n") : "";
    fprintf(stderr, "gpubench worker: the OpenCL compiler on %s:\n%s\n", path, text);
    gb_fail(error, GB_CRASHED, "the device's OpenCL compiler refuses %s: %s: %.200s", path,
            gb_opencl_name(code), text);
    free(log);
    return GB_CRASHED;
}

gb_status gb_opencl_program(const char *path, const char *options, cl_program *out, gb_error *error)
{
    const gb_opencl *cl = gb_opencl_selected();
    const gb_opencl_source *source = find_source(path);
    char all[1024];
    cl_int code;
    *out = NULL;
    if (!cl || !source)
        return gb_fail(error, GB_CRASHED, "%s: %s", path,
                       cl ? "this worker was built without it" : "no device is selected");
    if (snprintf(all, sizeof all, "-cl-std=CL1.2 %s", options) >= (int)sizeof all)
        return gb_fail(error, GB_CRASHED, "%s: options of more than %zu bytes", path, sizeof all);
    cl_program program = clCreateProgramWithSource(cl->context, 1, (const char *[]){source->text},
                                                   (const size_t[]){source->size}, &code);
    if (!program) return gb_opencl_status(code, "clCreateProgramWithSource", error);
    code = clBuildProgram(program, 1, &cl->device, all, NULL, NULL);
    if (code == CL_SUCCESS) {
        *out = program;
        return GB_OK;
    }
    gb_status status = explain_build(cl, program, path, code, error);
    (void)clReleaseProgram(program);
    return status;
}

gb_status gb_opencl_kernel(cl_program program, const char *name, cl_kernel *out, gb_error *error)
{
    cl_int code;
    *out = clCreateKernel(program, name, &code);
    return *out ? GB_OK : gb_opencl_status(code, name, error);
}

/* ---- launches -------------------------------------------------------------------------------- */

gb_status gb_opencl_launch(const gb_opencl *cl, cl_kernel kernel, uint64_t groups,
                           size_t group_size, const gb_opencl_arg *args, unsigned count,
                           gb_error *error)
{
    const size_t global = groups * group_size;
    for (unsigned i = 0; i < count; i++)
        GB_CL_TRY(clSetKernelArg(kernel, i, args[i].size, args[i].value), error);
    GB_CL_TRY(
        clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &global, &group_size, 0, NULL, NULL),
        error);
    return GB_OK;
}
