# The worker's service runs on the simt device.
$(BUILD)/tests/worker/test_worker_service: $(BUILD)/libsimt.a
# A device whose driver compiles PTX: the test says so of this one.
$(BUILD)/tests/worker/test_worker_service: private override LDFLAGS += -Wl,--wrap=gb_backend_device_info
