/* The paper's radix sort: a bit a pass from the lowest up, a predicate, a scan and a scatter each.
 *
 * Constants of the compilation: GROUP (work-items of a group, a power of two), KEY (uint or ulong),
 * IMAGE (0: the key itself; 1: i32; 2: f32), DESCENDING and PAYLOAD (0 or 1), COUNT (uint or ulong:
 * what numbers the keys). A group works on a tile of 8 GROUP keys. The
 * arrays between the steps have whole tiles and more than n elements: what lies behind n counts as
 * a one. Device memory for a u32 key and a pass: predicate 4 + 1 bytes read and written, scan 1 +
 * 4, scatter 8 + 4, which is all that three steps can do with; sums of tiles are 1/512 of f. */

#define TILE (8 * GROUP)
#define LEAVES (2 * GROUP)

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define COUNT4 JOIN(COUNT, 4)
#define KEY4 JOIN(KEY, 4)

/* A word of padding after every 32, so that work-items at a distance of 2^k use different banks. */
#define PADDED(i) ((i) + ((i) >> 5))

/* The bit that a pass looks at, 0 or 1, of the unsigned number by which the key is ordered. */
static uint bit_of(KEY key, uint bit)
{
#if IMAGE == 1
    key ^= 0x80000000u;
#elif IMAGE == 2
    key ^= (uint)((int)key >> 31) | 0x80000000u;
#endif
#if DESCENDING
    key = ~key;
#endif
    return (uint)(key >> bit) & 1;
}

/* 1) Predicate: a byte for each key, 1 where its bit is 0. Four keys a work-item at a time. */
__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void
predicate(global const KEY *keys, global uchar4 *zeros, ulong n, uint bit)
{
    const ulong first = get_group_id(0) * (ulong)LEAVES + get_local_id(0);
#pragma unroll
    for (uint item = 0; item < LEAVES / GROUP; item++) {
        const ulong four = first + item * GROUP, i = 4 * four;
        uchar4 zero = (uchar4)(0);
        if (i + 4 <= n) {
            const KEY4 key = ((global const KEY4 *)keys)[four];
            zero.x = 1 - bit_of(key.x, bit);
            zero.y = 1 - bit_of(key.y, bit);
            zero.z = 1 - bit_of(key.z, bit);
            zero.w = 1 - bit_of(key.w, bit);
        } else {
            if (i < n) zero.x = 1 - bit_of(keys[i], bit);
            if (i + 1 < n) zero.y = 1 - bit_of(keys[i + 1], bit);
            if (i + 2 < n) zero.z = 1 - bit_of(keys[i + 2], bit);
        }
        zeros[four] = zero;
    }
}

/* An exclusive scan over the LEAVES values of `tree`, in place; returns their sum to all (Blelloch
 * 1990, "Prefix sums and their applications"; two leaves a work-item). The loops have constant
 * bounds and are unrolled. */
static COUNT scan_tree(local COUNT *tree)
{
    const uint me = get_local_id(0);
    COUNT sum;
#pragma unroll
    for (uint step = 1; step < LEAVES; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < LEAVES / 2 / step) {
            const uint left = step * (2 * me + 1) - 1, right = left + step;
            tree[PADDED(right)] += tree[PADDED(left)];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = tree[PADDED(LEAVES - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) tree[PADDED(LEAVES - 1)] = 0;
#pragma unroll
    for (uint step = LEAVES / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < LEAVES / 2 / step) {
            const uint left = step * (2 * me + 1) - 1, right = left + step;
            const COUNT before = tree[PADDED(right)];
            tree[PADDED(right)] = before + tree[PADDED(left)];
            tree[PADDED(left)] = before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

/* The exclusive scan of four values that begins at `before`. */
static COUNT4 scan_four(COUNT4 v, COUNT before)
{
    COUNT4 scanned;
    scanned.x = before;
    scanned.y = scanned.x + v.x;
    scanned.z = scanned.y + v.y;
    scanned.w = scanned.z + v.z;
    return scanned;
}

/* The exclusive scan of a tile of which a work-item has two groups of four, GROUP groups apart, so
 * that accesses are coalesced; the tile's sum goes to sums. */
static void scan_tile(COUNT4 a, COUNT4 b, local COUNT *tree, global COUNT4 *tile,
                      global COUNT *sums)
{
    const uint me = get_local_id(0);
    COUNT sum;
    tree[PADDED(me)] = a.x + a.y + a.z + a.w;
    tree[PADDED(me + GROUP)] = b.x + b.y + b.z + b.w;
    sum = scan_tree(tree);
    tile[me] = scan_four(a, tree[PADDED(me)]);
    tile[me + GROUP] = scan_four(b, tree[PADDED(me + GROUP)]);
    if (me == 0) sums[get_group_id(0)] = sum;
}

/* 2) Scan: every tile of f becomes the exclusive scan of the predicates' tile, sums[t] the sum of
 * tile t. */
__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void
scan(global const uchar4 *zeros, global COUNT4 *f, global COUNT *sums)
{
    local COUNT tree[PADDED(LEAVES)];
    const ulong first = get_group_id(0) * (ulong)LEAVES;
    const uint me = get_local_id(0);
    const uchar4 a = zeros[first + me], b = zeros[first + me + GROUP];
    scan_tile((COUNT4)(a.x, a.y, a.z, a.w), (COUNT4)(b.x, b.y, b.z, b.w), tree, f + first, sums);
}

/* The same for the sums, in place, a level higher each time. */
__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void scan_sums(global COUNT4 *values,
                                                                         global COUNT *sums)
{
    local COUNT tree[PADDED(LEAVES)];
    const ulong first = get_group_id(0) * (ulong)LEAVES;
    const uint me = get_local_id(0);
    scan_tile(values[first + me], values[first + me + GROUP], tree, values + first, sums);
}

/* The scan of the sums, added to the tiles that they are the sums of, where these are sums
 * themselves. The tiles of f are left to scatter, which has one for each of its groups. */
__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void add_sums(global COUNT4 *values,
                                                                        global const COUNT *sums)
{
    const uint me = get_local_id(0);
    const COUNT before = sums[get_group_id(0)];
    global COUNT4 *tile = values + get_group_id(0) * (ulong)LEAVES;
    tile[me] += (COUNT4)(before);
    tile[me + GROUP] += (COUNT4)(before);
}

/* 3) Scatter: a key whose bit is 0 goes to f[i], another to totalFalses + i - f[i], where f[i] is
 * what the scans of its tile and of the sums say together. f[n] is totalFalses, for nothing behind
 * n counts as a zero. */
__attribute__((reqd_work_group_size(GROUP, 1, 1))) kernel void
scatter(global const KEY *keys, global const COUNT *f, global const COUNT *sums, ulong n, uint bit,
        global KEY *keys_out
#if PAYLOAD
        ,
        global const uint *payload, global uint *payload_out
#endif
)
{
    const ulong first = get_group_id(0) * (ulong)TILE + get_local_id(0);
    const COUNT total_falses = f[n] + sums[n / TILE], before = sums[get_group_id(0)];
#pragma unroll
    for (uint item = 0; item < TILE / GROUP; item++) {
        const ulong i = first + item * GROUP;
        if (i < n) {
            const KEY key = keys[i];
            const COUNT falses = before + f[i];
            const COUNT to = bit_of(key, bit) ? total_falses + (COUNT)i - falses : falses;
            keys_out[to] = key;
#if PAYLOAD
            payload_out[to] = payload[i];
#endif
        }
    }
}
