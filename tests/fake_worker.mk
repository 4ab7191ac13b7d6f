TEST_HELPERS += $(BUILD)/tests/fake_worker
# So that the test can be built by itself.
$(BUILD)/tests/test_worker_process: | $(BUILD)/tests/fake_worker
$(BUILD)/tests/fake_worker: $(BUILD)/c/tests/fake_worker_faults.c.o
$(BUILD)/tests/test_worker_child: LDFLAGS += -Wl,--wrap=kill
# Between two requests there is time for a worker to fail.
$(BUILD)/tests/test_idle: LDFLAGS += -Wl,--wrap=gb_worker_ask
$(BUILD)/tests/test_idle: | $(BUILD)/tests/fake_worker
