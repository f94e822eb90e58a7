# SPDX-FileCopyrightText: Pipeloom contributors
# SPDX-License-Identifier: Apache-2.0
#
# LibTorch's CPU parts as the target PipeloomTorch::cpu. Looks at PIPELOOM_TORCH_DIR (a variable of CMake or of the
# environment: the folder `torch` of an installed PyTorch), else in the cache that tools/fetch_torch fills. The wheel's own
# TorchConfig.cmake is not used, because it demands a CUDA Toolkit even for CPU.
#
# Sets PipeloomTorch_FOUND, PipeloomTorch_VERSION, PipeloomTorch_DIR_FOUND (the folder), and, if not found, PipeloomTorch_WHY_NOT: what is wrong and what to do.

set(PIPELOOM_TORCH_DIR "$ENV{PIPELOOM_TORCH_DIR}" CACHE PATH "The folder `torch` of an installed PyTorch >= 2.11; empty: the one that ./dev setup fetches")
set(minimum 2.11)

if(PIPELOOM_TORCH_DIR)
    set(torch_dir "${PIPELOOM_TORCH_DIR}")
    set(origin "PIPELOOM_TORCH_DIR (${torch_dir})")
else()
    execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/../tools/fetch_torch --where
        OUTPUT_VARIABLE torch_dir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(origin "the cache (${torch_dir})")
endif()

set(PipeloomTorch_FOUND FALSE)
set(PipeloomTorch_VERSION "")
set(version_file "${torch_dir}/version.py")
if(EXISTS "${version_file}")
    file(STRINGS "${version_file}" line REGEX "^__version__ *= *['\"]")
    string(REGEX MATCH "[0-9]+\\.[0-9]+(\\.[0-9]+)?" PipeloomTorch_VERSION "${line}")
endif()

if(NOT EXISTS "${torch_dir}/lib/libtorch_cpu.so" OR NOT EXISTS "${torch_dir}/include/ATen/ATen.h")
    if(PIPELOOM_TORCH_DIR)
        set(PipeloomTorch_WHY_NOT "PIPELOOM_TORCH_DIR (${torch_dir}) has no lib/libtorch_cpu.so and include/ATen: name the folder `torch` of an installed PyTorch")
    else()
        set(PipeloomTorch_WHY_NOT "LibTorch was not found: run ./dev setup, or set PIPELOOM_TORCH_DIR to the folder `torch` of an installed PyTorch >= ${minimum}")
    endif()
elseif(NOT PipeloomTorch_VERSION)
    set(PipeloomTorch_WHY_NOT "${version_file} does not tell the version of LibTorch in ${origin}")
elseif(PipeloomTorch_VERSION VERSION_LESS minimum)
    set(PipeloomTorch_WHY_NOT "LibTorch in ${origin} is ${PipeloomTorch_VERSION}, too old: ${minimum} or later is needed")
else()
    set(PipeloomTorch_FOUND TRUE)
    set(PipeloomTorch_DIR_FOUND "${torch_dir}")
    set(PipeloomTorch_WHY_NOT "")
endif()

if(PipeloomTorch_FOUND AND NOT TARGET PipeloomTorch::cpu)
    add_library(PipeloomTorch::c10 SHARED IMPORTED)
    set_target_properties(PipeloomTorch::c10 PROPERTIES IMPORTED_LOCATION "${torch_dir}/lib/libc10.so")
    add_library(PipeloomTorch::torch_cpu SHARED IMPORTED)
    set_target_properties(PipeloomTorch::torch_cpu PROPERTIES IMPORTED_LOCATION "${torch_dir}/lib/libtorch_cpu.so")

    # Imported targets' folders are -isystem, so after ours and without warnings.
    add_library(PipeloomTorch::cpu INTERFACE IMPORTED)
    target_include_directories(PipeloomTorch::cpu INTERFACE
        "${torch_dir}/include" "${torch_dir}/include/torch/csrc/api/include")
    # The wheel's own copy of fmt has headers only. The ABI of the standard library's strings must be the wheel's.
    target_compile_definitions(PipeloomTorch::cpu INTERFACE _GLIBCXX_USE_CXX11_ABI=1 FMT_HEADER_ONLY=1)
    target_link_libraries(PipeloomTorch::cpu INTERFACE PipeloomTorch::torch_cpu PipeloomTorch::c10)
endif()
