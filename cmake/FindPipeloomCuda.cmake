# SPDX-FileCopyrightText: Pipeloom contributors
# SPDX-License-Identifier: Apache-2.0
#
# What the module executor/cuda is made of: nvcc, CUDA's runtime, NCCL, and LibTorch's CUDA parts in the folder that
# FindPipeloomTorch found (call it first). CMake's own CUDA language is not used: it tries the compiler out at each first
# configuring, which takes longer than the one small kernel.
#
# Sets PipeloomCuda_FOUND, PipeloomCuda_NVCC, PipeloomCuda_LIBRARY_DIRS (where its libraries' libraries lie), and, if not found,
# PipeloomCuda_WHY_NOT: what is missing and what to do. Makes the target PipeloomCuda::cuda.

set(torch_folder "${PipeloomTorch_DIR_FOUND}")
find_program(PipeloomCuda_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
get_filename_component(nvcc_folder "${PipeloomCuda_NVCC}" DIRECTORY)
get_filename_component(toolkit "${nvcc_folder}" DIRECTORY)
# The folder nvidia beside an installed PyTorch has CUDA's libraries as well, in one folder each before CUDA 13.
set(beside_torch "${torch_folder}/../nvidia")
find_path(PipeloomCuda_INCLUDE cuda_runtime_api.h HINTS "${toolkit}/include" "${toolkit}/targets/x86_64-linux/include")
find_path(PipeloomCuda_NCCL_INCLUDE nccl.h HINTS "${toolkit}/include" "${beside_torch}/nccl/include" "${beside_torch}/cu13/include")
find_library(PipeloomCuda_CUDART NAMES cudart libcudart.so.13 libcudart.so.12
    HINTS "${beside_torch}/cu13/lib" "${beside_torch}/cuda_runtime/lib" "${toolkit}/lib64" "${toolkit}/targets/x86_64-linux/lib")
find_library(PipeloomCuda_NCCL NAMES nccl libnccl.so.2
    HINTS "${beside_torch}/nccl/lib" "${toolkit}/lib64" "${toolkit}/lib")
mark_as_advanced(PipeloomCuda_NVCC PipeloomCuda_INCLUDE PipeloomCuda_NCCL_INCLUDE PipeloomCuda_CUDART PipeloomCuda_NCCL)

set(missing "")
if(NOT PipeloomCuda_NVCC)
    list(APPEND missing "nvcc")
endif()
if(NOT PipeloomCuda_INCLUDE OR NOT PipeloomCuda_CUDART)
    list(APPEND missing "CUDA's runtime (cuda_runtime_api.h, libcudart)")
endif()
if(NOT PipeloomCuda_NCCL_INCLUDE OR NOT PipeloomCuda_NCCL)
    list(APPEND missing "NCCL (nccl.h, libnccl)")
endif()
if(NOT EXISTS "${torch_folder}/lib/libtorch_cuda.so" OR NOT EXISTS "${torch_folder}/lib/libc10_cuda.so")
    list(APPEND missing "LibTorch's CUDA parts (libtorch_cuda.so)")
endif()
if(missing)
    list(JOIN missing ", " missing)
    set(PipeloomCuda_FOUND FALSE)
    set(PipeloomCuda_WHY_NOT "not found: ${missing}. Install the CUDA Toolkit and NCCL (CUDA_PATH names the toolkit), and take a PyTorch with CUDA")
    return()
endif()

set(PipeloomCuda_FOUND TRUE)
set(PipeloomCuda_WHY_NOT "")
get_filename_component(cudart_folder "${PipeloomCuda_CUDART}" DIRECTORY)
get_filename_component(nccl_folder "${PipeloomCuda_NCCL}" DIRECTORY)
set(PipeloomCuda_LIBRARY_DIRS "${torch_folder}/lib" "${nccl_folder}" "${cudart_folder}" "${toolkit}/lib64")
list(REMOVE_DUPLICATES PipeloomCuda_LIBRARY_DIRS)

add_library(PipeloomCuda::cuda INTERFACE IMPORTED)
target_include_directories(PipeloomCuda::cuda INTERFACE
    "${torch_folder}/include" "${PipeloomCuda_INCLUDE}" "${PipeloomCuda_NCCL_INCLUDE}")
target_compile_definitions(PipeloomCuda::cuda INTERFACE _GLIBCXX_USE_CXX11_ABI=1 FMT_HEADER_ONLY=1)
# GCC warns of c10's use of the size of cache lines.
target_compile_options(PipeloomCuda::cuda INTERFACE -Wno-interference-size)
# Nothing refers to torch_cuda by name: it is there to register its kernels.
target_link_libraries(PipeloomCuda::cuda INTERFACE
    -Wl,--no-as-needed "${torch_folder}/lib/libtorch_cuda.so" -Wl,--as-needed "${torch_folder}/lib/libc10_cuda.so"
    "${torch_folder}/lib/libtorch_cpu.so" "${torch_folder}/lib/libc10.so" "${PipeloomCuda_CUDART}" "${PipeloomCuda_NCCL}")
