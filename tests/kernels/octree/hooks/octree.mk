# A worker for tests in which threads are left at every memory access and that has no primitive but
# the octree, and of that the builds whose threads meet: `make simt-hooks` compiles all kernels.
OCTREE_HOOKS_O = $(call o,c,$(filter-out %/primitive.c,$(filter kernels/octree/%,$(KERNELS_C))) tests/kernels/octree/hooks/primitive.c \
  $(wildcard common/worker/*.c)) $(COMMON_O) $(BUILD)/c/octree-registry.c.o \
  $(call o,simt-hooks,$(filter-out kernels/octree/morton/%,$(filter kernels/octree/%,$(DEVICE_CU))) $(wildcard common/cuda/*.cu) $(SIMT_CPP))

$(BUILD)/octree-registry.c: FORCE
	@$(call registry_of,octree) | { $(write_if_changed); }

$(BUILD)/c/octree-registry.c.o: $(BUILD)/octree-registry.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -include $(BUILD)/c/flags.h -MMD -MP -c $< -o $@

$(BUILD)/tests/kernels/octree/hooks/gpubench-simt-hooks: $(OCTREE_HOOKS_O)
	@mkdir -p $(@D)
	$(call say,LINK) $(CXX) $(OPT) -pthread $^ -o $@.new $(RPATH) $(STATIC_CXX) -lcjson -lm -ldl $(LDFLAGS)
	@mv -f $@.new $@

TEST_HELPERS += $(BUILD)/tests/kernels/octree/hooks/gpubench-simt-hooks
