/* Kernels that sweep over memory in 16-byte accesses: they measure bandwidth and empty the cache.
 * A work-group moves one tile of GROUP x 4 units, a group's stride apart, and there is no loop over
 * tiles, so that all loads are issued before any is used. -DGROUP. */

__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void
sweep_read(global const uint4 *source, global uint *sink)
{
    global const uint4 *tile = source + get_group_id(0) * (ulong)(4 * GROUP) + get_local_id(0);
    const uint4 a = tile[0], b = tile[GROUP], c = tile[2 * GROUP], d = tile[3 * GROUP];
    const uint4 mixed = a ^ b ^ c ^ d;
    const uint word = mixed.x ^ mixed.y ^ mixed.z ^ mixed.w;
    /* The compiler cannot know that swept buffers hold one repeated word, whose mix is 0. */
    if (word == 0x9E3779B9u) *sink = word;
}

__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void sweep_write(global uint4 *target,
                                                                           uint value)
{
    global uint4 *tile = target + get_group_id(0) * (ulong)(4 * GROUP) + get_local_id(0);
    for (int i = 0; i < 4; i++)
        tile[i * GROUP] = (uint4)(value);
}

__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void
sweep_copy(global const uint4 *source, global uint4 *target)
{
    const ulong first = get_group_id(0) * (ulong)(4 * GROUP) + get_local_id(0);
    const uint4 a = source[first], b = source[first + GROUP];
    const uint4 c = source[first + 2 * GROUP], d = source[first + 3 * GROUP];
    target[first] = a;
    target[first + GROUP] = b;
    target[first + 2 * GROUP] = c;
    target[first + 3 * GROUP] = d;
}

kernel void sweep_nothing(void) {}
