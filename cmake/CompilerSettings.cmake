# SPDX-FileCopyrightText: Pipeloom contributors
# SPDX-License-Identifier: Apache-2.0
#
# What every target of ours is compiled with: the language, the warnings (which are errors), the sanitizers.

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Debug CACHE STRING "Debug or Release" FORCE)
endif()

# Debug is what developers and the tests use: optimised enough for the property tests, quick to compile.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# One setting for all, as precompiled headers must agree with the files that use them.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(PIPELOOM_WERROR "Treat warnings as errors" ON)
set(PIPELOOM_SANITIZE "" CACHE STRING "What -fsanitize= takes, for all of our code: address,undefined or thread")

find_package(Threads REQUIRED)

add_library(pipeloom_settings INTERFACE)
target_include_directories(pipeloom_settings INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(pipeloom_settings INTERFACE Threads::Threads)
target_compile_options(pipeloom_settings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wcast-align -Wnon-virtual-dtor -Woverloaded-virtual
    -Wextra-semi -Wundef
    $<$<BOOL:${PIPELOOM_WERROR}>:-Werror>
    # GCC 12 sees overlaps in `"literal" + std::string` that are not there (its bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# Cheap checks of the standard library (an index out of range ends the program) wherever speed is not the point.
target_compile_definitions(pipeloom_settings INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

if(PIPELOOM_SANITIZE)
    add_compile_options(-fsanitize=${PIPELOOM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${PIPELOOM_SANITIZE})
    # The instrumentation confuses GCC's flow analysis; the ordinary build has these warnings on.
    target_compile_options(pipeloom_settings INTERFACE
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-array-bounds>)
endif()
