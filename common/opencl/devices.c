/* Which OpenCL devices are here, and what they are. */
#include "common/opencl/backend.h"

#include "common/random.h"
#include "common/text/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 16, UUID_BYTES = 16 };

/* Of extensions whose names or numbers not every version of the headers has; the numbers are those
 * of the registry of OpenCL. */
enum {
    DEVICE_UUID_KHR = 0x106A,             /* cl_khr_device_uuid */
    COMPUTE_CAPABILITY_MAJOR_NV = 0x4000, /* the rest: */
    COMPUTE_CAPABILITY_MINOR_NV = 0x4001, /* cl_nv_device_attribute_ */
    PCI_BUS_ID_NV = 0x4008,
    PCI_SLOT_ID_NV = 0x4009,
    PCI_DOMAIN_ID_NV = 0x400A, /* query */
};

/* ---- what they tell -------------------------------------------------------------------------- */

/* Keeps of a text (size bytes and one more; NULL: none), which is freed, what lies between blanks
 * at its ends, as much as fits. */
static void keep(char *all, size_t size, char *text, size_t capacity)
{
    static const char blanks[] = " \t\r\n";
    text[0] = '\0';
    if (!all) return;
    all[size] = '\0';
    const char *begin = all + strspn(all, blanks);
    size_t length = strlen(begin);
    while (length > 0 && strchr(blanks, begin[length - 1]))
        length--;
    if (length > capacity - 1) length = capacity - 1;
    memcpy(text, begin, length);
    text[length] = '\0';
    free(all);
}

void gb_opencl_device_text(cl_device_id device, cl_device_info what, char *text, size_t capacity)
{
    size_t size = 0;
    if (clGetDeviceInfo(device, what, 0, NULL, &size) != CL_SUCCESS) size = 0;
    char *all = calloc(1, size + 1);
    if (all && clGetDeviceInfo(device, what, size, all, NULL) != CL_SUCCESS) all[0] = '\0';
    keep(all, size, text, capacity);
}

void gb_opencl_platform_text(cl_platform_id platform, cl_platform_info what, char *text,
                             size_t capacity)
{
    size_t size = 0;
    if (clGetPlatformInfo(platform, what, 0, NULL, &size) != CL_SUCCESS) size = 0;
    char *all = calloc(1, size + 1);
    if (all && clGetPlatformInfo(platform, what, size, all, NULL) != CL_SUCCESS) all[0] = '\0';
    keep(all, size, text, capacity);
}

/* A number that the device tells; 0 if it does not. */
static uint64_t number(cl_device_id device, cl_device_info what)
{
    cl_ulong wide = 0;
    cl_uint narrow = 0;
    size_t size = 0;
    if (clGetDeviceInfo(device, what, 0, NULL, &size) != CL_SUCCESS) return 0;
    if (size == sizeof wide && clGetDeviceInfo(device, what, size, &wide, NULL) == CL_SUCCESS)
        return wide;
    if (size == sizeof narrow && clGetDeviceInfo(device, what, size, &narrow, NULL) == CL_SUCCESS)
        return narrow;
    return 0;
}

bool gb_opencl_has(cl_device_id device, const char *extension)
{
    char all[8192];
    const size_t length = strlen(extension);
    gb_opencl_device_text(device, CL_DEVICE_EXTENSIONS, all, sizeof all);
    for (const char *at = all; (at = strstr(at, extension)); at += length) {
        bool begins = at == all || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0')) return true;
    }
    return false;
}

/* ---- the list -------------------------------------------------------------------------------- */

static unsigned list_platform(cl_platform_id platform, bool gpus, gb_opencl_entry *entries,
                              unsigned room)
{
    cl_device_id devices[GB_OPENCL_MAX_DEVICES];
    cl_uint found = 0;
    unsigned count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, GB_OPENCL_MAX_DEVICES, devices, &found) !=
        CL_SUCCESS)
        return 0;
    for (cl_uint i = 0; i < found && i < GB_OPENCL_MAX_DEVICES && count < room; i++) {
        bool gpu = (number(devices[i], CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
        if (gpu == gpus) entries[count++] = (gb_opencl_entry){platform, devices[i], gpu};
    }
    return count;
}

unsigned gb_opencl_list(gb_opencl_entry entries[GB_OPENCL_MAX_DEVICES], gb_error *error)
{
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint found = 0;
    if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &found) != CL_SUCCESS) found = 0;
    if (found > MAX_PLATFORMS) found = MAX_PLATFORMS;
    unsigned count = 0;
    for (int round = 0; round < 2; round++) {
        for (cl_uint p = 0; p < found; p++)
            count += list_platform(platforms[p], round == 0, entries + count,
                                   GB_OPENCL_MAX_DEVICES - count);
    }
    /* A driver that does not fit into memory is not there, for the loader. */
    char limit[GB_LIMIT_TEXT];
    gb_limit_on_memory(limit);
    if (found == 0)
        gb_fail(
            error, GB_UNSUPPORTED,
            "no OpenCL platform%s: install the GPU's driver with its OpenCL library, or PoCL for "
            "the CPU (pocl-opencl-icd); where NVIDIA's driver is here but not listed in "
            "/etc/OpenCL/vendors, set OCL_ICD_VENDORS=libnvidia-opencl.so.1",
            limit);
    else if (count == 0)
        gb_fail(error, GB_UNSUPPORTED, "none of the %u OpenCL platforms has a device%s", found,
                limit);
    return count;
}

