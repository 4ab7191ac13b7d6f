/* What the fake libnvidia-ml.so.1 answers; its variable fake_nvml is found with dlsym. */
#ifndef TEST_FAKE_NVML_H
#define TEST_FAKE_NVML_H

struct fake_nvml {
    int init_code; /* of nvmlInit_v2; 0 is success, 9 is "Driver Not Loaded" */
    const char *driver, *bus_id;
    int refuses; /* every question about the device ends in "not supported" */
    unsigned long long reasons;
    int opened, closed; /* calls of nvmlInit_v2 and nvmlShutdown */
};

#endif
