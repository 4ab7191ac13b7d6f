/* The back-end's inside, shared by backend.c, devices.c, timing.c, evict.c and ceilings.c. */
#ifndef GB_OPENCL_BACKEND_H
#define GB_OPENCL_BACKEND_H

#include "common/opencl/opencl.h"
#include "common/worker/backend.h"

/* common/opencl/sweep.cl, compiled when first needed. */
typedef struct gb_sweeps {
    cl_program program; /* NULL: not compiled yet */
    cl_kernel read, write, copy, nothing;
} gb_sweeps;

struct gb_backend {
    gb_opencl cl; /* first: a stream is its address */
    bool markers; /* the device tells when markers were passed */
    gb_sweeps sweeps;
    cl_mem evict_buffer; /* evict_tiles; NULL until asked for */
    uint64_t evict_tiles;
    cl_mem sink; /* one word: where kernels could store what they read */
};

/* A tile of a sweep: 4 accesses of 16 bytes for each of 256 work-items. */
enum { GB_SWEEP_GROUP = 256, GB_SWEEP_TILE_BYTES = GB_SWEEP_GROUP * 4 * 16 };

/* ---- devices.c ------------------------------------------------------------------------------- */

/* A device of a platform, as they are numbered: GPUs, then all others. */
typedef struct gb_opencl_entry {
    cl_platform_id platform;
    cl_device_id device;
    bool gpu;
} gb_opencl_entry;

enum { GB_OPENCL_MAX_DEVICES = 64 };

/* Fills entries and returns how many there are; 0 and *error if none. */
unsigned gb_opencl_list(gb_opencl_entry entries[GB_OPENCL_MAX_DEVICES], gb_error *error);
/* A text that the device or its platform tells, without blanks at its ends; "" if it does not. */
void gb_opencl_device_text(cl_device_id device, cl_device_info what, char *text, size_t capacity);
void gb_opencl_platform_text(cl_platform_id platform, cl_platform_info what, char *text,
                             size_t capacity);
/* Whether the device names the extension. */
bool gb_opencl_has(cl_device_id device, const char *extension);

/* ---- nvidia.c -------------------------------------------------------------------------------- */

/* What OpenCL leaves out or words differently, asked of NVIDIA's driver (libcuda) by the device's
 * PCI bus id: size of the L2, residency, shared memory. False if it cannot be asked; info is then
 * unchanged. */
bool gb_opencl_ask_cuda(const char *pci_bus_id, gb_device *info);

/* ---- sweep.c --------------------------------------------------------------------------------- */

gb_status gb_sweeps_open(gb_backend *backend, gb_error *error);
void gb_sweeps_close(gb_backend *backend);
gb_status gb_sweep_read(gb_backend *backend, cl_mem source, uint64_t tiles, gb_error *error);
gb_status gb_sweep_write(gb_backend *backend, cl_mem target, uint64_t tiles, gb_error *error);
gb_status gb_sweep_copy(gb_backend *backend, cl_mem source, cl_mem target, uint64_t tiles,
                        gb_error *error);
gb_status gb_sweep_nothing(gb_backend *backend, gb_error *error);

/* ---- timing.c, evict.c ----------------------------------------------------------------------- */

/* Finds out whether the device times markers. */
gb_status gb_timing_open(gb_backend *backend, gb_error *error);
void gb_evict_close(gb_backend *backend);

#endif