/* ---- one device ------------------------------------------------------------------------------ */

/* The UUID that the device has of its own (and shares with other interfaces to it), else a hash of
 * what it is called and of how many before it are called the same. */
static void make_uuid(const gb_opencl_entry *entries, unsigned index, const char *name, char *uuid,
                      size_t capacity)
{
    cl_device_id device = entries[index].device;
    unsigned char b[UUID_BYTES];
    if (gb_opencl_has(device, "cl_khr_device_uuid") &&
        clGetDeviceInfo(device, DEVICE_UUID_KHR, sizeof b, b, NULL) == CL_SUCCESS) {
        snprintf(uuid, capacity,
                 "opencl-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                 b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
                 b[13], b[14], b[15]);
        return;
    }
    uint64_t hash = 0;
    char text[256];
    gb_opencl_platform_text(entries[index].platform, CL_PLATFORM_NAME, text, sizeof text);
    for (const char *c = text; *c; c++)
        hash = gb_mix64(hash + (unsigned char)*c);
    for (const char *c = name; *c; c++)
        hash = gb_mix64(hash + (unsigned char)*c);
    for (unsigned i = 0; i < index; i++) {
        gb_opencl_device_text(entries[i].device, CL_DEVICE_NAME, text, sizeof text);
        if (entries[i].platform == entries[index].platform && strcmp(text, name) == 0)
            hash = gb_mix64(hash + 1);
    }
    snprintf(uuid, capacity, "opencl-%016llx", (unsigned long long)hash);
}

/* What NVIDIA's extension and driver tell beyond OpenCL. */
static void describe_nvidia(cl_device_id device, gb_backend_device *about)
{
    if (!gb_opencl_has(device, "cl_nv_device_attribute_query")) return;
    about->info.arch = (int)number(device, COMPUTE_CAPABILITY_MAJOR_NV) * 100 +
                       (int)number(device, COMPUTE_CAPABILITY_MINOR_NV) * 10;
    const unsigned slot = (unsigned)number(device, PCI_SLOT_ID_NV);
    snprintf(about->pci_bus_id, sizeof about->pci_bus_id, "%04x:%02x:%02x.%x",
             (unsigned)number(device, PCI_DOMAIN_ID_NV), (unsigned)number(device, PCI_BUS_ID_NV),
             slot >> 3, slot & 7);
    about->info.l2_bytes = 0; /* what OpenCL says here is something else: rather unknown */
    (void)gb_opencl_ask_cuda(about->pci_bus_id, &about->info);
}

/* "OpenCL 1.2 CUDA" and the like: at least 1.2. */
static bool is_new_enough(cl_device_id device)
{
    char version[128];
    gb_opencl_device_text(device, CL_DEVICE_VERSION, version, sizeof version);
    const char *at = version + strcspn(version, "0123456789");
    char *dot;
    long major = strtol(at, &dot, 10), minor = *dot == '.' ? strtol(dot + 1, NULL, 10) : 0;
    return major > 1 || (major == 1 && minor >= 2);
}

static void judge(cl_device_id device, gb_backend_device *about)
{
    const char *why = NULL;
    if (!is_new_enough(device))
        why = "it has no OpenCL 1.2, which the kernels are written in";
    else if (!number(device, CL_DEVICE_AVAILABLE))
        why = "its platform says that it is not available";
    else if (!number(device, CL_DEVICE_COMPILER_AVAILABLE))
        why = "its platform has no compiler, and the kernels come as source";
    else if (!number(device, CL_DEVICE_ENDIAN_LITTLE))
        why = "it is big-endian, the data are made little-endian";
    about->usable = why == NULL;
    if (why) snprintf(about->reason, sizeof about->reason, "%s", why);
}

int gb_backend_device_count(gb_error *error)
{
    gb_opencl_entry entries[GB_OPENCL_MAX_DEVICES];
    return (int)gb_opencl_list(entries, error);
}

gb_status gb_backend_device_info(int index, gb_backend_device *about, gb_error *error)
{
    gb_opencl_entry entries[GB_OPENCL_MAX_DEVICES];
    const unsigned count = gb_opencl_list(entries, error);
    *about = (gb_backend_device){.usable = false};
    if (index < 0 || (unsigned)index >= count)
        return gb_fail(error, GB_UNSUPPORTED, "no OpenCL device %d: there are %u", index, count);
    cl_device_id device = entries[index].device;
    gb_device *info = &about->info;
    char name[sizeof info->name - sizeof " (OpenCL)" + 1];
    gb_opencl_device_text(device, CL_DEVICE_NAME, name, sizeof name);
    /* Its results and its folder are not those of the same GPU with CUDA. */
    snprintf(info->name, sizeof info->name, "%s (OpenCL)", name);
    snprintf(info->backend, sizeof info->backend, "opencl");
    info->index = index;
    info->sms = (int)number(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->shared_per_block = number(device, CL_DEVICE_LOCAL_MEM_SIZE);
    info->l2_bytes = number(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    info->memory_bytes = number(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    make_uuid(entries, (unsigned)index, name, about->uuid, sizeof about->uuid);
    describe_nvidia(device, about);
    judge(device, about);
    return GB_OK;
}
