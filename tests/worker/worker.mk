# The worker's service runs on the simt device.
$(BUILD)/tests/worker/test_worker_service: $(BUILD)/libsimt.a
