/* Octrees in a program of your own, in C: what to include, and the few calls it takes.
 *
 *   cc octree_example.c $(pkg-config --cflags --libs gpubench)
 *
 * A hundred thousand bodies are built into a tree, its cells get the sums of their bodies, and
 * every body is asked for its four nearest others. All of it is queued at once; then the root's
 * sums, and some of the answers, are looked at on the host. */
#include <gpubench/octree.h>

#if defined(GB_ARCH)
#include "common/simt/simt.h" /* gpubench's own tests: kernels on the CPU */
#else
#include <cuda_runtime_api.h>
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BODIES = 100000, K = 4, LOOKED_AT = 20 };

static void need(cudaError_t code, const char *what)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "octree_example: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static void need_octree(gb_octree_status status)
{
    if (status == GB_OCTREE_OK) return;
    fprintf(stderr, "octree_example: %s\n", gb_octree_error());
    exit(1);
}

static void *device_array(size_t bytes)
{
    void *array;
    need(cudaMalloc(&array, bytes), "memory");
    return array;
}

static void *host_array(size_t bytes)
{
    void *array = malloc(bytes);
    if (array) return array;
    fprintf(stderr, "octree_example: no host memory\n");
    exit(1);
}

static float distance2(const float *a, const float *b)
{
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* Whether no other body is nearer than the last of those that were found. */
static int is_right(const float *bodies, uint32_t body, const uint32_t *found)
{
    const float *own = bodies + 4 * (size_t)body;
    const float last = distance2(own, bodies + 4 * (size_t)found[K - 1]);
    unsigned nearer = 0;
    for (uint32_t i = 0; i < BODIES; i++)
        nearer += i != body && distance2(own, bodies + 4 * (size_t)i) < last * 0.9999f;
    return nearer < K;
}

int main(void)
{
    float *bodies = (float *)host_array(16 * BODIES), root[4];
    uint32_t *numbers = (uint32_t *)host_array(4 * K * BODIES), state = 1;
    for (size_t i = 0; i < 4 * BODIES; i++) {
        state = state * 1664525u + 1013904223u;
        bodies[i] = i % 4 == 3 ? 1.0f : (float)(state >> 8) / (1 << 24);
    }
    float *d_bodies = (float *)device_array(16 * BODIES);
    uint32_t *d_numbers = (uint32_t *)device_array(4 * K * BODIES);
    need(cudaMemcpy(d_bodies, bodies, 16 * BODIES, cudaMemcpyHostToDevice), "a copy");

    gb_octree_options options = {0};
    gb_octree *tree;
    gb_octree_cube cube;
    gb_octree_view view;
    options.most_bodies = BODIES;
    options.leaf = 16;
    options.uses = GB_OCTREE_SUMS | GB_OCTREE_QUERIES;
    need_octree(gb_octree_create(&options, &tree));
    need_octree(gb_octree_cube_around(d_bodies, BODIES, &cube));
    need_octree(gb_octree_build(tree, d_bodies, BODIES, cube, NULL));
    need_octree(gb_octree_sums(tree, NULL));
    need_octree(gb_octree_nearest(tree, K, d_numbers, NULL));
    need_octree(gb_octree_check(tree, NULL));
    need_octree(gb_octree_look(tree, &view));
    need(cudaMemcpy(root, view.sums, sizeof root, cudaMemcpyDeviceToHost), "a copy");
    need(cudaMemcpy(numbers, d_numbers, 4 * K * BODIES, cudaMemcpyDeviceToHost), "a copy");

    unsigned wrong = fabsf(root[3] - BODIES) > 1;
    for (uint32_t i = 0; i < LOOKED_AT; i++)
        wrong +=
            !is_right(bodies, i * (BODIES / LOOKED_AT), numbers + i * (BODIES / LOOKED_AT) * K);
    printf("%d bodies around (%.3f, %.3f, %.3f), %d nearest of %d looked at, %u wrong\n", BODIES,
           (double)root[0], (double)root[1], (double)root[2], K, LOOKED_AT, wrong);
    gb_octree_destroy(tree);
    cudaFree(d_bodies);
    cudaFree(d_numbers);
    free(bodies);
    free(numbers);
    return wrong != 0;
}
