# Workers for tests in which threads are left at every memory access and stores stay behind, each with one primitive:
# `make simt-hooks` compiles all kernels.
# $(call hooks_worker,PRIMITIVE,C FILES,CUDA FILES): build/tests/kernels/PRIMITIVE/hooks/gpubench-simt-hooks.
define hooks_worker
$(BUILD)/$(1)-registry.c: FORCE
	@$$(call registry_of,$(1)) | { $$(write_if_changed); }

$(BUILD)/c/$(1)-registry.c.o: $(BUILD)/$(1)-registry.c $(BUILD)/c/flags.h
	@mkdir -p $$(@D)
	$$(call say,CC,$$<) $$(CC) $$(C_FLAGS) -include $(BUILD)/c/flags.h -MMD -MP -c $$< -o $$@

$(BUILD)/tests/kernels/$(1)/hooks/gpubench-simt-hooks: $(call o,c,$(2) $(wildcard common/worker/*.c)) $(COMMON_O) \
    $(BUILD)/c/$(1)-registry.c.o $(call o,simt-hooks,$(3) $(COMMON_CU) $(SIMT_CPP))
	@mkdir -p $$(@D)
	$$(call say,LINK) $$(CXX) $$(OPT) -pthread $$^ -o $$@.new $$(RPATH) $$(STATIC_CXX) -lcjson -lm -ldl $$(LDFLAGS)
	@mv -f $$@.new $$@

TEST_HELPERS += $(BUILD)/tests/kernels/$(1)/hooks/gpubench-simt-hooks
endef

# The octrees whose threads meet.
$(eval $(call hooks_worker,octree,$(filter-out %/primitive.c,$(filter kernels/octree/%,$(KERNELS_C))) tests/kernels/octree/hooks/primitive.c,\
  $(filter-out kernels/octree/morton/% kernels/octree/auto/% kernels/octree/library/%,$(filter kernels/octree/%,$(DEVICE_CU)))))
# Sorts whose blocks look back.
$(eval $(call hooks_worker,radix-sort,$(filter kernels/radix-sort/%,$(KERNELS_C)),\
  $(filter-out kernels/radix-sort/library/%,$(filter kernels/radix-sort/%,$(DEVICE_CU)))))
