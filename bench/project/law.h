/* How long something takes on a machine, as a law of few terms, and the laws that measured times
 * bear. docs/project.md says what the terms are and what they cannot know. */
#ifndef GB_PROJECT_LAW_H
#define GB_PROJECT_LAW_H

#include <stdbool.h>
#include <stddef.h>

/* What a time is made of. Each is a coefficient over what the machine has of something. */
typedef enum gb_term_kind {
    GB_TERM_MEMORY,  /* bytes over the bandwidth of the memory */
    GB_TERM_ISSUE,   /* clocks of a multiprocessor over how many there are and their clock */
    GB_TERM_LATENCY, /* clocks over the clock alone: chains that no further multiprocessor shortens
                      */
    GB_TERM_LAUNCH,  /* seconds, whatever the machine */
    GB_TERM_COUNT
} gb_term_kind;
extern const char *const gb_term_names[GB_TERM_COUNT];

typedef struct gb_machine {
    const char *model;        /* as results and data sheets name it */
    const char *architecture; /* "" where no data sheet is known */
    double bytes_per_s;       /* that a copy reaches */
    double sms;               /* in use */
    double clock_hz;          /* of the multiprocessors */
    double l2_bytes;          /* 0: unknown */
} gb_machine;

typedef struct gb_timing {
    gb_machine machine;
    double time_s;
    bool limited; /* the card has more multiprocessors than were in use */
} gb_timing;

/* time^power = sum of (coefficient / what the machine has)^power: of power 1 the terms come one
 * after another, the larger it is the more they run side by side. */
typedef struct gb_law {
    unsigned power, terms; /* terms: bit i: term i was fitted; memory may be there without */
    double coefficient[GB_TERM_COUNT];
    double error; /* root of the mean square of the logarithm of fitted over measured */
} gb_law;

/* How far equal runs are apart: laws that miss by less do not differ, and no time is surer. */
extern const double gb_project_noise;

enum { GB_POWERS = 3, GB_MOST_LAWS = GB_POWERS << GB_TERM_COUNT };

/* The laws that fit about as well as the best one does, in front the plainest: of the fewest terms,
 * then the best of these; where both are alike, memory before issue before latency before launch.
 */
typedef struct gb_fit {
    gb_law laws[GB_MOST_LAWS];
    size_t count;
} gb_fit;

/* A time with the ends of what is possible. */
typedef struct gb_span {
    double time_s, lo_s, hi_s;
} gb_span;

/* The seconds of a law on a machine, and of each of its terms (may be NULL). */
double gb_law_time(const gb_law *law, const gb_machine *machine, double terms[GB_TERM_COUNT]);

/* least_bytes: that the memory has to move at least; 0: unknown. resident: the L2 holds everything,
 * so that the memory has no term. False if nothing fits, as where there is no time. */
bool gb_fit_find(const gb_timing *timings, size_t count, double least_bytes, bool resident,
                 gb_fit *fit);

/* The geometric middle of what all laws say of `middle`, so that the furthest of them is as near as
 * can be, and the ends of what they say of the slowest and the fastest that the machine may be. */
gb_span gb_fit_time(const gb_fit *fit, const gb_machine *slow, const gb_machine *middle,
                    const gb_machine *fast);

#endif
