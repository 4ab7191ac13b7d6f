# find_package(gpubench) gives the primitives' library as gpubench::gpubench (shared) and gpubench::gpubench_static, where
# gpubench was built with nvcc (docs/sort.md, docs/partition.md); and gpubench_add_primitive (docs/sdk.md).
get_filename_component(_gpubench_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(GPUBENCH_INCLUDE_DIR "${_gpubench_prefix}/include/gpubench")
set(GPUBENCH_SDK_DIR "${_gpubench_prefix}/share/gpubench/sdk")
set(GPUBENCH_LIBRARY_DIR "${_gpubench_prefix}/lib")
# What the libraries were built with: NAME := VALUE, a line each.
file(STRINGS "${GPUBENCH_SDK_DIR}/sdk.mk" _gpubench_lines)
foreach(_gpubench_line IN LISTS _gpubench_lines)
    if(_gpubench_line MATCHES "^(GB_SDK_[A-Z_]+) := (.*)$")
        set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
endforeach()

# Their users call the CUDA runtime as well, whose headers some of ours include.
if(EXISTS "${GPUBENCH_LIBRARY_DIR}/libgpubench.so" AND NOT TARGET gpubench::gpubench)
    find_package(CUDAToolkit QUIET)
    find_package(Threads QUIET)
    add_library(gpubench::gpubench SHARED IMPORTED)
    set_target_properties(gpubench::gpubench PROPERTIES IMPORTED_LOCATION "${GPUBENCH_LIBRARY_DIR}/libgpubench.so")
    if(EXISTS "${GPUBENCH_LIBRARY_DIR}/libgpubench.a")
        add_library(gpubench::gpubench_static STATIC IMPORTED)
        set_target_properties(gpubench::gpubench_static PROPERTIES
            IMPORTED_LOCATION "${GPUBENCH_LIBRARY_DIR}/libgpubench.a" IMPORTED_LINK_INTERFACE_LANGUAGES CXX)
        target_link_libraries(gpubench::gpubench_static INTERFACE 
            $<TARGET_NAME_IF_EXISTS:Threads::Threads> ${CMAKE_DL_LIBS} rt m)
    endif()
    foreach(_gpubench_target gpubench::gpubench gpubench::gpubench_static)
        if(TARGET ${_gpubench_target})
            target_include_directories(${_gpubench_target} INTERFACE "${_gpubench_prefix}/include")
            target_link_libraries(${_gpubench_target} INTERFACE $<TARGET_NAME_IF_EXISTS:CUDA::cudart_static>)
        endif()
    endforeach()
endif()

# gpubench_add_primitive(NAME SOURCE...): gpubench-simt-NAME and, where the project has the language CUDA and gpubench
# was built with it, gpubench-cuda-NAME. Sources are *.c and *.cu; one defines gb_primitive_..., see docs/sdk.md.
function(gpubench_add_primitive name)
    set(sources)
    foreach(source IN LISTS ARGN)
        get_filename_component(source "${source}" ABSOLUTE)
        list(APPEND sources "${source}")
    endforeach()
    set(plain ${sources})
    list(FILTER plain INCLUDE REGEX "\\.c$")
    set(kernels ${sources})
    list(FILTER kernels INCLUDE REGEX "\\.cu$")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/gpubench-${name}")
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${folder}/registry.c"
        COMMAND "${GPUBENCH_SDK_DIR}/registry.sh" ${sources} > "${folder}/registry.c" DEPENDS ${sources} VERBATIM)

    # The simt device compiles kernels as C++, the GPU's worker the same files as CUDA.
    set(wrapped)
    foreach(kernel IN LISTS kernels)
        string(MAKE_C_IDENTIFIER "${kernel}" stem)
        file(GENERATE OUTPUT "${folder}/${stem}.cpp" CONTENT "#include \"${kernel}\"\n")
        list(APPEND wrapped "${folder}/${stem}.cpp")
    endforeach()
    add_executable(gpubench-simt-${name} ${plain} ${wrapped} "${folder}/registry.c")
    string(TOUPPER "${CMAKE_BUILD_TYPE}" kind)
    set_property(SOURCE "${folder}/registry.c" APPEND PROPERTY COMPILE_DEFINITIONS
        "GB_FLAGS=\"CMake ${CMAKE_BUILD_TYPE}: ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${kind}}\"")
    target_compile_definitions(gpubench-simt-${name} PRIVATE GB_ARCH=${GB_SDK_SIMT_ARCH})
    target_compile_options(gpubench-simt-${name} PRIVATE
        $<$<COMPILE_LANGUAGE:CXX>:-fno-strict-aliasing;-fsanitize=bounds;-Wno-unknown-pragmas>)
    _gpubench_worker(gpubench-simt-${name} simt)

    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    set(library "${GPUBENCH_LIBRARY_DIR}/libgpubench_worker_cuda.a")
    if(NOT "CUDA" IN_LIST languages OR NOT GB_SDK_CUDA OR NOT EXISTS "${library}")
        return()
    endif()
    if(NOT CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL GB_SDK_CUDA OR
       CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL "${GB_SDK_CUDA}.999")
        message(FATAL_ERROR "CMake's CUDA is ${CMAKE_CUDA_COMPILER_VERSION}, gpubench's library of CUDA ${GB_SDK_CUDA}: "
            "set CMAKE_CUDA_COMPILER to one of that, or build gpubench with this one")
    endif()
    add_executable(gpubench-cuda-${name} ${plain} ${kernels} "${folder}/registry.c")
    string(REPLACE " " ";" architectures "${GB_SDK_CUDA_ARCHS}")
    string(REPLACE " " "," listed "${GB_SDK_CUDA_ARCHS}")
    set_target_properties(gpubench-cuda-${name} PROPERTIES
        CUDA_ARCHITECTURES "${architectures}" CUDA_RUNTIME_LIBRARY Static CUDA_STANDARD 17)
    set_property(SOURCE "${folder}/registry.c" APPEND PROPERTY COMPILE_DEFINITIONS "GB_CUDA_ARCHS=\"${listed}\"")
    target_compile_options(gpubench-cuda-${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=20012>)
    string(REPLACE " " ";" launches "${GB_SDK_LAUNCHES}")
    foreach(launch IN LISTS launches)
        target_link_options(gpubench-cuda-${name} PRIVATE "LINKER:--wrap=${launch}")
    endforeach()
    _gpubench_worker(gpubench-cuda-${name} cuda)
endfunction()

function(_gpubench_worker target device)
    find_package(Threads REQUIRED)
    target_include_directories(${target} PRIVATE "${GPUBENCH_INCLUDE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    target_compile_features(${target} PRIVATE cxx_std_17)
    set_target_properties(${target} PROPERTIES C_STANDARD 11 LINKER_LANGUAGE CXX)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_link_libraries(${target} PRIVATE "${GPUBENCH_LIBRARY_DIR}/libgpubench_worker_${device}.a"
        Threads::Threads cjson m ${CMAKE_DL_LIBS})
    target_link_options(${target} PRIVATE LINKER:--gc-sections)
endfunction()
