/* The inside of the page (page.h): what it has, and the functions that write its sections. */
#ifndef GB_REPORT_SECTIONS_H
#define GB_REPORT_SECTIONS_H

#include "bench/report/page.h"

/* Whether a set of rows is shown: it was measured here. */
bool gb_report_shows(const gb_result_set *set);

/* An experiment of an operand. */
typedef struct gb_report_experiment {
    const gb_results *results;
    const gb_result_set *set;
    const char *id, *title; /* title: of the config; the same in all operands */
    const char *device; /* that tells it from the same experiment of others; NULL: it is alone */
    bool first;   /* its figures stand here, and not at the same experiment of another operand */
    bool repeats; /* it carries its primitive's name: what it repeats of the paper is in print */
} gb_report_experiment;

/* A paper, or a primitive that no paper is about. */
typedef struct gb_report_section {
    const gb_paper *paper; /* NULL: none */
    const char *id, *title;
    gb_report_experiment *experiments; /* a paper's second on the same primitive has none */
    size_t experiment_count, capacity;
} gb_report_section;

/* What the page has, in its order; no two ids are alike. */
typedef struct gb_report_plan {
    gb_report_section *sections;
    size_t section_count, section_capacity;
    const char **ids;
    size_t id_count, id_capacity;
    const gb_side **sides; /* those with measured rows */
    size_t side_count, side_capacity;
    const char **devices; /* the names of their devices, each once */
    size_t device_count, device_capacity;
} gb_report_plan;

void gb_report_make_plan(gb_report *report, gb_report_plan *plan);
/* An id that no other has and that may be one: this text, or one like it. */
const char *gb_report_id(gb_report *report, gb_report_plan *plan, const char *wanted);
/* The section of a paper; NULL: there is nothing measured. */
const gb_report_section *gb_report_section_of(const gb_report_plan *plan, const gb_paper *paper);
/* Whether anything was measured that a paper is about. */
bool gb_report_has_papers(const gb_report_plan *plan);
/* The experiment that a figure is of: the one whose name the figure's begins with, of several the
 * longest; NULL: it is none's, or of generations. */
const char *gb_report_owner(const gb_report *report, const gb_report_plan *plan,
                            const char *figure);

/* begin, text with what HTML would take for markup written out, end. */
void gb_report_put(gb_report *report, const char *begin, const char *text, const char *end);
/* A term of a list and what is known of it; nothing where that is "". */
void gb_report_put_fact(gb_report *report, const char *name, const char *value);
/* "12 rows", "1 row". */
const char *gb_report_counted(gb_report *report, size_t count, const char *one);

/* Whether the page has a section of generations: some primitive has points of two or more. Figures
 * that stand in it are not those of experiments. */
bool gb_report_has_generations(const gb_report *report);
bool gb_report_is_of_generations(const gb_report *report, const char *figure);

/* The sections; false and *error if a file that they take in cannot be read. */
void gb_report_put_contents(gb_report *report, const gb_report_plan *plan);
bool gb_report_put_summary(gb_report *report, gb_report_plan *plan);
void gb_report_put_verdicts(gb_report *report, const gb_report_plan *plan);
void gb_report_put_claims(gb_report *report, gb_report_plan *plan, const gb_paper *paper);
void gb_report_put_matrix(gb_report *report, const gb_report_plan *plan);
void gb_report_put_differences(gb_report *report, const gb_report_plan *plan);
bool gb_report_put_experiment(gb_report *report, gb_report_plan *plan,
                              const gb_report_experiment *experiment);
/* The definitions that figures refer to, then figures. One that was put before is linked to. title:
 * what it is of, where its data do not say. */
bool gb_report_put_marks(gb_report *report);
bool gb_report_put_figure(gb_report *report, gb_report_plan *plan, gb_report_figure *figure,
                          const char *title);
bool gb_report_put_generations(gb_report *report, gb_report_plan *plan);
void gb_report_put_devices(gb_report *report, const gb_report_plan *plan);
void gb_report_put_flags(gb_report *report);

#endif
