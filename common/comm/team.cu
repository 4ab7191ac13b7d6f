/* The team that this process is of: joining, who works together, and where a timed region begins.
 */
#include "common/comm/team.cuh"

#include "common/cuda/backend.cuh"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    unsigned rank, size; /* 0: there was none yet */
    bool here;           /* this process is one of it now */
    unsigned at_work;    /* ranks that take part in what is timed */
    char ids[GB_MOST_RANKS][GB_TEAM_ID];
    gb_group groups[GB_MOST_RANKS + 1]; /* by size; size 0: not made yet */
    uint64_t reached[GB_MOST_RANKS];    /* a bit for each rank whose memory rank r reaches */
    bool same_host;
} team;

double gb_team_limit_s()
{
    const char *text = getenv("GPUBENCH_TEAM_LIMIT_S");
    char *end = NULL;
    const double limit_s = text ? strtod(text, &end) : 0;
    return text && end != text && !*end && limit_s > 0 && limit_s < 1e6 ? limit_s : 60;
}

unsigned gb_team_size()
{
    return team.here ? team.size : 0;
}

/* ---- who reaches whom ------------------------------------------------------------------------ */

/* The first two of so many ranks of which one cannot reach the other's memory. */
static bool find_strangers(unsigned ranks, unsigned *one, unsigned *other)
{
    for (*one = 0; *one < ranks; ++*one)
        for (*other = 0; *other < ranks; ++*other)
            if (!(team.reached[*one] >> *other & 1)) return true;
    return false;
}

const char *gb_team_refusal(uint64_t ranks, unsigned needs)
{
    unsigned one, other;
    if (ranks > team.size)
        return gb_reason("%llu GPUs are asked for, the team has %u", (unsigned long long)ranks,
                         team.size);
    if (needs & GB_NEEDS_COPIES)
        return "copies from GPU to GPU are those of one process; between processes NCCL carries "
               "what passes";
    if (!(needs & GB_NEEDS_PEERS) || !find_strangers((unsigned)ranks, &one, &other)) return NULL;
    return gb_reason("the process of rank %u cannot reach the memory of rank %u's GPU%s", one,
                     other, team.same_host ? " (CUDA IPC)" : ": they are on several hosts");
}

/* ---- groups ---------------------------------------------------------------------------------- */

gb_status gb_team_group(unsigned size, gb_group **out, gb_error *error)
{
    gb_group *group = &team.groups[size];
    *out = group;
    if (group->size) return GB_OK;
    *group = {team.rank, size, 0, NULL, NULL};
    const gb_status status = gb_carry_group(group, team.ids[size - 2], error);
    if (status != GB_OK) group->size = 0;
    return status;
}

gb_status gb_group_agree(gb_group *group, gb_status own, gb_error *error)
{
    struct said {
        int status;
        char text[GB_MOST_GATHERED - sizeof(int)];
    };
    said mine = {(int)own, ""}, all[GB_MOST_RANKS];
    if (own != GB_OK)
        snprintf(mine.text, sizeof mine.text, "%.*s", (int)sizeof mine.text - 1, error->text);
    gb_error later;
    const gb_status status = gb_carry_gather(group, &mine, sizeof mine, all, &later);
    if (own != GB_OK) return own;
    if (status != GB_OK) {
        *error = later;
        return status;
    }
    for (unsigned r = 0; r < group->size; r++)
        if (all[r].status != GB_OK)
            return gb_fail(error, (gb_status)all[r].status, "rank %u: %s", r, all[r].text);
    return GB_OK;
}

gb_status gb_group_barrier(gb_group *group, cudaStream_t stream, unsigned away, gb_error *error)
{
    unsigned one, other;
    return gb_carry_barrier(group, !find_strangers(group->size, &one, &other), stream, away, error);
}

/* ---- the worker's calls ---------------------------------------------------------------------- */

gb_status gb_backend_team_id(char id[GB_TEAM_ID], gb_error *error)
{
    return gb_carry_id(id, GB_TEAM_ID, error);
}

static bool is_same(const gb_team *other)
{
    bool same = team.rank == other->rank && team.size == other->size;
    for (unsigned i = 0; same && i + 1 < team.size; i++)
        same = strcmp(team.ids[i], other->ids[i]) == 0;
    return same;
}

static gb_status join(const gb_team *now, gb_error *error)
{
    gb_group *all;
    uint64_t reached = 0;
    team.rank = now->rank;
    team.size = now->size;
    for (unsigned i = 0; i + 1 < now->size; i++)
        snprintf(team.ids[i], sizeof team.ids[i], "%s", now->ids[i]);
    gb_status status = gb_team_group(team.size, &all, error);
    if (status == GB_OK) status = gb_carry_reach(all, &reached, &team.same_host, error);
    if (status == GB_OK)
        status = gb_carry_gather(all, &reached, sizeof reached, team.reached, error);
    /* The barrier's code is loaded at its first launch, which must not be behind a gate. */
    if (status == GB_OK) status = gb_group_barrier(all, NULL, all->size, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaDeviceSynchronize(), error);
    return GB_OK;
}

/* A timed region begins when all members at work have come to it. */
static gb_status meet(cudaStream_t stream, gb_error *error)
{
    gb_group *group;
    if (!team.here || team.at_work < 2) return GB_OK;
    const gb_status status = gb_team_group(team.at_work, &group, error);
    return status == GB_OK ? gb_group_barrier(group, stream, group->size, error) : status;
}

gb_status gb_backend_join_team(const gb_team *now, gb_error *error)
{
    team.here = false;
    team.at_work = 1;
    gb_before_region = NULL;
    if (!now) return GB_OK;
    if (team.size && !is_same(now))
        return gb_fail(error, GB_UNSUPPORTED,
                       "this process has been rank %u of a team of %u, and can be of no other",
                       team.rank, team.size);
    if (!team.size) {
        const gb_status status = join(now, error);
        if (status != GB_OK) return status;
    }
    team.here = true;
    gb_before_region = meet;
    return GB_OK;
}

void gb_backend_team_at_work(unsigned members)
{
    team.at_work = members;
}
