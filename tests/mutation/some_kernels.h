/* Included before the kernels where tests plant mistakes in them (lib_planted_partition.sh):
 * MP_KERNEL tells which kernels run or, with SOME_KERNELS, the numbers that were told, makes those
 * alone. The others take most of the compiler's time. What runs although it is not made is told,
 * too, as 0.
 *
 * Each is told once, as a line of the file that the environment names: SOME_KERNELS_TOLD. */
#ifndef GB_TESTS_MUTATION_SOME_KERNELS_H
#define GB_TESTS_MUTATION_SOME_KERNELS_H

#include <atomic>
#include <fcntl.h>
#include <initializer_list>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* A number for the text of a kernel's name in the function that names it. */
constexpr uint32_t some_kernel(const char *function, const char *name)
{
    uint32_t number = 2166136261u;
    for (; *function; function++)
        number = (number ^ (unsigned char)*function) * 16777619u;
    for (; *name; name++)
        number = (number ^ (unsigned char)*name) * 16777619u;
    return number;
}

static inline int some_kernels_file()
{
    const char *name = getenv("SOME_KERNELS_TOLD");
    return name ? open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
}

/* It is called in kernels, whose stacks are small. */
static inline void some_kernels_tell(std::atomic<bool> *told, uint32_t number)
{
    static const int file = some_kernels_file();
    if (told->exchange(true)) return;
    char line[] = "0x00000000\n";
    for (int digit = 9; digit > 1; digit--, number /= 16)
        line[digit] = "0123456789abcdef"[number % 16];
    if (write(file, line, sizeof line - 1) < 0) return;
}

/* A kernel that is told when it runs. */
template <uint32_t NUMBER, auto KERNEL> struct some_told;
template <uint32_t NUMBER, class... P, void (*KERNEL)(P...)> struct some_told<NUMBER, KERNEL> {
    static void run(P... arguments)
    {
        static std::atomic<bool> told;
        some_kernels_tell(&told, NUMBER);
        KERNEL(arguments...);
    }
};

/* In the place of one that is not made. */
template <class Kernel> struct some_missing;
template <class... P> struct some_missing<void (*)(P...)> {
    static void run(P...)
    {
        static std::atomic<bool> told;
        some_kernels_tell(&told, 0);
    }
};

#ifdef SOME_KERNELS
constexpr bool some_made(uint32_t number)
{
    for (const uint32_t one : {SOME_KERNELS})
        if (one == number) return true;
    return false;
}
#define MP_KERNEL(...)                                                           \
    ({                                                                           \
        decltype(&__VA_ARGS__) kernel_;                                          \
        if constexpr (some_made(some_kernel(__PRETTY_FUNCTION__, #__VA_ARGS__))) \
            kernel_ = &__VA_ARGS__;                                              \
        else                                                                     \
            kernel_ = some_missing<decltype(&__VA_ARGS__)>::run;                 \
        kernel_;                                                                 \
    })
#else
#define MP_KERNEL(...) some_told<some_kernel(__PRETTY_FUNCTION__, #__VA_ARGS__), &__VA_ARGS__>::run
#endif

#endif
