// What google/benchmark writes of its own kind: arguments with and without names, threads, a
// template, a failure.
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

static void sum(benchmark::State &state)
{
    std::vector<int> values(state.range(0), 1);
    for (auto _ : state)
        benchmark::DoNotOptimize(std::accumulate(values.begin(), values.end(), 0));
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(sum)->ArgName("n")->Arg(256)->Arg(1024)->Unit(benchmark::kMicrosecond);

static void exact(benchmark::State &state)
{
    for (auto _ : state)
        state.SetIterationTime(1e-3 * state.range(0));
    state.SetBytesProcessed(state.iterations() * 4096);
}
BENCHMARK(exact)->Args({2, 8})->UseManualTime()->Iterations(3);

static void fails(benchmark::State &state)
{
    state.SkipWithError("no luck");
    for (auto _ : state) {
    }
}
BENCHMARK(fails)->ArgName("n")->Arg(4);

template <class T> static void fill(benchmark::State &state)
{
    for (auto _ : state)
        benchmark::DoNotOptimize(T());
}
BENCHMARK_TEMPLATE(fill, int)->ThreadRange(2, 2)->UseRealTime();

BENCHMARK_MAIN();
