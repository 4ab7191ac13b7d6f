/* The set: the devices that a worker was given (`select`), of which each rank of what several GPUs
 * do together has one. */
#ifndef GB_CUDA_SET_H
#define GB_CUDA_SET_H

#ifdef __cplusplus
extern "C" {
#endif

enum { GB_MOST_RANKS = 64 };

typedef struct gb_set {
    unsigned size;             /* ranks there may be; 1 to GB_MOST_RANKS */
    int device[GB_MOST_RANKS]; /* the CUDA ordinal of each. One may stand there twice, to try on one
                                  GPU what needs two: then both share it */
} gb_set;

/* The worker's one device, until another set is chosen; on simt as many simulated ones as
 * SIMT_DEVICES says. */
const gb_set *gb_set_now(void);
/* count devices, of which the first is the worker's own; 0: as at first. */
void gb_set_choose(const int *devices, unsigned count);

#ifdef __cplusplus
}
#endif
#endif
