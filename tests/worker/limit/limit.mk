# For a person with a GPU: `make try-limit`, then build/try-limit 64.
try-limit: $(BUILD)/try-limit
.PHONY: try-limit
$(BUILD)/try-limit: $(call o,cuda,tests/worker/limit/try.cu common/cuda/limit.cu) $(call o,c,common/text/error.c common/text/text.c)
	$(call say,LINK) $(NVCC) $(NVCC_FLAGS) -cudart static $^ -o $@
