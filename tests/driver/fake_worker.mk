TEST_HELPERS += $(BUILD)/tests/driver/fake_worker
# So that the test can be built by itself.
$(BUILD)/tests/driver/test_worker_process: | $(BUILD)/tests/driver/fake_worker
$(BUILD)/tests/driver/fake_worker: $(BUILD)/c/tests/driver/fake_worker_faults.c.o
$(BUILD)/tests/driver/test_worker_child: LDFLAGS += -Wl,--wrap=kill
# Between two requests there is time for a worker to fail.
$(BUILD)/tests/driver/test_idle: LDFLAGS += -Wl,--wrap=gb_worker_ask
$(BUILD)/tests/driver/test_idle: | $(BUILD)/tests/driver/fake_worker
